import type { GitCommit } from '../../../git/git-repository.js';
import type { MergeMethod, Pull } from '../../../world/model.js';
import type { World } from '../../../world/world.js';
import { splitMessage } from '../../commits/message-parts.js';
import { issueOf } from '../rules.js';

/** Words for the commit; `null` or nothing takes GitHub's default. */
export interface MergeWords {
  readonly title?: string | null | undefined;
  readonly message?: string | null | undefined;
}

interface Words {
  readonly title: string;
  readonly message: string;
}

/** The message of the commit a merge puts on base. A rebase keeps the messages of the commits themselves. */
export function mergeMessage(
  world: World,
  pull: Pull,
  method: MergeMethod,
  commits: readonly GitCommit[],
  words: MergeWords,
): string {
  const standard = method === 'squash' ? squashWords(world, pull, commits) : mergeWords(world, pull);
  const title = words.title ?? standard.title;
  const message = words.message ?? standard.message;
  return message === '' ? title : `${title}\n\n${message}`;
}

/** The defaults of a repository's settings that GitHub gives new repositories: MERGE_MESSAGE and PR_TITLE. */
function mergeWords(world: World, pull: Pull): Words {
  const owner = world.tables.users.must(pull.headOwnerId);
  return {
    title: `Merge pull request #${pull.number} from ${owner.login}/${pull.headRef}`,
    message: issueOf(world, pull).title,
  };
}

/** COMMIT_OR_PR_TITLE and COMMIT_MESSAGES: a single commit keeps its words, several are listed under the pull request's title. */
function squashWords(world: World, pull: Pull, commits: readonly GitCommit[]): Words {
  const [only, ...more] = commits;
  const trailers = coAuthors(world, pull, commits);
  if (only !== undefined && more.length === 0) {
    const { title, body } = splitMessage(only.message);
    return { title: `${title} (#${pull.number})`, message: joined([body, trailers]) };
  }
  const list = commits.map((commit) => `* ${commit.message.trim()}`).join('\n\n');
  return { title: `${issueOf(world, pull).title} (#${pull.number})`, message: joined([list, trailers]) };
}

const joined = (parts: readonly string[]): string => parts.filter((part) => part !== '').join('\n\n');

/** Everybody else who wrote commits is credited, after a rule, as GitHub does. */
function coAuthors(world: World, pull: Pull, commits: readonly GitCommit[]): string {
  const opener = world.tables.users.must(issueOf(world, pull).authorId);
  const others = commits.filter(({ author }) => author.email !== opener.email);
  const lines = [...new Set(others.map(({ author }) => `Co-authored-by: ${author.name} <${author.email}>`))];
  return lines.length === 0 ? '' : ['---------', '', ...lines].join('\n');
}
