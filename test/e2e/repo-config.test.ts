import { realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { afterEach, expect, test } from '@jest/globals';
import { type Machine, openMachine } from '../support/demo-world.js';

/* What stands in `.github/sluice.yml` on the base branch is heeded, and what it leads to can be shown to everybody. */

const XS_ISSUE = 3;
const open: Machine[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map(({ world }) => world.close()));
});

/** A machine whose repository is configured like this. */
async function machineWith(config: string): Promise<Machine> {
  const machine = await openMachine();
  open.push(machine);
  const { person, at } = machine;
  const path = '.github/sluice.yml';
  const { data } = await person.rest.repos.getContent({ ...at, path });
  const sha = 'sha' in data ? data.sha : '';
  const content = Buffer.from(config).toString('base64');
  await person.rest.repos.createOrUpdateFileContents({ ...at, path, sha, content, message: 'Configure Sluice' });
  return machine;
}

test('a setup that fails is shown with its output, and without a path of the host', async () => {
  const command = 'echo "cannot read $PWD/package-lock.json"; exit 3';
  const machine = await machineWith(`test: node --test\nsetup: '${command}'\n`);
  await machine.drive(XS_ISSUE);
  const { labels, status } = await machine.facts(XS_ISSUE);
  expect(labels).toContain('auto/needs-human');
  expect(status).toContain('cannot read /repository/package-lock.json');
  const { data: comments } = await machine.person.rest.issues.listComments({ ...machine.at, issue_number: XS_ISSUE });
  const said = comments.map(({ body }) => body ?? '').join('\n');
  for (const folder of [tmpdir(), realpathSync(tmpdir())]) expect(said).not.toContain(`${folder}/`);
  expect(said).not.toMatch(/package-lock\.json.*\/(clones|home|root)\//);
});

test('`route: pr` makes small work a pull request, and `merge: never` leaves the merge to a person', async () => {
  const machine = await machineWith('test: node --test\nchecks: [test]\nroute: pr\nmerge: never\n');
  const { person, at } = machine;
  await machine.comment(XS_ISSUE);
  await machine.until(async () => /a person merges|somebody to merge/.test((await machine.facts(XS_ISSUE)).status));
  const [pull] = (await machine.facts(XS_ISSUE)).pulls;
  expect(pull).toMatchObject({ merged: false });
  await person.rest.pulls.merge({ ...at, pull_number: pull?.number ?? 0 });
  await machine.until(async () => (await machine.facts(XS_ISSUE)).state === 'closed');
  expect((await machine.facts(XS_ISSUE)).labels).toContain('phase/done');
});
