import { z } from 'zod';
import { issueOfBranch, type IssueRef } from '../../../domain/issue/ids.js';
import type { Instant } from '../../../ports/clock.js';
import type { RepoScan, RepoQuery, ChangedItem } from '../../../ports/scanner.js';
import type { GraphqlAnswer } from '../client/graphql.js';
import { time } from '../snapshot/facts.js';
import { repoAlias, sweepRepositoriesDocument } from '../queries/queries-sweep.js';

export type ReadGraphql = (query: string, variables: Readonly<Record<string, unknown>>) => Promise<GraphqlAnswer>;

/** Progress in one list of a repository. */
interface Reading {
  readonly after: string | null;
  /** Whether there is more to read. */
  readonly open: boolean;
  readonly pages: number;
  readonly found: readonly ChangedItem[];
}

/** One repository, from its first page to its last. */
interface RepositoryProgress {
  readonly question: RepoQuery;
  changed: Reading;
  driven: Reading;
  pulls: Reading;
  /** GitHub's clock at the first answer. Later changes belong to the next pass. */
  at: Instant | null;
  failure: string | null;
}

/** At most five thousand issues of a repository in one pass; the next pass continues. */
const MOST_PAGES = 50;

const pageInfo = z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullable() });
const issuesSchema = z.object({
  pageInfo,
  nodes: z.array(z.object({ id: z.string(), number: z.number(), updatedAt: time }).nullable()),
});
const pullsSchema = z.object({
  pageInfo,
  nodes: z.array(
    z.object({ id: z.string(), headRefName: z.string(), isCrossRepository: z.boolean(), updatedAt: time }).nullable(),
  ),
});
const repositorySchema = z
  .object({ changed: issuesSchema.optional(), driven: issuesSchema.optional(), pulls: pullsSchema.optional() })
  .nullish();

const unread = (open: boolean): Reading => ({ after: null, open, pages: 0, found: [] });

/** Reads many repositories at once, page by page. */
export class RepositoryScan {
  readonly #repositories: readonly RepositoryProgress[];

  constructor(questions: readonly RepoQuery[]) {
    this.#repositories = questions.map((question) => ({
      question,
      changed: unread(true),
      driven: unread(true),
      pulls: unread(question.pulls),
      at: null,
      failure: null,
    }));
  }

  /** The next repositories with more pages, at most `most`. */
  next(most: number): readonly RepositoryProgress[] {
    const hasMore = ({ changed, driven, pulls, failure }: RepositoryProgress): boolean =>
      failure === null && [changed, driven, pulls].some(isWanted);
    return this.#repositories.filter(hasMore).slice(0, most);
  }

  async ask(read: ReadGraphql, batch: readonly RepositoryProgress[]): Promise<void> {
    const variables = Object.assign({}, ...batch.map(variablesOf)) as Record<string, unknown>;
    const { data, errors, at } = await read(sweepRepositoriesDocument(batch.length), variables);
    for (const [index, round] of batch.entries()) {
      const alias = repoAlias(index);
      const wrong = errors.find(({ path }) => path == null || path[0] === alias);
      const facts = repositorySchema.safeParse(data?.[alias]);
      // An error of one repository does not fail the others. Without it a missing list would look empty.
      if (wrong !== undefined) round.failure = wrong.message;
      else if (!facts.success) round.failure = `the answer makes no sense: ${facts.error.message}`;
      else if (facts.data == null) round.failure = 'it is not there';
      else advance(round, facts.data, at);
    }
  }

  fail(batch: readonly RepositoryProgress[], why: string): void {
    for (const round of batch) round.failure = why;
  }

  answers(): readonly RepoScan[] {
    return this.#repositories.map(({ question: { repo }, changed, driven, pulls, at, failure }) => {
      if (failure !== null || at === null) return { kind: 'failed', repo, why: failure ?? 'it was not asked about' };
      // If the list was cut, the next pass continues from the last change in it.
      const upTo = changed.open ? Math.min(at, changed.found.at(-1)?.updatedAt ?? at) : at;
      return { kind: 'seen', repo, at: upTo, driven: driven.found, changed: changed.found, pulls: pulls.found };
    });
  }
}

function variablesOf({ question: { repo, since }, changed, driven, pulls }: RepositoryProgress, index: number) {
  return {
    [`owner${index}`]: repo.owner,
    [`name${index}`]: repo.repo,
    [`since${index}`]: new Date(since).toISOString(),
    [`changed${index}`]: isWanted(changed),
    [`changedAfter${index}`]: changed.after,
    [`driven${index}`]: isWanted(driven),
    [`drivenAfter${index}`]: driven.after,
    [`pulls${index}`]: isWanted(pulls),
    [`pullsAfter${index}`]: pulls.after,
  };
}

const isWanted = ({ open, pages }: Reading): boolean => open && pages < MOST_PAGES;

function advance(round: RepositoryProgress, facts: NonNullable<z.infer<typeof repositorySchema>>, at: Instant): void {
  const { owner, repo } = round.question.repo;
  const issue = ({ id, number, updatedAt }: { id: string; number: number; updatedAt: Instant }): ChangedItem => ({
    id,
    ref: { owner, repo, number },
    updatedAt,
  });
  round.at ??= at;
  if (facts.changed !== undefined) round.changed = withPage(round.changed, facts.changed, issue);
  if (facts.driven !== undefined) round.driven = withPage(round.driven, facts.driven, issue);
  if (facts.pulls === undefined) return;
  const { nodes, pageInfo: page } = facts.pulls;
  const recent = nodes.filter((node) => node !== null && node.updatedAt >= round.question.since);
  // Newest first, so the list ends at the first older item.
  const hasNextPage = page.hasNextPage && recent.length === nodes.length;
  const ours = recent.flatMap((node) => {
    const number = node === null || node.isCrossRepository ? null : issueOfBranch(node.headRefName);
    const ref: IssueRef | null = number === null ? null : { owner, repo, number };
    return node === null || ref === null ? [] : [{ id: node.id, ref, updatedAt: node.updatedAt }];
  });
  round.pulls = withPage(round.pulls, { nodes: ours, pageInfo: { ...page, hasNextPage } }, (one) => one);
}

function withPage<Node>(
  reading: Reading,
  page: { readonly nodes: readonly (Node | null)[]; readonly pageInfo: z.infer<typeof pageInfo> },
  toChangedItem: (node: Node) => ChangedItem,
): Reading {
  const pages = reading.pages + 1;
  const found = [...reading.found, ...page.nodes.flatMap((node) => (node === null ? [] : [toChangedItem(node)]))];
  return { after: page.pageInfo.endCursor, open: page.pageInfo.hasNextPage, pages, found };
}
