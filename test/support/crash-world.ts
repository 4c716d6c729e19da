import { createHash } from 'node:crypto';
import type { GitHubEvent } from '../../src/domain/github-event.js';
import { type IssueRef, stateRefName } from '../../src/domain/ids.js';
import type { IssueState, Transition } from '../../src/domain/state.js';
import { commentMarker, COMMENT_SLOTS } from '../../src/domain/words/slots.js';
import type { GitRepository } from '../../src/pocket/github/git/git-repository.js';
import { type Pocket, startPocket } from '../../src/pocket/github/pocket.js';
import { createComment } from '../../src/pocket/github/resources/comments/rules.js';
import { parseSeed } from '../../src/pocket/github/seed/parse-seed.js';
import { plantSeed } from '../../src/pocket/github/seed/plant-seed.js';
import { type PocketSnapshot, restoreSnapshot, takeSnapshot } from '../../src/pocket/github/snapshots.js';
import { findIssue, findRepository, findUser } from '../../src/pocket/github/world/lookup.js';
import type { App, Issue, Oid, Repository, User } from '../../src/pocket/github/world/model.js';
import type { EventData } from '../../src/pocket/github/world/events.js';
import { formatNodeId } from '../../src/pocket/github/world/tables.js';
import type { Instant } from '../../src/ports/clock.js';
import { DIARY, WORK_FILE } from './crash-agent.js';
import { CrashClock } from './crash-clock.js';
import { quicken } from './quick-repository.js';

const SEED = `users: [{ login: ada }, { login: wren }]
apps:
  - slug: sluice-dev
    owner: ada
    permissions: { checks: write, contents: write, issues: write, metadata: read, pull_requests: write, statuses: write, workflows: write }
    events: [issue_comment, check_suite]
    installed: [{ account: ada }]
repositories:
  - name: ada/quay
    collaborators: { wren: write }
    ci: [{ name: test, run: 'true' }]
    files: { README.md: '# Quay' }
    issues: [{ title: Do the work, author: wren, body: 'Write it down.' }]
`;

/** GitHub at one moment, and the time it was. */
export interface Frozen {
  readonly at: Instant;
  readonly pocket: PocketSnapshot;
  /** The same for two moments nobody outside can tell apart. */
  readonly fingerprint: string;
}

/** What is left in the end, as far as people care. */
export interface EndState {
  readonly issue: string;
  readonly labels: readonly string[];
  /** How often somebody's word began a run. */
  readonly starts: number;
  /** What people said, and how it was answered. */
  readonly answers: readonly string[];
  /** How many comments of each kind, and what the status says. */
  readonly comments: Readonly<Record<string, number>>;
  readonly status: readonly string[];
  readonly pulls: readonly string[];
  /** Subjects on base, newest first. */
  readonly commits: readonly string[];
  readonly trailers: number;
  readonly work: string;
  /** How often code was written into what landed. */
  readonly diary: number;
  readonly branches: readonly string[];
  /** Every time a branch was moved, in order: work that was pushed twice shows. */
  readonly pushes: readonly string[];
}

/** A GitHub with one issue. */
export class CrashWorld {
  readonly clock: CrashClock;
  readonly ref: IssueRef = { owner: 'ada', repo: 'quay', number: 1 };
  readonly pocket: Pocket;
  readonly app: App;
  readonly #repository: Repository;

  private constructor(parts: { pocket: Pocket; clock: CrashClock; app: App; repository: Repository }) {
    this.pocket = parts.pocket;
    this.clock = parts.clock;
    this.app = parts.app;
    this.#repository = parts.repository;
  }

  static async open(): Promise<CrashWorld> {
    const clock = new CrashClock();
    const limits = { core: 1e9, graphql: 1e9, anonymous: 1e9 };
    const ciScripts = [{ when: {}, outcome: 'success' as const }];
    const pocket = await startPocket({ clock, ciScripts, rateLimits: limits });
    const { world } = pocket;
    const { apps } = await plantSeed(world, parseSeed(SEED, 'crash'), null);
    const repository = found(findRepository(world.tables, 'ada', 'quay'));
    quicken(world.git(repository.id));
    await pocket.settle();
    return new CrashWorld({ pocket, clock, app: found(apps[0]), repository });
  }

