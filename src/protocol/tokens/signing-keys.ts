import type { Emit } from '../../base/events/event.ts';
import { seededKey } from './seeded-keys.ts';
import {
  algorithmOf,
  generateSigningKey,
  importSigningKey,
  type PrivateJwk,
  type PublicJwk,
  type SigningKey,
  signingKey,
} from './signing-key.ts';

/** The keys of one issuer, one that signs for each algorithm. Only a caller that asks for a key waits for it. */
export interface SigningKeys {
  /** Algorithms whose key was asked for. Others get a key when it is first requested. */
  readonly algs: readonly string[];
  /** The key that signs. Access tokens may have one of their own. */
  forAlg(alg: string, use?: 'access'): Promise<SigningKey>;
  /**
   * Publishes a key for an algorithm that has none, once it is made, so that nobody waits for it.
   * @returns false while it has none, because the work was left to another replica or to a later call
   */
  prepare(alg: string, turns?: PreparingTurns): Promise<boolean>;
  /** Finds a key by `kid` for verification, including replaced keys. */
  find(kid: string | undefined): Promise<SigningKey | undefined>;
  /** The JWK Set (RFC 7517 §5). */
  jwks(): Promise<{ readonly keys: readonly PublicJwk[] }>;
  /** A text that changes whenever the JWK Set changes. */
  revision(): string;
  /** Makes a new key, which signs from now on. The old key stays published until `publishedUntil`, in Unix seconds. */
  rotate(alg: string, publishedUntil: number): Promise<{ readonly replaced: SigningKey; readonly key: SigningKey }>;
  /** Removes all keys that do not sign from the JWK Set. */
  unpublish(): void;
  /** All keys, the signing ones first. A replaced key is listed even after it is no longer published. */
  list(): Promise<readonly ListedKey[]>;
  /** All keys with their private parts, to be kept or told to another replica. */
  kept(): Promise<readonly KeptKey[]>;
  /** Replaces all keys. */
  keep(keys: readonly KeptKey[]): Promise<void>;
}

/** How the making of a key meets the other replicas. */
interface PreparingTurns {
  /** Runs the work, or leaves it to the replica that is at it. */
  alone(work: () => Promise<void>): Promise<void>;
  /** Runs the work while no replica changes anything, and tells what it changed. */
  inTurn(work: () => Promise<unknown>): Promise<unknown>;
}

/** A key without its private part, and its present use. */
export interface ListedKey extends Pick<SigningKey, 'kid' | 'alg' | 'publicKey' | 'publicJwk'> {
  readonly isSigning: boolean;
  /** Unix seconds; infinite for a key that stays published. */
  readonly publishedUntil: number;
}

interface SigningKeyOptions {
  readonly algs: readonly string[];
  /** Private keys: the first of an algorithm signs, all are published. Keys of other algorithms are generated. */
  readonly jwks?: readonly PrivateJwk[];
  readonly accessAlg?: string;
  readonly begun?: ReadonlyMap<string, Promise<SigningKey>>;
  readonly seed?: string;
  /** Unix seconds; without a clock, replaced keys stay published. */
  readonly clock?: () => number;
  readonly emit?: Emit;
}

export function createSigningKeys(options: SigningKeyOptions): SigningKeys {
  const { jwks = [], begun = new Map(), clock = () => 0, emit, accessAlg } = options;
  const others = createOtherKeys(clock);
  const current = createCurrentKeys(others.add, emit);
  const { begin, keys } = current;
  const make = keyMaker(options.seed);
  const first = makerOfFirst(make);
  const all = () => [...keys.values(), ...others.all()];

  for (const jwk of jwks) begin(jwk.alg ?? 'RS256', Promise.resolve(importSigningKey(jwk)));
  for (const alg of options.algs) if (!keys.has(alg)) begin(alg, begun.get(alg) ?? make(alg));
  if (accessAlg !== undefined) begin(accessAlg, make(accessAlg), ofAccess(accessAlg));

  async function forAlg(alg: string, use?: 'access'): Promise<SigningKey> {
    algorithmOf(alg); // throws for an unknown algorithm
    current.use(alg);
    return (use && keys.get(ofAccess(alg))) ?? keys.get(alg) ?? begin(alg, first(alg));
  }
  async function rotate(alg: string, publishedUntil: number) {
    const key = await anotherKey(make, alg, all());
    const replaced = await forAlg(alg);
    current.replace(alg, key, publishedUntil, make);
    return { replaced, key };
  }
  return {
    get algs() {
      return current.algs();
    },
    forAlg,
    prepare: (alg, turns) => prepare(alg, current, first, turns),
    rotate,
    unpublish: others.unpublish,
    list: () => listAll(keys.values(), others.entries()),
    find: async kid => (await Promise.all(all())).find(key => key.kid === kid),
    jwks: async () => ({
      keys: (await Promise.all([...keys.values(), ...others.published()])).map(({ publicJwk }) => publicJwk),
    }),
    kept: async () => keptKeys(keys, current.unused, others.entries()),
    keep: async kept => keepKeys(kept, keys, current.unused, others),
    revision: () => `${current.changes()}.${others.replacements()}.${others.all().length - others.published().length}`,
  };
}

