import type { ServiceConfig } from './compose.js';
import type { FrontDoor } from './start-service.js';

/** Everything in the configuration that nobody else may see. */
export function secretsOf(config: ServiceConfig & FrontDoor): readonly string[] {
  const { app, signingKeys, model, webhookSecrets, api } = config;
  const keys = [signingKeys.current, signingKeys.previous].flatMap((key) => key?.secret ?? []);
  const token = api.kind === 'on' && api.token !== null ? [api.token] : [];
  return [app.privateKey, ...keys, model.credential.value, ...webhookSecrets, ...token];
}
