import { defined } from '../../base/defined.ts';
import { importSigningKey, type PrivateJwk, type SigningKey } from './signing-key.ts';

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

/** A key that only verifies. */
export interface OtherKey {
  readonly key: Promise<SigningKey>;
  readonly publishedUntil: number;
}

/** All keys of an issuer as JSON, the signing ones first and by their names. */
export async function keptKeys(
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
  return { jwk: privateJwk(await key), ...defined({ publishedUntil: until }) };
}

/** Made from a key that was imported, so the export does not hang on Node 20. */
function privateJwk({ privateKey, kid, alg }: SigningKey): KeptKey['jwk'] {
  return { ...privateKey.export({ format: 'jwk' }), kid, alg };
}

/** Replaces all keys by kept ones. */
export function keepKeys(
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
