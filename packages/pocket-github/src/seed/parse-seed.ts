import { parseDocument } from 'yaml';
import { type Seed, seedSchema } from './seed-schema.js';

/** A seed file that cannot be used; `problems` lists everything wrong with it. */
export class SeedError extends Error {
  readonly problems: readonly string[];

  constructor(file: string, problems: readonly string[]) {
    super(`${file} is not a usable seed:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
    this.problems = problems;
  }
}

/** Reads a seed from YAML text, or says all that is wrong with it. */
export function parseSeed(text: string, file: string): Seed {
  const document = parseDocument(text);
  if (document.errors.length > 0)
    throw new SeedError(
      file,
      document.errors.map((error) => error.message),
    );
  const parsed = seedSchema.safeParse(document.toJS());
  if (!parsed.success) {
    throw new SeedError(
      file,
      parsed.error.issues.map((issue) => `${issue.path.join('.') || 'the file'}: ${issue.message}`),
    );
  }
  const problems = [...doubledNames(parsed.data), ...danglingNames(parsed.data)];
  if (problems.length > 0) throw new SeedError(file, problems);
  return parsed.data;
}

/** Names that are defined twice. Case does not matter, as on GitHub. */
function doubledNames({ users, apps, repositories, forks }: Seed): string[] {
  const doubled = (what: string, names: readonly string[]): string[] => {
    const lower = names.map((name) => name.toLowerCase());
    return names.flatMap((name, at) =>
      lower.indexOf(name.toLowerCase()) < at ? [`${what}: ${name} is there twice`] : [],
    );
  };
  return [
    ...doubled(
      'users',
      users.map(({ login }) => login),
    ),
    ...doubled(
      'apps',
      apps.map(({ slug }) => slug),
    ),
    ...doubled(
      'repositories',
      [...repositories, ...forks].map(({ name }) => name),
    ),
  ];
}

/** Names that are used and never introduced. */
function danglingNames(seed: Seed): string[] {
  const logins = new Set(seed.users.map((user) => user.login.toLowerCase()));
  const repositories = new Set(seed.repositories.map((repository) => repository.name.toLowerCase()));
  const user = (login: string, where: string): string[] =>
    logins.has(login.toLowerCase()) ? [] : [`${where}: there is no user ${login}`];
  const repository = (name: string, where: string): string[] =>
    repositories.has(name.toLowerCase()) ? [] : [`${where}: there is no repository ${name}`];
  return [
    ...seed.apps.flatMap((app) => [
      ...user(app.owner, `apps.${app.slug}.owner`),
      ...app.installed.flatMap(({ account, repositories: names }) => [
        ...user(account, `apps.${app.slug}.installed`),
        ...(names === 'all' ? [] : names.flatMap((name) => repository(name, `apps.${app.slug}.installed`))),
      ]),
    ]),
    ...seed.repositories.flatMap((entry) => danglingInRepository(entry, user)),
    ...seed.forks.flatMap(({ name, of, collaborators }) => [
      ...user(name.split('/')[0] ?? '', `forks.${name}`),
      ...repository(of, `forks.${name}.of`),
      ...Object.keys(collaborators).flatMap((one) => user(one, `forks.${name}.collaborators`)),
    ]),
    ...seed.projects.flatMap((project) => [
      ...user(project.owner, `projects.${project.title}.owner`),
      ...project.repositories.flatMap((name) => repository(name, `projects.${project.title}`)),
    ]),
  ];
}

function danglingInRepository(
  entry: Seed['repositories'][number],
  user: (login: string, where: string) => string[],
): string[] {
  const where = `repositories.${entry.name}`;
  const count = entry.issues.length;
  return [
    ...user(entry.name.split('/')[0] ?? '', where),
    ...Object.keys(entry.collaborators).flatMap((login) => user(login, `${where}.collaborators`)),
    ...entry.issues.flatMap((issue, index) => {
      const at = `${where}.issues[${index}]`;
      const people = [issue.author, ...issue.assignees, ...issue.comments.map((comment) => comment.author)];
      const numbers = [...issue.sub_issues, ...issue.blocked_by].filter((wanted) => wanted > count);
      return [
        ...people.flatMap((login) => (login === undefined ? [] : user(login, at))),
        ...numbers.map((wanted) => `${at}: there is no issue ${wanted}`),
      ];
    }),
  ];
}
