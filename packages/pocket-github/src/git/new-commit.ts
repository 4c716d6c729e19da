import { unprocessable } from '../world/errors.js';
import type { NewCommit } from './git-repository.js';

/** Characters git removes from both ends of a name. A name of only these is empty for git. */
const CRUD = /[\p{Cc}\s.,:;<>"'\\]/gu;

/** Refuses what git would not store, before it is asked. */
export function checkNewCommit({ message, author, committer }: NewCommit): void {
  if (message.includes('\0')) throw unprocessable('message contains a NUL character');
  for (const [role, { name, email, at }] of Object.entries({ author, committer })) {
    if (name.replaceAll(CRUD, '') === '') throw unprocessable(`${role}.name is missing`);
    if (`${name}${email}`.includes('\0')) throw unprocessable(`${role} contains a NUL character`);
    if (at < 0) throw unprocessable(`${role}.date is before 1970`);
  }
}
