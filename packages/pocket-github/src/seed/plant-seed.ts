import type { FaultPlan } from '../faults/fault-plan.js';
import type { Fault } from '../faults/fault.js';
import { createComment } from '../resources/comments/rules.js';
import { addBlockedBy } from '../resources/dependencies/rules.js';
import { closeIssue, openIssue } from '../resources/issues/rules.js';
import { createLabel, labelsByName } from '../resources/labels/rules.js';
import { seedProject } from '../resources/projects/seed-project.js';
import { NO_RULES } from '../resources/protection/effective-rules.js';
import { forkRepository } from '../resources/forks/rules.js';
import { addSubIssue } from '../resources/sub-issues/rules.js';
import { findIssue, findRepository, findUser } from '../world/lookup.js';
import type { App, HookConfig, Issue, Repository, User } from '../world/model.js';
import type { Actor, World } from '../world/world.js';
import { type AppKeys, seedApp, seedInstallation, newAppKeysBeside } from '../resources/apps/seed-app.js';
import { seedCollaborator, seedPersonalToken, seedRepository, seedUser } from './seed-repository.js';
import type { Seed } from './seed-schema.js';

/** Enough for all that is planted. */
const TOKEN_SCOPES = ['repo', 'workflow', 'project'];

/** What somebody needs to take part in a planted world. */
export interface Planted {
  readonly apps: readonly App[];
  /** Login → personal token. */
  readonly tokens: Readonly<Record<string, string>>;
  readonly repositories: readonly string[];
}

/** Makes the world a seed describes. `hook`, when given, is where every App's webhooks go; `faults` takes those of the seed. */
export async function plantSeed(
  world: World,
  seed: Seed,
  hook: HookConfig | null,
  faults?: FaultPlan,
): Promise<Planted> {
  if (seed.faults.length > 0 && faults === undefined) throw new Error('the seed has faults and nothing takes them');
  const keys = seed.apps.map(newAppKeysBeside);
  const tokens: Record<string, string> = {};
  for (const { login, name, type } of seed.users) {
    const user = seedUser(world, { login, type, ...(name === undefined ? {} : { name }) });
    if (type === 'User') tokens[login] = seedPersonalToken(world, user, TOKEN_SCOPES).text;
  }
  for (const entry of seed.repositories) await plantRepository(world, entry);
  for (const entry of seed.forks) await plantFork(world, entry);
  for (const { owner, title, repositories, fields } of seed.projects) {
    seedProject(world, {
      owner: userOf(world, owner),
      title,
      repositories: repositories.map((name) => repositoryOf(world, name)),
      fields: Object.entries(fields).map(([name, options]) => ({ name, options })),
    });
  }
  // Last: what was planted before is scenery, not news.
  const pairs = await Promise.all(keys);
  const apps = seed.apps.map((entry, index) => plantApp(world, entry, pairs[index], hook));
  for (const fault of seed.faults) faults?.arm(fault as Fault);
  return { apps, tokens, repositories: [...seed.repositories, ...seed.forks].map((entry) => entry.name) };
}

function plantApp(world: World, entry: Seed['apps'][number], keys: AppKeys | undefined, hook: HookConfig | null): App {
  const webhook = hook ?? entry.webhook;
  const app = seedApp(world, {
    owner: userOf(world, entry.owner),
    slug: entry.slug,
    permissions: entry.permissions,
    events: entry.events,
    ...(entry.name === undefined ? {} : { name: entry.name }),
    ...(webhook === undefined ? {} : { hook: webhook }),
    ...(keys === undefined ? {} : { keys }),
  });
  for (const { account, repositories } of entry.installed) {
    const scope = repositories === 'all' ? 'all' : repositories.map((name) => repositoryOf(world, name));
    seedInstallation(world, app, userOf(world, account), scope);
  }
  return app;
}

