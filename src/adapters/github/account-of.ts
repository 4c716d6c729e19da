import type { Account } from '../../domain/snapshot.js';
import type { AccountFacts } from './facts.js';

/** Only a person's account is human: what organisations, importers and Apps say never starts anything. */
export function accountOf(account: AccountFacts): Account | null {
  if (account?.databaseId == null) return null;
  const { databaseId: id, login, type } = account;
  return { id, login, kind: type === 'User' ? 'human' : 'bot' };
}
