import { ok, text } from '../../http/reply.js';
import { route } from '../../http/route.js';
import type { Resource } from '../resource.js';
import { rootJson } from './root-json.js';
import { ZEN } from './zen.js';

export const meta: Resource = {
  name: 'meta',
  routes: [
    route('GET /', { access: 'anyone', handle: ({ context }) => ok(rootJson(context.urls.api)) }),
    route('GET /zen', { access: 'anyone', handle: () => text(200, ZEN) }),
    route('GET /meta', { access: 'anyone', handle: () => ok({ verifiable_password_authentication: false }) }),
  ],
};
