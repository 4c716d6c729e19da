import type { GitCommit, GitPerson } from '../../git/git-repository.js';
import type { Context } from '../../http/context.js';
import { avatarUrl } from '../users/user-json.js';
import { zonedTime } from './zoned-time.js';

const CO_AUTHOR = /^co-authored-by:\s*(.+?)\s*<([^<>]+)>\s*$/gim;

/** The author and everybody credited in the message, each once. */
export function authorsOf({ author, message }: GitCommit): GitPerson[] {
  const others = [...message.matchAll(CO_AUTHOR)].map(([, name = '', email = '']) => ({ ...author, name, email }));
  return [author, ...others].filter((person, at, all) => all.findIndex(({ email }) => email === person.email) === at);
}

/** The account with the address the commit carries. */
function accountOf({ email }: GitPerson, { db }: Context) {
  return db.users.by('email', email)[0];
}

export const actorFields = {
  name: ({ name }: GitPerson) => name,
  email: ({ email }: GitPerson) => email,
  date: (person: GitPerson) => zonedTime(person),
  user: (person: GitPerson, _: unknown, context: Context) => accountOf(person, context) ?? null,
  avatarUrl: (person: GitPerson, { size }: { size?: number | null }, context: Context) => {
    const account = accountOf(person, context);
    const url = account === undefined ? `${context.urls.html}/avatars/nobody` : avatarUrl(context, account);
    return size ? `${url}?size=${size}` : url;
  },
};
