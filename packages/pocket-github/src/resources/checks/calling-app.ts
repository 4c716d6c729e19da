import type { Viewer } from '../../identity/viewer.js';
import { forbidden } from '../../world/errors.js';
import type { App } from '../../world/model.js';

/** Checks are written by Apps alone, however mighty a person is. */
export function callingApp(viewer: Viewer): App {
  if (viewer.kind !== 'installation') throw forbidden('You must authenticate via a GitHub App.');
  return viewer.app;
}
