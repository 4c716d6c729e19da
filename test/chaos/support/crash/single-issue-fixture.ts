import type { GitHubEvent } from '../../../../src/domain/intent/github-event.js';
import { type IssueRef, stateRefName } from '../../../../src/domain/issue/ids.js';
import type { IssueState, Transition } from '../../../../src/domain/state/state.js';
import { COMMENT_SLOTS, commentMarker } from '../../../../src/domain/issue/comment-marker.js';
import { parseSeed, plantSeed } from '#pocket-github';
import {
  type App,
  createComment,
  type EventData,
  findIssue,
  findRepository,
  findUser,
  formatNodeId,
  type Issue,
  type Oid,
  type Repository,
  type World,
} from '#pocket-github/testing';
import { DIARY, WORK_FILE } from '../../../support/agent/standard-agent.js';

export interface SingleIssueOptions {
  /** The text of the issue. */
  readonly body?: string;
  /** Content of `.github/sluice.yml`. */
  readonly config?: string;
}

const seedOf = ({
  body = 'Write it down.',
  config = '',
}: SingleIssueOptions): string => `users: [{ login: ada }, { login: wren }, { login: tess }, { login: mallory }]
apps:
  - slug: sluice-dev
    owner: ada
    permissions: { checks: write, contents: write, issues: write, metadata: read, pull_requests: write, statuses: write, workflows: write }
    events: [issue_comment, check_suite]
    installed: [{ account: ada }]
repositories:
  - name: ada/quay
    collaborators: { wren: write, tess: write }
    ci: [{ name: test, run: 'true' }]
    files: { README.md: '# Quay', .github/sluice.yml: ${JSON.stringify(config)} }
    issues: [{ title: Do the work, author: wren, body: ${JSON.stringify(body)} }]
`;

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

/** Where services are crashed: one repository, one issue, somebody who may give commands. */
export class SingleIssueFixture {
  readonly ref: IssueRef = { owner: 'ada', repo: 'quay', number: 1 };
  readonly app: App;
  readonly repository: Repository;
  readonly #world: World;

  private constructor(world: World, app: App, repository: Repository) {
    this.#world = world;
    this.app = app;
    this.repository = repository;
  }

  static async seed(world: World, options: SingleIssueOptions = {}): Promise<SingleIssueFixture> {
    const { apps } = await plantSeed(world, parseSeed(seedOf(options), 'quay'), null);
    return new SingleIssueFixture(world, mustExist(apps[0]), mustExist(findRepository(world.tables, 'ada', 'quay')));
  }

  /** Somebody who may give commands comments on the issue. */
  async say(body: string): Promise<GitHubEvent> {
    const wren = mustExist(findUser(this.#world.tables, 'wren'));
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
    const base = mustExist(refs.get('refs/heads/main'));
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
      diary: (await this.diary(base)).length,
      branches: [...refs.keys()].filter((name) => name.startsWith('refs/heads/')),
      pushes: tables.events.all().flatMap((event) => (event.name === 'pushed' ? [pushOf(event.data)] : [])),
    };
  }

  /** Whether everybody who said something has been told what came of it. */
  isAnswered(): boolean {
    return this.#answers().every((answer) => /rocket|confused/.test(answer));
  }

  /** Whether the issue has this label. */
  has(label: string): boolean {
    return this.#labels().includes(label);
  }

  /** What the state says has happened, oldest first. */
  async transitions(): Promise<readonly Transition[]> {
    const refs = await this.#world.git(this.repository.id).listRefs();
    const text = await this.#text(mustExist(refs.get(stateRefName(this.ref.number))), 'state.json');
    const { content } = JSON.parse(text) as { readonly content: { readonly state: IssueState } };
    return content.state.transitions;
  }

  /** The runs that wrote code into a commit, one line each. */
  async diary(commit: Oid | undefined): Promise<readonly string[]> {
    const text = commit === undefined ? '' : await this.#text(commit, DIARY);
    return text.split('\n').filter((line) => line !== '');
  }

  async #text(commit: Oid, path: string): Promise<string> {
    const git = this.#world.git(this.repository.id);
    const entry = await git.entryAt(commit, path);
    const object = entry === null ? null : await git.object(entry.oid);
    return object?.type === 'blob' ? object.content.toString() : '';
  }

  async #starts(stateTip: Oid | undefined): Promise<number> {
    if (stateTip === undefined) return 0;
    const swaps = await this.#world.git(this.repository.id).log(null, stateTip);
    return swaps.filter(({ message }) => message.startsWith('wren asked for it')).length;
  }

  #answers(): readonly string[] {
    const { tables } = this.#world;
    const said = tables.comments.by('issueId', this.#issue().id).filter(({ viaAppId }) => viaAppId === null);
    return said.map(({ id, body }) => {
      const reactions = tables.reactions.all().filter(({ subjectId }) => subjectId === id);
      return [body, ...reactions.map(({ content }) => content).sort()].join(' ');
    });
  }

  #issue(): Issue {
    return mustExist(findIssue(this.#world.tables, this.repository.id, 1));
  }

  #labels(): readonly string[] {
    return this.#issue().labelIds.map((id) => this.#world.tables.labels.must(id).name);
  }
}

const pushOf = ({ ref, after }: EventData['pushed']): string =>
  `${ref.replace('refs/heads/', '')}${after === null ? ' deleted' : ''}`;

function mustExist<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('the quay is not as it was planted');
  return value;
}
