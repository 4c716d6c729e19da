import type { Engine } from '../../src/usecases/engine.js';

/** A service that can die as under SIGKILL: from then on nothing of it reaches anybody. */
export interface Mortal {
  die(): void;
  readonly over: (engine: Engine) => Engine;
  /** For what the engine shares with others. */
  readonly port: <Port extends object>(port: Port) => Port;
}

export function mortal(): Mortal {
  const life = { isDead: false };
  const port = <Port extends object>(usual: Port): Port =>
    new Proxy(usual, {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name, target);
        if (typeof member !== 'function') return member;
        return (...args: unknown[]): unknown =>
          life.isDead ? Promise.reject(new Error('it is dead')) : Reflect.apply(member, target, args);
      },
    });
  return {
    die: () => {
      life.isDead = true;
    },
    port,
    over: (engine) => ({
      ...engine,
      github: port(engine.github),
      gitHost: port(engine.gitHost),
      states: port(engine.states),
    }),
  };
}
