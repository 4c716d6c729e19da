import type { Engine } from '../../../src/usecases/engine.js';

/** A service that can die as by SIGKILL: after that none of its calls has any effect. */
export interface KillableEngine {
  kill(): void;
  readonly wrapEngine: (engine: Engine) => Engine;
  /** Wraps a port that the engine shares with others. */
  readonly wrapPort: <Port extends object>(port: Port) => Port;
}

export function killableEngine(): KillableEngine {
  const life = { isDead: false };
  const wrapPort = <Port extends object>(usual: Port): Port =>
    new Proxy(usual, {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name, target);
        if (typeof member !== 'function') return member;
        return (...args: unknown[]): unknown =>
          life.isDead ? Promise.reject(new Error('it is dead')) : Reflect.apply(member, target, args);
      },
    });
  return {
    kill: () => {
      life.isDead = true;
    },
    wrapPort,
    wrapEngine: (engine) => ({
      ...engine,
      github: wrapPort(engine.github),
      gitHost: wrapPort(engine.gitHost),
      states: wrapPort(engine.states),
    }),
  };
}