async function plantRepository(world: World, entry: Seed['repositories'][number]): Promise<void> {
  const [owner = '', name = ''] = entry.name.split('/');
  const ownerUser = userOf(world, owner);
  const actor = actorOf(ownerUser);
  const repository = await seedRepository(world, {
    owner: ownerUser,
    name,
    private: entry.private,
    defaultBranch: entry.default_branch,
    // No files at all is a repository without a commit, as GitHub makes them.
    ...(Object.keys(entry.files).length === 0 ? {} : { files: entry.files }),
    ...(entry.description === undefined ? {} : { description: entry.description }),
    settings: {
      allowAutoMerge: entry.auto_merge,
      deleteBranchOnMerge: entry.delete_branch_on_merge,
      ci: entry.ci.map((job) => ({ name: job.name, run: job.run, timeoutMs: job.timeout_seconds * 1000 })),
    },
  });
  for (const [login, role] of Object.entries(entry.collaborators))
    seedCollaborator(world, repository, userOf(world, login), role);
  for (const label of entry.labels) await createLabel(world, actor, repository, label);
  for (const rule of entry.protection) plantProtection(world, repository, rule);
  for (const issue of entry.issues) await plantIssue(world, repository, ownerUser, issue);
  await linkIssues(world, actor, repository, entry.issues);
}

async function plantFork(world: World, { name: fullName, of, collaborators }: Seed['forks'][number]): Promise<void> {
  const [owner = '', name = ''] = fullName.split('/');
  const fork = await forkRepository(world, repositoryOf(world, of), { owner: userOf(world, owner), name });
  for (const [login, role] of Object.entries(collaborators)) seedCollaborator(world, fork, userOf(world, login), role);
}

function plantProtection(
  world: World,
  repository: Repository,
  rule: Seed['repositories'][number]['protection'][number],
): void {
  world.tables.protections.insert({
    id: world.newId(),
    repositoryId: repository.id,
    pattern: rule.branch,
    enforceAdmins: rule.enforce_admins,
    createdAt: world.now(),
    updatedAt: world.now(),
    rules: {
      ...NO_RULES,
      requirePullRequest: rule.require_pull_request || rule.required_approvals > 0,
      requiredApprovals: rule.required_approvals,
      requiredChecks: rule.required_checks.map((context) => ({ context, appId: null })),
      strictChecks: rule.up_to_date,
      requireLinearHistory: rule.linear_history,
      requireThreadResolution: rule.resolve_threads,
      blockForcePushes: true,
      blockDeletions: true,
    },
  });
}

async function plantIssue(
  world: World,
  repository: Repository,
  owner: User,
  entry: Seed['repositories'][number]['issues'][number],
): Promise<void> {
  const author = actorOf(entry.author === undefined ? owner : userOf(world, entry.author));
  const labels = await labelsByName(world, actorOf(owner), repository, entry.labels);
  const issue = await openIssue(world, author, repository, {
    title: entry.title,
    body: entry.body,
    labelIds: labels.map((label) => label.id),
    assigneeIds: entry.assignees.map((login) => userOf(world, login).id),
  });
  for (const comment of entry.comments)
    await createComment(world, actorOf(userOf(world, comment.author)), issue, comment.body);
  if (entry.state === 'closed')
    await closeIssue(world, author, world.tables.issues.must(issue.id), { reason: 'completed' });
}

async function linkIssues(
  world: World,
  actor: Actor,
  repository: Repository,
  entries: Seed['repositories'][number]['issues'],
): Promise<void> {
  const numbered = (number: number): Issue => {
    const issue = findIssue(world.tables, repository.id, number);
    if (issue === undefined) throw new Error(`there is no issue ${number}`);
    return issue;
  };
  for (const [index, entry] of entries.entries()) {
    for (const number of entry.sub_issues)
      await addSubIssue(world, actor, numbered(index + 1), numbered(number), { replaceParent: false });
    for (const number of entry.blocked_by) await addBlockedBy(world, actor, numbered(index + 1), numbered(number));
  }
}

const actorOf = (user: User): Actor => ({ userId: user.id, viaAppId: null });

function userOf(world: World, login: string): User {
  const user = findUser(world.tables, login);
  if (user === undefined) throw new Error(`there is no user ${login}`);
  return user;
}

function repositoryOf(world: World, fullName: string): Repository {
  const [owner = '', name = ''] = fullName.split('/');
  const repository = findRepository(world.tables, owner, name);
  if (repository === undefined) throw new Error(`there is no repository ${fullName}`);
  return repository;
}