/** Makes the first key of each algorithm, once: a seed gives its keys in an order. */
function makerOfFirst(make: (alg: string) => Promise<SigningKey>): (alg: string) => Promise<SigningKey> {
  const begun = new Map<string, Promise<SigningKey>>();
  return alg => {
    const key = begun.get(alg) ?? make(alg);
    begun.set(alg, key);
    return key;
  };
}

async function prepare(
  alg: string,
  { keys, publish }: Pick<CurrentKeys, 'keys' | 'publish'>,
  make: (alg: string) => Promise<SigningKey>,
  { alone, inTurn }: PreparingTurns = turnsHere,
): Promise<boolean> {
  if (keys.has(alg)) return true;
  await alone(async () => {
    if (keys.has(alg)) return; // another replica has told its key meanwhile
    const key = make(alg);
    await key;
    await inTurn(async () => publish(alg, key));
  });
  return keys.has(alg);
}

/** Those of a process without replicas. */
const turnsHere: PreparingTurns = { alone: work => work(), inTurn: work => work() };

/** A key that is not known yet: with a seed, another replica may have made the next ones already. */
async function anotherKey(
  make: (alg: string) => Promise<SigningKey>,
  alg: string,
  all: readonly Promise<SigningKey>[],
): Promise<SigningKey> {
  const known = new Set((await Promise.all(all)).map(({ kid }) => kid));
  let key = await make(alg);
  while (known.has(key.kid)) key = await make(alg);
  return key;
}

async function listAll(
  signing: Iterable<Promise<SigningKey>>,
  others: readonly OtherKey[],
): Promise<readonly ListedKey[]> {
  const now = await Promise.all([...signing].map(key => listed(key, Number.POSITIVE_INFINITY, true)));
  const rest = await Promise.all(others.map(({ key, publishedUntil }) => listed(key, publishedUntil, false)));
  return [...now, ...rest.reverse()];
}

async function listed(key: Promise<SigningKey>, publishedUntil: number, isSigning: boolean): Promise<ListedKey> {
  const { kid, alg, publicKey, publicJwk } = await key;
  return { kid, alg, publicKey, publicJwk, isSigning, publishedUntil };
}

/** Most replaced keys to remember; beyond it the oldest are forgotten. */
export const mostOthers = 100;

/** Keys that only verify, even unpublished ones, so that an old token is reported as expired and not as unknown. */
function createOtherKeys(clock: () => number) {
  let keys: readonly OtherKey[] = [];
  let replacements = 0;
  return {
    add(key: Promise<SigningKey>, publishedUntil: number): void {
      keys = [...keys, { key, publishedUntil }].slice(-mostOthers);
    },
    unpublish(): void {
      keys = keys.map(({ key, publishedUntil }) => ({ key, publishedUntil: Math.min(publishedUntil, clock()) }));
    },
    entries: () => keys,
    replace(all: readonly OtherKey[]): void {
      keys = all;
      replacements++;
    },
    replacements: () => replacements,
    all: () => keys.map(({ key }) => key),
    published: () => keys.filter(({ publishedUntil }) => publishedUntil > clock()).map(({ key }) => key),
  };
}

function keyMaker(seed: string | undefined): (alg: string) => Promise<SigningKey> {
  if (seed === undefined) return generateSigningKey;
  const generations = new Map<string, number>();
  return async alg => {
    const generation = generations.get(alg) ?? 0;
    generations.set(alg, generation + 1);
    const { privateKey, kid } = await seededKey(seed, alg, generation);
    return signingKey(alg, privateKey, kid);
  };
}

