import type { GitPerson } from '../../git/git-repository.js';
import type { User } from '../../world/model.js';
import type { World } from '../../world/world.js';

/** Who GitHub's own commits are committed by. */
export function webFlow(world: World): GitPerson {
  return { name: 'GitHub', email: 'noreply@github.com', at: world.now() };
}

/** A user as the author of a commit made now. */
export function gitPerson(world: World, user: User): GitPerson {
  return { name: user.name ?? user.login, email: user.email, at: world.now() };
}
