import type { PublicKeyFacts } from '../../sandbox/control/key-control.ts';
import type { Desk } from '../desk.ts';
import { momentOf } from '../moment.ts';
import { keyCallers } from './callers.ts';

export async function keysPage(desk: Desk, done: string) {
  const { control, events, clock, issuer, base, endpoints } = desk;
  const now = clock();
  const keys = await control.keys();
  const alive = aliveByKey(desk);
  const rotated = events.latest('key.rotated', 1)[0]?.at;
  const jwks = endpoints.find(({ name }) => name === 'jwks')?.path ?? `${base}/oauth2/jwks`;
  return {
    keys: keys.map((key, index) => rowOf(desk, key, alive.get(key.kid) ?? 0, index)),
    callers: keyCallers(desk, rotated ?? desk.startedAt),
    ...(rotated === undefined ? {} : { rotated: momentOf(rotated, now) }),
    jwksUri: new URL(issuer).origin + jwks,
    done,
    // number of tokens that clients refuse after `unpublish`
    broken: keys.reduce((sum, { kid, isPublished }) => sum + (isPublished ? (alive.get(kid) ?? 0) : 0), 0),
    isForgetful: events.count('token.issued') > events.kept('token.issued'),
  };
}

function aliveByKey({ events, clock }: Desk): ReadonlyMap<string, number> {
  const now = clock();
  const counts = new Map<string, number>();
  for (const { kid, exp } of events.latest('token.issued', Number.POSITIVE_INFINITY)) {
    if (kid !== undefined && exp > now) counts.set(kid, (counts.get(kid) ?? 0) + 1);
  }
  return counts;
}

/** The public half of a key, with the number of valid tokens it signed. */
function rowOf({ events, clock }: Desk, key: PublicKeyFacts, alive: number, number: number) {
  const { kid, alg, publicKey, publicJwk, isSigning, isPublished, publishedUntil } = key;
  const now = clock();
  const made =
    events.latest('key.created', Number.POSITIVE_INFINITY).find(event => event.kid === kid)?.at ??
    events.latest('key.rotated', Number.POSITIVE_INFINITY).find(event => event.kid === kid)?.at;
  return {
    kid,
    alg,
    use: publicJwk.use,
    alive,
    number,
    state: isSigning ? 'signing' : isPublished ? 'published' : 'not published',
    ...(made === undefined ? {} : { made: momentOf(made, now) }),
    ...(publishedUntil === undefined ? {} : { publishedUntil: momentOf(publishedUntil, now) }),
    jwk: JSON.stringify(publicJwk, null, 2),
    pem: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
  };
}