  /** Somebody who may give commands comments on the issue. */
  async say(body: string): Promise<GitHubEvent> {
    const { world } = this.pocket;
    const wren: User = found(findUser(world.tables, 'wren'));
    const said = await createComment(world, { userId: wren.id, viaAppId: null }, this.#issue(), body);
    await this.pocket.settle();
    return {
      kind: 'comment',
      ref: this.ref,
      isPull: false,
      commentId: formatNodeId('comments', said.id),
      at: said.createdAt,
      author: { id: wren.id, login: 'wren', kind: 'human' },
      body,
    };
  }

  /** GitHub goes on for itself when we die: its own work is done first. */
  async freeze(): Promise<Frozen> {
    await this.pocket.settle();
    const pocket = await takeSnapshot(this.pocket.world);
    const tables = [...pocket.world.tables]
      .filter(([name]) => name !== 'tokens')
      .map(([name, rows]) => [name, [...rows]]);
    const refs = [...pocket.refs].map(([id, names]) => [id, [...names]]);
    const fingerprint = createHash('sha256')
      .update(JSON.stringify([tables, refs]))
      .digest('hex');
    return { at: this.clock.now(), pocket, fingerprint };
  }

  async thaw({ at, pocket }: Frozen): Promise<void> {
    await this.pocket.settle();
    this.clock.putBack(at);
    await restoreSnapshot(this.pocket.world, pocket);
  }

  /** Nothing will happen here unless somebody asks. */
  atRest(): boolean {
    return this.#issue().state === 'closed' || this.#labels().some((label) => /^auto\/(failed|needs)/.test(label));
  }

  async end(): Promise<EndState> {
    const { tables } = this.pocket.world;
    const git = this.pocket.world.git(this.#repository.id);
    const issue = this.#issue();
    const ours = tables.comments.all().filter(({ issueId, viaAppId }) => issueId === issue.id && viaAppId !== null);
    const refs = await git.listRefs();
    const base = found(refs.get('refs/heads/main'));
    const log = await git.log(null, base);
    const pulls = tables.pulls
      .all()
      .map(({ issueId, mergedAt }) => (mergedAt === null ? tables.issues.must(issueId).state : 'merged'));
    return {
      issue: `${issue.state} ${issue.stateReason ?? ''}`,
      labels: [...this.#labels()].sort(),
      starts: await this.#starts(refs.get(stateRefName(this.ref.number))),
      answers: this.#answers(),
      comments: Object.fromEntries(
        COMMENT_SLOTS.map((slot) => [slot, ours.filter(({ body }) => body.startsWith(`<!-- sluice:${slot} `)).length]),
      ),
      status: ours.flatMap(({ body }) => (body.startsWith(commentMarker('status')) ? [body.split('\n')[1] ?? ''] : [])),
      pulls,
      commits: log.map(({ message }) => message.split('\n')[0] ?? ''),
      trailers: log.filter(({ message }) => message.includes('Sluice-Issue: ada/quay#1')).length,
      work: await this.#text(base, WORK_FILE),
      diary: (await this.#diary(base)).length,
      branches: [...refs.keys()].filter((name) => name.startsWith('refs/heads/')),
      pushes: tables.events.all().flatMap((event) => (event.name === 'pushed' ? [pushOf(event.data)] : [])),
    };
  }

  /** Commits that branches held at that moment and that nothing holds any more. */
  async lostSince({ pocket }: Frozen): Promise<readonly Oid[]> {
    const git = this.pocket.world.git(this.#repository.id);
    const now = await git.listRefs();
    const landed = await this.#diary(now.get('refs/heads/main'));
    const lost: Oid[] = [];
    for (const [name, before] of pocket.refs.get(this.#repository.id) ?? []) {
      // GitHub moves its trial merges as it likes.
      if (name.startsWith('refs/pull/')) continue;
      // A pull request keeps what its branch held.
      const holders = [
        now.get(name),
        ...[...now].flatMap(([ref, oid]) => (/^refs\/pull\/\d+\/head$/.test(ref) ? [oid] : [])),
      ];
      if (await isHeld(git, before, holders)) continue;
      // A patch holds the work of its branch as one commit.
      const work = await this.#diary(before);
      if (work.length === 0 || !work.every((line) => landed.includes(line))) lost.push(before);
    }
    return lost;
  }

  async close(): Promise<void> {
    await this.pocket.close();
  }

  /** Whether everybody who said something has been told what came of it. */
  isAnswered(): boolean {
    return this.#answers().every((answer) => /rocket|confused/.test(answer));
  }

  async #diary(commit: Oid | undefined): Promise<readonly string[]> {
    const text = commit === undefined ? '' : await this.#text(commit, DIARY);
    return text.split('\n').filter((line) => line !== '');
  }

  async #text(commit: Oid, path: string): Promise<string> {
    const git = this.pocket.world.git(this.#repository.id);
    const entry = await git.entryAt(commit, path);
    const object = entry === null ? null : await git.object(entry.oid);
    return object?.type === 'blob' ? object.content.toString() : '';
  }

  /** Whether the issue has this label. */
  has(label: string): boolean {
    return this.#labels().includes(label);
  }

  /** What the state says has happened, oldest first. */
  async transitions(): Promise<readonly Transition[]> {
    const refs = await this.pocket.world.git(this.#repository.id).listRefs();
    const text = await this.#text(found(refs.get(stateRefName(this.ref.number))), 'state.json');
    const { content } = JSON.parse(text) as { readonly content: { readonly state: IssueState } };
    return content.state.transitions;
  }

  async #starts(notebook: Oid | undefined): Promise<number> {
    if (notebook === undefined) return 0;
    const swaps = await this.pocket.world.git(this.#repository.id).log(null, notebook);
    return swaps.filter(({ message }) => message.startsWith('wren asked for it')).length;
  }

  #answers(): readonly string[] {
    const { tables } = this.pocket.world;
    const said = tables.comments.by('issueId', this.#issue().id).filter(({ viaAppId }) => viaAppId === null);
    return said.map(({ id, body }) => {
      const reactions = tables.reactions.all().filter(({ subjectId }) => subjectId === id);
      return [body, ...reactions.map(({ content }) => content).sort()].join(' ');
    });
  }

  #issue(): Issue {
    return found(findIssue(this.pocket.world.tables, this.#repository.id, 1));
  }

  #labels(): readonly string[] {
    return this.#issue().labelIds.map((id) => this.pocket.world.tables.labels.must(id).name);
  }
}

const pushOf = ({ ref, after }: EventData['pushed']): string =>
  `${ref.replace('refs/heads/', '')}${after === null ? ' deleted' : ''}`;

async function isHeld(git: GitRepository, oid: Oid, holders: readonly (Oid | undefined)[]): Promise<boolean> {
  for (const holder of new Set(holders))
    if (holder !== undefined && (holder === oid || (await git.isAncestor(oid, holder)))) return true;
  return false;
}

function found<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('the crash world is not as it was planted');
  return value;
}
