import { parse, stringify } from 'yaml';
import { z } from 'zod';
import { WEBHOOKS_PATH } from '../webhooks/webhook-handler.js';

const manifestSchema = z.record(z.string(), z.unknown());

/** GitHub requires an address; until there is one, webhooks are off. */
const NOWHERE = 'https://example.com';

/** The manifest for registering the App: app.yml, with the webhook address. */
export function manifestFor(appYml: string, publicUrl: string | null): string {
  const hook = { url: `${publicUrl ?? NOWHERE}${WEBHOOKS_PATH}`, active: publicUrl !== null };
  return stringify({ ...manifestSchema.parse(parse(appYml)), hook_attributes: hook });
}
