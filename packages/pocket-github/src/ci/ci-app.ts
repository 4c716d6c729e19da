import { seedApp } from '../resources/apps/seed-app.js';
import { seedUser } from '../seed/seed-repository.js';
import { findUser } from '../world/lookup.js';
import type { App } from '../world/model.js';
import type { World } from '../world/world.js';

const SLUG = 'pocket-ci';
const OWNER = 'pocket';

/** The App whose check runs CI reports, if CI ever had anything to do. */
export function findCiApp(world: World): App | undefined {
  return world.tables.apps.by('slug', SLUG)[0];
}

/** The same, created when first needed. It is built in like GitHub Actions and needs no installation. */
export function ensureCiApp(world: World): App {
  const known = findCiApp(world);
  if (known !== undefined) return known;
  const owner = findUser(world.tables, OWNER) ?? seedUser(world, { login: OWNER, type: 'Organization' });
  return seedApp(world, {
    owner,
    slug: SLUG,
    name: 'Pocket CI',
    permissions: { checks: 'write', metadata: 'read' },
    events: [],
    // Nothing signs for this App, and making a key takes long.
    keys: { privateKey: '', publicKey: '' },
  });
}
