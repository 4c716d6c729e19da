import type { GitHubEvent } from '../../src/domain/github-event.js';
import type { IssueRef } from '../../src/domain/ids.js';
import { COMMENT_SLOTS, commentMarker } from '../../src/domain/words/slots.js';
import { createComment } from '../../src/pocket/github/resources/comments/rules.js';
import { parseSeed } from '../../src/pocket/github/seed/parse-seed.js';
import { plantSeed } from '../../src/pocket/github/seed/plant-seed.js';
import type { EventData } from '../../src/pocket/github/world/events.js';
import { findIssue, findRepository, findUser } from '../../src/pocket/github/world/lookup.js';
import type { App, Issue, Repository } from '../../src/pocket/github/world/model.js';
import { formatNodeId } from '../../src/pocket/github/world/tables.js';
import type { World } from '../../src/pocket/github/world/world.js';
import { DIARY, WORK_FILE } from './crash-agent.js';

export interface QuayOptions {
  /** The text of the issue. */
  readonly body?: string;
  /** Content of `.github/sluice.yml`. */
  readonly config?: string;
}

const seedOf = ({
  body = 'Write it down.',
  config = '',
}: QuayOptions): string => `users: [{ login: ada }, { login: wren }]
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
    files: { README.md: '# Quay', .github/sluice.yml: ${JSON.stringify(config)} }
    issues: [{ title: Do the work, author: wren, body: ${JSON.stringify(body)} }]
`;

/** What is left in the end, as far as people care. */
export interface EndState {
  readonly issue: string;
  readonly labels: readonly string[];
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

/** Where services are crashed: one repository, one issue, somebody who may give commands. */
export class Quay {
  readonly ref: IssueRef = { owner: 'ada', repo: 'quay', number: 1 };
  readonly app: App;
  readonly repository: Repository;
  readonly #world: World;

  private constructor(world: World, app: App, repository: Repository) {
    this.#world = world;
    this.app = app;
    this.repository = repository;
  }

  static async plant(world: World, options: QuayOptions = {}): Promise<Quay> {
    const { apps } = await plantSeed(world, parseSeed(seedOf(options), 'quay'), null);
    return new Quay(world, found(apps[0]), found(findRepository(world.tables, 'ada', 'quay')));
  }

  /** Somebody who may give commands comments on the issue. */
  async say(body: string): Promise<GitHubEvent> {
    const wren = found(findUser(this.#world.tables, 'wren'));
    const said = await createComment(this.#world, { userId: wren.id, viaAppId: null }, this.#issue(), body);
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

  /** Nothing will happen here unless somebody asks. */
  atRest(): boolean {
    return this.#issue().state === 'closed' || this.#labels().some((label) => /^auto\/(failed|needs)/.test(label));
  }

  async end(): Promise<EndState> {
    const { tables } = this.#world;
    const git = this.#world.git(this.repository.id);
    const issue = this.#issue();
    const ours = tables.comments.all().filter(({ issueId, viaAppId }) => issueId === issue.id && viaAppId !== null);
    const refs = await git.listRefs();
    const base = found(refs.get('refs/heads/main'));
    const log = await git.log(null, base);
    const text = async (path: string): Promise<string> => {
      const entry = await git.entryAt(base, path);
      const object = entry === null ? null : await git.object(entry.oid);
      return object?.type === 'blob' ? object.content.toString() : '';
    };
    const pulls = tables.pulls
      .all()
      .map(({ issueId, mergedAt }) => (mergedAt === null ? tables.issues.must(issueId).state : 'merged'));
    return {
      issue: `${issue.state} ${issue.stateReason ?? ''}`,
      labels: [...this.#labels()].sort(),
      comments: Object.fromEntries(
        COMMENT_SLOTS.map((slot) => [slot, ours.filter(({ body }) => body.startsWith(`<!-- sluice:${slot} `)).length]),
      ),
      status: ours.flatMap(({ body }) => (body.startsWith(commentMarker('status')) ? [body.split('\n')[1] ?? ''] : [])),
      pulls,
      commits: log.map(({ message }) => message.split('\n')[0] ?? ''),
      trailers: log.filter(({ message }) => message.includes('Sluice-Issue: ada/quay#1')).length,
      work: await text(WORK_FILE),
      diary: (await text(DIARY)).split('\n').filter((line) => line !== '').length,
      branches: [...refs.keys()].filter((name) => name.startsWith('refs/heads/')),
      pushes: tables.events.all().flatMap((event) => (event.name === 'pushed' ? [pushOf(event.data)] : [])),
    };
  }

  #issue(): Issue {
    return found(findIssue(this.#world.tables, this.repository.id, 1));
  }

  #labels(): readonly string[] {
    return this.#issue().labelIds.map((id) => this.#world.tables.labels.must(id).name);
  }
}

const pushOf = ({ ref, after }: EventData['pushed']): string =>
  `${ref.replace('refs/heads/', '')}${after === null ? ' deleted' : ''}`;

function found<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('the quay is not as it was planted');
  return value;
}
