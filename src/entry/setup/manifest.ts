import { parse, stringify } from 'yaml';
import { z } from 'zod';
import { WEBHOOKS_PATH } from '../webhooks/webhook-handler.js';

const manifestSchema = z.record(z.string(), z.unknown());

/** GitHub wants an address it could reach; until there is one, nothing is sent. */
const NOWHERE = 'https://example.com';

/** The App as GitHub is asked to register it: app.yml, and where its webhooks go. */
export function manifestFor(appYml: string, publicUrl: string | null): string {
  const hook = { url: `${publicUrl ?? NOWHERE}${WEBHOOKS_PATH}`, active: publicUrl !== null };
  return stringify({ ...manifestSchema.parse(parse(appYml)), hook_attributes: hook });
}
