import type { Actor } from '../../../domain/state/snapshot.js';
import type { ActorFacts } from './facts.js';

/** Only a user account is human: organisations, importers and Apps never start anything. */
export function toActor(actor: ActorFacts): Actor | null {
  if (actor?.databaseId == null) return null;
  const { databaseId: id, login, type } = actor;
  return { id, login, kind: type === 'User' ? 'human' : 'bot' };
}
