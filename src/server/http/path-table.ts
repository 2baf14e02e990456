/**
 * A call of an API: a method, and a path with names in braces such as `/clients/{client_id}`. A name with a star at the end
 * of a path, `{path*}`, has all that follows, with its slashes.
 */
export interface CallAt {
  readonly method: string;
  readonly path: string;
}

/** The calls at one path. */
export interface PathCalls<Call extends CallAt> {
  readonly path: string;
  readonly methods: ReadonlyMap<string, Call>;
}

/** The calls at a path that was sent, with the values of its names in braces. */
export interface FoundPath<Call extends CallAt> {
  readonly route: PathCalls<Call>;
  readonly names: Readonly<Record<string, string>>;
}

export interface PathTable<Call extends CallAt> {
  readonly routes: readonly PathCalls<Call>[];
  /** `path` is still encoded; undefined where nothing is. */
  find(path: string): FoundPath<Call> | undefined;
}

interface Compiled<Call extends CallAt> {
  readonly route: PathCalls<Call>;
  readonly steps: readonly string[];
}

/** Where two paths fit, the one with fewer names does: `/events/wait` before `/events/{id}`. */
export function createPathTable<Call extends CallAt>(calls: readonly Call[]): PathTable<Call> {
  const paths = [...new Set(calls.map(({ path }) => path))];
  const compiled = paths
    .map(path => ({ route: { path, methods: methodsAt(path, calls) }, steps: path.split('/') }))
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

function methodsAt<Call extends CallAt>(path: string, calls: readonly Call[]): ReadonlyMap<string, Call> {
  return new Map(calls.filter(each => each.path === path).map(each => [each.method, each]));
}

const name = /^\{(.+?)\*?\}$/;

function namesIn({ steps }: Pick<Compiled<CallAt>, 'steps'>): number {
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

function namesOf(
  { steps }: Pick<Compiled<CallAt>, 'steps'>,
  sent: readonly string[],
): Readonly<Record<string, string>> | undefined {
  const isOpen = steps.at(-1)?.endsWith('*}') === true;
  if (steps.length !== sent.length && !(isOpen && steps.length < sent.length)) return undefined;
  const values = isOpen ? [...sent.slice(0, steps.length - 1), sent.slice(steps.length - 1).join('/')] : sent;
  const names: Record<string, string> = {};
  for (const [index, step] of steps.entries()) {
    const value = values[index] ?? '';
    const named = name.exec(step)?.[1];
    if (named === undefined ? step !== value : value === '') return undefined;
    if (named !== undefined) names[named] = value;
  }
  return names;
}
