import type { Route } from './route.js';

export interface RouteMatch {
  readonly route: Route;
  readonly params: Readonly<Record<string, string>>;
}

interface Compiled {
  readonly route: Route;
  readonly method: string;
  readonly pattern: RegExp;
  readonly names: readonly string[];
  /** How many literal segments: `/labels/{name}` must not shadow `/labels/default`. */
  readonly literals: number;
}

/** The last `{path}`, `{ref}` or `{basehead}` of these may contain slashes. */
const GREEDY = new Set(['path', 'ref', 'basehead', 'branch']);
/** Those that may be left out: the root directory, and all refs. */
const OPTIONAL_TAIL = /\/(?:contents\/\{path\}|matching-refs\/\{ref\})$/;

function compile(route: Route): Compiled {
  const [method = '', template = ''] = route.operation.split(' ');
  const names: string[] = [];
  const segments = template.split('/').map((segment) => {
    const name = /^\{(.+)\}$/.exec(segment)?.[1];
    if (name === undefined) return segment.replaceAll('.', '\\.');
    names.push(name);
    return GREEDY.has(name) ? '(.+?)' : '([^/]+)';
  });
  const path = segments.join('/');
  return {
    route,
    method,
    pattern: new RegExp(`^${OPTIONAL_TAIL.test(template) ? path.replace('/(.+?)', '(?:/(.+?))?') : path}/?$`),
    names,
    literals: segments.filter((segment) => !segment.includes('(')).length,
  };
}

/** Finds the route of a request by GitHub's own path templates. */
export class Router {
  readonly #routes: readonly Compiled[];

  constructor(routes: readonly Route[]) {
    this.#routes = routes.map(compile).sort((a, b) => b.literals - a.literals);
  }

  /** HEAD is GET whose answer is not sent. */
  match(given: string, path: string): RouteMatch | null {
    const method = given === 'HEAD' ? 'GET' : given;
    for (const { route, method: wanted, pattern, names } of this.#routes) {
      if (wanted !== method) continue;
      const found = pattern.exec(path);
      if (found === null) continue;
      const params = Object.fromEntries(names.map((name, index) => [name, safeDecode(found[index + 1] ?? '')]));
      return { route, params };
    }
    return null;
  }
}

function safeDecode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
