import { z } from 'zod';
import { faultSchema } from '../faults/fault-schema.js';
import { isRefName } from '../resources/refs/ref-name.js';
import { isLoopbackUrl } from '../webhooks/loopback.js';
import { APP_PERMISSIONS } from '../world/model.js';

const login = z.string().regex(/^[A-Za-z0-9](?:[A-Za-z0-9-]{0,38})$/, 'a GitHub login: letters, digits and hyphens');
const fullRepositoryName = z.string().regex(/^[A-Za-z0-9-]+\/(?!\.{1,2}$)(?!.*\.git$)[\w.-]{1,100}$/, 'owner/name');
const branch = z.string().refine((name) => isRefName(`refs/heads/${name}`), 'not a name for a branch');
const loopbackUrl = z.url().refine(isLoopbackUrl, 'not a loopback address');
const role = z.enum(['admin', 'maintain', 'write', 'triage', 'read']);
const level = z.enum(['read', 'write']);
const number = z.number().int().positive();

const user = z.strictObject({
  login,
  name: z.string().optional(),
  type: z.enum(['User', 'Organization']).default('User'),
});

const app = z.strictObject({
  slug: z.string().regex(/^[a-z0-9-]+$/, 'lower-case letters, digits and hyphens'),
  name: z.string().optional(),
  owner: login,
  permissions: z.partialRecord(z.enum(APP_PERMISSIONS), level),
  events: z.array(z.string()).default([]),
  webhook: z.strictObject({ url: loopbackUrl, secret: z.string().nullable().default(null) }).optional(),
  /** Accounts it is installed on. */
  installed: z
    .array(
      z.strictObject({
        account: login,
        repositories: z.union([z.literal('all'), z.array(fullRepositoryName)]).default('all'),
      }),
    )
    .default([]),
});

const comment = z.strictObject({ author: login, body: z.string().min(1) });

const issue = z.strictObject({
  title: z.string().min(1),
  body: z.string().optional(),
  author: login.optional(),
  labels: z.array(z.string()).default([]),
  assignees: z.array(login).default([]),
  state: z.enum(['open', 'closed']).default('open'),
  comments: z.array(comment).default([]),
  /** Numbers of issues of the same repository; issues are numbered from 1 in the order they stand here. */
  sub_issues: z.array(number).default([]),
  blocked_by: z.array(number).default([]),
});

const protection = z.strictObject({
  branch: z.string().min(1),
  require_pull_request: z.boolean().default(false),
  required_approvals: z.number().int().min(0).max(6).default(0),
  required_checks: z.array(z.string()).default([]),
  up_to_date: z.boolean().default(false),
  linear_history: z.boolean().default(false),
  resolve_threads: z.boolean().default(false),
  enforce_admins: z.boolean().default(false),
});

const repository = z.strictObject({
  name: fullRepositoryName,
  description: z.string().optional(),
  private: z.boolean().default(false),
  default_branch: branch.default('main'),
  /** Path → content of the first commit; without any there is none. */
  files: z.record(z.string(), z.string()).default({ 'README.md': '' }),
  collaborators: z.record(login, role).default({}),
  labels: z
    .array(z.strictObject({ name: z.string(), color: z.string().optional(), description: z.string().optional() }))
    .default([]),
  ci: z.array(z.strictObject({ name: z.string(), run: z.string(), timeout_seconds: number.default(600) })).default([]),
  protection: z.array(protection).default([]),
  auto_merge: z.boolean().default(false),
  delete_branch_on_merge: z.boolean().default(false),
  issues: z.array(issue).default([]),
});

/** A fork has the branches of the repository it is made of, and nothing else. */
const fork = z.strictObject({
  name: fullRepositoryName,
  of: fullRepositoryName,
  collaborators: z.record(login, role).default({}),
});

const project = z.strictObject({
  owner: login,
  title: z.string(),
  repositories: z.array(fullRepositoryName).default([]),
  /** Single-select fields and their options, e.g. `Size: [XS, S, M, L, XL]`. */
  fields: z.record(z.string(), z.array(z.string()).min(1)).default({}),
});

/** A world as YAML. Strict: an unknown key is a mistake, and all mistakes are reported at once. */
export const seedSchema = z.strictObject({
  users: z.array(user).min(1),
  apps: z.array(app).default([]),
  repositories: z.array(repository).default([]),
  forks: z.array(fork).default([]),
  projects: z.array(project).default([]),
  /** In force from the start, once everything is planted. */
  faults: z.array(faultSchema).default([]),
});

export type Seed = z.infer<typeof seedSchema>;
