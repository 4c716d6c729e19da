/* Why something was not done, in one line each: what happened, why, and what to do instead. */

/** Why a label went away again. */
export const labelRefusal = (login: string, label: string): string =>
  `${login}, \`${label}\` asks Sluice to work on this issue, which takes write permission here. The label was removed; somebody with write permission can set it, or comment \`/auto\`.`;

/** Why a command was not carried out. */
export type Refusal =
  | { readonly kind: 'no-permission'; readonly login: string; readonly needs: 'write' | 'triage' }
  | { readonly kind: 'not-served' }
  | { readonly kind: 'too-many-commands'; readonly until: number }
  | { readonly kind: 'not-ours'; readonly number: number }
  | { readonly kind: 'gone'; readonly number: number }
  | { readonly kind: 'closed'; readonly number: number }
  | { readonly kind: 'running'; readonly number: number }
  | { readonly kind: 'not-running'; readonly number: number }
  | { readonly kind: 'never-started'; readonly number: number }
  | { readonly kind: 'nothing-to-approve'; readonly number: number }
  | { readonly kind: 'other-hash'; readonly number: number }
  | { readonly kind: 'batch-by-count' };

export function formatRefusal(refusal: Refusal): string {
  switch (refusal.kind) {
    case 'no-permission':
      return `${refusal.login}, this command takes ${refusal.needs} permission in this repository, which you do not have.`;
    case 'not-served':
      return 'This Sluice does not work on this repository: its operator has not listed it.';
    case 'too-many-commands':
      return `That is more commands than one person may give in an hour. There is room again at ${utc(refusal.until)}.`;
    case 'not-ours':
      return `#${refusal.number} is not a pull request of Sluice, so it is not clear which issue is meant. Name it: \`/auto 123\`.`;
    case 'gone':
      return `There is no issue #${refusal.number} here. \`/auto\` takes the number of an issue, not of a pull request.`;
    case 'closed':
      return `#${refusal.number} is closed. Reopen it, then \`/auto ${refusal.number}\`.`;
    case 'running':
      return `#${refusal.number} is being worked on. \`/auto stop ${refusal.number}\` first.`;
    case 'not-running':
      return `#${refusal.number} is not being worked on, so there is nothing to stop. \`/auto status ${refusal.number}\` says where it is.`;
    case 'never-started':
      return `Nobody has asked for #${refusal.number} yet. \`/auto ${refusal.number}\` starts it.`;
    case 'nothing-to-approve':
      return `Nothing of #${refusal.number} waits for an approval.`;
    case 'other-hash':
      return `The hash is not that of #${refusal.number}'s criteria as they are now. Read them again; the status comment has the hash.`;
    case 'batch-by-count':
      return 'Batches by count are not there yet. Name the issues: `/auto --batch 12 15 19`.';
  }
}

/** `2026-01-05 12:30 UTC`. */
export const utc = (at: number): string => `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
