import type { App, Installation, Token, User } from '../world/model.js';
import { requiresAuthentication } from '../world/errors.js';
import type { Actor } from '../world/world.js';

/** Who a request comes from, once its credential has been checked. */
export type Viewer =
  | { readonly kind: 'anonymous' }
  /** An App by its JWT: may ask about itself and mint installation tokens, nothing else. */
  | { readonly kind: 'app'; readonly app: App }
  | {
      readonly kind: 'installation';
      readonly app: App;
      readonly installation: Installation;
      readonly user: User;
      readonly token: Token;
    }
  | { readonly kind: 'personal'; readonly user: User; readonly token: Token };

/** The acting user, or 401. */
export function actorOf(viewer: Viewer): Actor {
  if (viewer.kind === 'installation') return { userId: viewer.user.id, viaAppId: viewer.app.id };
  if (viewer.kind === 'personal') return { userId: viewer.user.id, viaAppId: null };
  throw requiresAuthentication();
}

/** How the journal names a viewer. */
export function viewerName(viewer: Viewer): string {
  if (viewer.kind === 'anonymous') return 'anonymous';
  return viewer.kind === 'app' ? `app/${viewer.app.slug}` : viewer.user.login;
}
