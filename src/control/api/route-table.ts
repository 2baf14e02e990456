import type { Operation } from './operation.ts';

/** Operations at one path. */
export interface ControlRoute {
  /** `/clients/{client_id}` */
  readonly path: string;
  readonly methods: ReadonlyMap<string, Operation>;
}

/** A route, with the values of its path parameters in braces. */
export interface FoundRoute {
  readonly route: ControlRoute;
  readonly names: Readonly<Record<string, string>>;
}

export interface RouteTable {
  readonly routes: readonly ControlRoute[];
  /** `path` is what comes after `/_sandbox`, still encoded; undefined where nothing is. */
  find(path: string): FoundRoute | undefined;
}

interface Compiled {
  readonly route: ControlRoute;
  readonly steps: readonly string[];
}

/** Where two paths fit, the one with fewer names does: `/events/wait` before `/events/{id}`. */
export function createRouteTable(operations: readonly Operation[]): RouteTable {
  const paths = [...new Set(operations.map(({ path }) => path))];
  const compiled = paths
    .map(path => ({ route: { path, methods: methodsAt(path, operations) }, steps: path.split('/') }))
    .toSorted((a, b) => namesIn(a) - namesIn(b));
  return {
    routes: compiled.map(({ route }) => route),
    find(path) {
      const sent = stepsOf(path);
      if (sent === undefined) return undefined;
      for (const each of compiled) {
        const names = namesOf(each, sent);
        if (names !== undefined) return { route: each.route, names };
      }
      return undefined;
    },
  };
}

function methodsAt(path: string, operations: readonly Operation[]): ControlRoute['methods'] {
  return new Map(operations.filter(each => each.path === path).map(each => [each.method, each]));
}

const name = /^\{(.+)\}$/;

function namesIn({ steps }: Compiled): number {
  return steps.filter(step => name.test(step)).length;
}

/** Each decoded by itself: a `client_id` may be an address, with `%2F` in it. */
function stepsOf(path: string): readonly string[] | undefined {
  try {
    return path.split('/').map(decodeURIComponent);
  } catch {
    return undefined;
  }
}

function namesOf({ steps }: Compiled, sent: readonly string[]): Readonly<Record<string, string>> | undefined {
  if (steps.length !== sent.length) return undefined;
  const names: Record<string, string> = {};
  for (const [index, step] of steps.entries()) {
    const value = sent[index] ?? '';
    const named = name.exec(step)?.[1];
    if (named === undefined ? step !== value : value === '') return undefined;
    if (named !== undefined) names[named] = value;
  }
  return names;
}
