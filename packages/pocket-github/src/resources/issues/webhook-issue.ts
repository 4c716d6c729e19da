import type { Scope } from '../../http/context.js';
import type { Issue } from '../../world/model.js';
import { issueFacts } from './issue-json.js';

type Facts = ReturnType<typeof issueFacts>;
/** Each webhook schema spells out, differently, which events an App can name; `never[]` fits them all. */
type AppInWebhook = Omit<NonNullable<Facts['performed_via_github_app']>, 'events'> & { readonly events: never[] };

/** An issue as webhooks show it. */
export function webhookIssue(scope: Scope, issue: Issue) {
  const facts = issueFacts(scope, issue);
  return { ...facts, performed_via_github_app: facts.performed_via_github_app as AppInWebhook | null };
}