type CurrentKeys = ReturnType<typeof createCurrentKeys>;

/**
 * The key of each algorithm, in the order in which they were begun.
 * @param add publishes a further key, until then
 */
function createCurrentKeys(add: (key: Promise<SigningKey>, publishedUntil: number) => void, emit: Emit | undefined) {
  const keys = new Map<string, Promise<SigningKey>>();
  const unused = new Set<string>();
  let changes = 0;

  function begin(alg: string, key: Promise<SigningKey>, name = alg): Promise<SigningKey> {
    changes++;
    if (keys.has(name)) add(key, Number.POSITIVE_INFINITY);
    else keys.set(name, key);
    key.then(({ kid }) => emit?.({ type: 'key.created', kid, alg })).catch(() => {}); // a caller that asks for the key gets the error
    return key;
  }
  return {
    keys,
    unused,
    begin,
    changes: () => changes,
    algs: () => [...keys.keys()].filter(name => !name.includes(' ') && !unused.has(name)),
    publish(alg: string, key: Promise<SigningKey>): void {
      if (keys.has(alg)) return;
      unused.add(alg);
      begin(alg, key);
    },
    use(alg: string): void {
      if (unused.delete(alg)) changes++;
    },
    replace(alg: string, key: SigningKey, publishedUntil: number, make: (alg: string) => Promise<SigningKey>): void {
      for (const name of [alg, ofAccess(alg)].filter(each => keys.has(each))) {
        add(keys.get(name) ?? make(alg), publishedUntil);
        keys.set(name, name === alg ? Promise.resolve(key) : make(alg));
      }
      changes++;
    },
  };
}

function ofAccess(alg: string): string {
  return `${alg} access`;
}

/** A key with its private part, as JSON. */
export interface KeptKey {
  /** The algorithm it signs for; with ` access` behind it, for access tokens alone. Absent for one that only verifies. */
  readonly signs?: string;
  /** It is published, and nobody has asked for it yet. */
  readonly unused?: true;
  readonly jwk: PrivateJwk;
  /** Unix seconds; absent for a key that stays published. */
  readonly publishedUntil?: number;
}

interface OtherKey {
  readonly key: Promise<SigningKey>;
  readonly publishedUntil: number;
}

/** All keys of an issuer as JSON, the signing ones first and by their names. */
async function keptKeys(
  signing: ReadonlyMap<string, Promise<SigningKey>>,
  unused: ReadonlySet<string>,
  others: readonly OtherKey[],
): Promise<readonly KeptKey[]> {
  const use = (signs: string) => ({ signs, ...(unused.has(signs) && { unused: true as const }) });
  const now = await Promise.all(
    [...signing].map(async ([name, key]) => ({ ...use(name), jwk: privateJwk(await key) })),
  );
  const rest = await Promise.all(others.map(keptOther));
  return [...now, ...rest];
}

async function keptOther({ key, publishedUntil }: OtherKey): Promise<KeptKey> {
  const until = Number.isFinite(publishedUntil) ? publishedUntil : undefined; // JSON has no infinity
  return { jwk: privateJwk(await key), publishedUntil: until };
}

/** Made from a key that was imported, so the export does not hang on Node 20. */
function privateJwk({ privateKey, kid, alg }: SigningKey): KeptKey['jwk'] {
  return { ...privateKey.export({ format: 'jwk' }), kid, alg };
}

function keepKeys(
  keys: readonly KeptKey[],
  signing: Map<string, Promise<SigningKey>>,
  unused: Set<string>,
  others: { replace(all: readonly OtherKey[]): void },
): void {
  const all = keys.map(({ jwk, publishedUntil = Number.POSITIVE_INFINITY, ...use }) => {
    return { ...use, key: Promise.resolve(importSigningKey(jwk)), publishedUntil };
  });
  signing.clear();
  unused.clear();
  for (const { signs, key, unused: isUnused } of all) {
    if (signs !== undefined) signing.set(signs, key);
    if (signs !== undefined && isUnused) unused.add(signs);
  }
  others.replace(all.filter(({ signs }) => signs === undefined));
}
