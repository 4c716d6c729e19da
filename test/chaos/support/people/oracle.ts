import { commentMarker } from '../../../../src/domain/issue/comment-marker.js';
import type { Oid } from '#pocket-github/testing';
import type { Story } from './story.js';
import { BASE, type PersonCommit, type Scene } from './people-scene.js';
import { untrueReasons } from './stop-reasons.js';

/** Everything that must not have come of a story. The first word of each says which promise is broken. */
export async function brokenPromises(story: Story): Promise<readonly string[]> {
  return [
    ...story.trouble.map((why) => `GENERATOR ${why}`),
    ...(await lostWork(story.scene)),
    ...overruled(story),
    ...(await untrueReasons(story)),
    ...twice(story),
  ];
}

/** Every commit a person made is held by GitHub, and what came to base stays there. */
async function lostWork(scene: Scene): Promise<readonly string[]> {
  const problems: string[] = [];
  const refs = await scene.git.listRefs();
  const base = refs.get(`refs/heads/${BASE}`);
  const holders = [...refs].flatMap(([name, oid]) => (KEEPS.test(name) ? [oid] : []));
  for (const commit of scene.commits) {
    const isHeld =
      commit.branch === BASE ? await isIn(scene, commit.oid, base) : await isInAny(scene, commit.oid, holders);
    if (!isHeld && !commit.withdrawn) problems.push(`LOST the commit of a person on ${commit.branch}`);
    else if (base !== undefined && (await hasLanded(scene, commit)) && !(await shows(scene, base, commit)))
      problems.push(`LOST the text a person brought to base through ${commit.branch}`);
  }
  return problems;
}

/** Refs people can find commits by: branches, tags, and where Sluice keeps what stood on a work branch. GitHub keeps the last head of a pull request for good. */
const KEEPS = /^refs\/(?:heads|tags|sluice\/(?:wip|before))\/|^refs\/pull\/\d+\/head$/;

async function isInAny(scene: Scene, oid: Oid, holders: readonly Oid[]): Promise<boolean> {
  for (const holder of new Set(holders)) if (await isIn(scene, oid, holder)) return true;
  return false;
}

const isIn = async (scene: Scene, oid: Oid, tip: Oid | undefined): Promise<boolean> =>
  tip !== undefined && (tip === oid || (await scene.git.isAncestor(oid, tip)));

async function hasLanded(scene: Scene, { oid, branch }: PersonCommit): Promise<boolean> {
  if (branch === BASE) return true;
  for (const { mergedAt, baseRef, headOid } of scene.pulls)
    if (mergedAt !== null && baseRef === BASE && (await isIn(scene, oid, headOid))) return true;
  return false;
}

const shows = async (scene: Scene, base: Oid, { path, text }: PersonCommit): Promise<boolean> =>
  (await scene.textAt(base, path))?.includes(text) === true;

/** Nothing landed against an objection, and nothing that was not reviewed as it is. */
function overruled({ landings, scene }: Story): readonly string[] {
  const isReviewed = (head: string): boolean =>
    scene.tables.checkRuns
      .all()
      .some(
        ({ name, headOid, conclusion }) => name === 'sluice/review' && headOid === head && conclusion === 'success',
      );
  return landings.flatMap(({ how, head, against }) => [
    ...against.map((why) => `OVERRULED by a ${how}: ${why}`),
    ...(how === 'merge' && !isReviewed(head) ? ['OVERRULED by a merge: the head was not reviewed'] : []),
  ]);
}

/** Words and gestures after which the work may land once more. */
const STARTS_AGAIN = /^(?:reopen|set-code|continue) /;

function twice({ landings, mostPulls, done, scene }: Story): readonly string[] {
  const rounds = 1 + done.filter((step) => STARTS_AGAIN.test(step)).length;
  const marker = commentMarker('status');
  const statuses = scene.tables.comments
    .by('issueId', scene.issue.id)
    .filter(({ viaAppId, body }) => viaAppId !== null && body.startsWith(marker)).length;
  return [
    ...(landings.length > rounds ? [`TWICE landed: ${landings.length} times`] : []),
    ...(mostPulls > 1 ? [`TWICE a pull request: ${mostPulls} were open`] : []),
    ...(statuses > 1 ? [`TWICE a status comment: ${statuses}`] : []),
  ];
}
