import { realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { afterEach, expect, test } from '@jest/globals';
import { type DemoHarness, openDemoHarness } from '../../support/service/demo-harness.js';

/* What stands in `.github/sluice.yml` on the base branch is heeded, and what it leads to can be shown to everybody. */

const XS_ISSUE = 3;
const open: DemoHarness[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map(({ world }) => world.close()));
});

/** A machine whose repository is configured like this. */
async function harnessWith(config: string): Promise<DemoHarness> {
  const harness = await openDemoHarness();
  open.push(harness);
  const { person, at } = harness;
  const path = '.github/sluice.yml';
  const { data } = await person.rest.repos.getContent({ ...at, path });
  const sha = 'sha' in data ? data.sha : '';
  const content = Buffer.from(config).toString('base64');
  await person.rest.repos.createOrUpdateFileContents({ ...at, path, sha, content, message: 'Configure Sluice' });
  return harness;
}

test('a setup that fails is shown with its output, and without a path of the host', async () => {
  const command = 'echo "cannot read $PWD/package-lock.json"; exit 3';
  const harness = await harnessWith(`test: node --test\nsetup: '${command}'\n`);
  await harness.drive(XS_ISSUE);
  const { labels, status } = await harness.facts(XS_ISSUE);
  expect(labels).toContain('auto/needs-human');
  expect(status).toContain('cannot read /repository/package-lock.json');
  const { data: comments } = await harness.person.rest.issues.listComments({ ...harness.at, issue_number: XS_ISSUE });
  const said = comments.map(({ body }) => body ?? '').join('\n');
  for (const folder of [tmpdir(), realpathSync(tmpdir())]) expect(said).not.toContain(`${folder}/`);
  expect(said).not.toMatch(/package-lock\.json.*\/(clones|home|root)\//);
});

test('`route: pr` makes small work a pull request, and `merge: never` leaves the merge to a person', async () => {
  const harness = await harnessWith('test: node --test\nchecks: [test]\nroute: pr\nmerge: never\n');
  const { person, at } = harness;
  await harness.comment(XS_ISSUE);
  await harness.until(async () => /a person merges|somebody to merge/.test((await harness.facts(XS_ISSUE)).status));
  const [pull] = (await harness.facts(XS_ISSUE)).pulls;
  expect(pull).toMatchObject({ merged: false });
  await person.rest.pulls.merge({ ...at, pull_number: pull?.number ?? 0 });
  await harness.until(async () => (await harness.facts(XS_ISSUE)).state === 'closed');
  expect((await harness.facts(XS_ISSUE)).labels).toContain('phase/done');
});
