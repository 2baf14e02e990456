import { calculateJwkThumbprint, errors, type JWK } from 'jose';
import type { EventOf, SandboxEvent } from '../../../base/events/event.ts';
import { headerOf } from '../../../base/events/exchange.ts';
import { type DecodedJwt, decodeJwt } from '../../../base/text/jwt.ts';
import { isRecord } from '../../../base/text/record.ts';
import { badgeOf } from '../../../dashboard/status-badge.ts';
import type { LessonCode } from '../lesson.ts';
import type { LessonRun } from '../run/lesson-run.ts';

/** The drawing of a lesson that has one, made from the learner's own requests. It is empty as long as there is nothing to draw. */
export async function drawingView({ drawing: name, issuer }: LessonCode, run: LessonRun | undefined) {
  if (name === undefined || run === undefined) return {};
  const events = run.events();
  if (name === 'proof-beside-token') {
    const { origin } = new URL(run.issuer);
    return { drawing: { name, pair: await proofBesideToken(events, origin) } };
  }
  const registered = (issuer.clients ?? []).map(({ client_id, scope = '' }) => [client_id, scope.split(' ')] as const);
  return { drawing: { name, rings: scopeRings(events, new Map(registered)) } };
}

/** Scopes of the latest sign-in by the ring that they fell out of: asked for, registered, consented. */
interface ScopeRings {
  /** Asked for, and not registered for the client. */
  readonly onlyAsked: readonly string[];
  /** Registered for the client, and not asked for. */
  readonly onlyRegistered: readonly string[];
  /** Asked for and registered, and withheld by the user. */
  readonly withheld: readonly string[];
  /** In all three rings. */
  readonly granted: readonly string[];
  /** The user was asked. */
  readonly hasConsent: boolean;
}

/**
 * Reads the rings from the events of an issuer, oldest first. Undefined before the first code.
 * @param registered scopes by `client_id`
 */
function scopeRings(
  events: readonly SandboxEvent[],
  registered: ReadonlyMap<string, readonly string[]>,
): ScopeRings | undefined {
  const code = events.findLast(event => event.type === 'code.issued');
  if (code === undefined) return undefined;
  const before = events.filter(({ id }) => id < code.id);
  const isOfClient = <T extends { readonly client_id: string }>({ client_id }: T) => client_id === code.client_id;
  const asked = before.findLast((event): event is EventOf<'authorization.requested'> => {
    return event.type === 'authorization.requested' && isOfClient(event);
  });
  // the consent page comes between the request and the code
  const since = before.findLast(({ type }) => type === 'login.succeeded')?.id ?? 0;
  const consent = before.findLast((event): event is EventOf<'consent.granted'> => {
    return event.type === 'consent.granted' && event.id > since && isOfClient(event);
  });
  const own = registered.get(code.client_id) ?? [];
  const wanted = asked?.scope?.split(' ') ?? own;
  const withheld = new Set(consent?.withheld ?? []);
  const allowed = wanted.filter(scope => own.includes(scope));
  return {
    onlyAsked: wanted.filter(scope => !own.includes(scope)),
    onlyRegistered: own.filter(scope => !wanted.includes(scope)),
    withheld: allowed.filter(scope => withheld.has(scope)),
    granted: allowed.filter(scope => !withheld.has(scope)),
    hasConsent: consent !== undefined,
  };
}

/** The latest API request with a token, and the DPoP proof beside the token (RFC 9449 §7). */
interface ProofBesideToken {
  /** `GET https://…/api/parcels` */
  readonly request: string;
  readonly badge: ReturnType<typeof badgeOf>;
  /** Claims of the proof, and the thumbprint of its key; absent if there was no proof. */
  readonly proof?: { readonly rows: readonly Row[]; readonly thumbprint: string };
  /** Claims of the token, and the thumbprint in `cnf`. */
  readonly token: { readonly rows: readonly Row[]; readonly thumbprint: string };
  /** Both thumbprints are there and equal. */
  readonly isJoined: boolean;
}

type Row = readonly [name: string, value: string];

/** Reads the events of an issuer, oldest first. Undefined before the first request with a token. */
async function proofBesideToken(
  events: readonly SandboxEvent[],
  origin: string,
): Promise<ProofBesideToken | undefined> {
  for (const event of events.toReversed()) {
    if (event.type !== 'request.completed' || event.endpoint !== 'api') continue;
    const token = decodeJwt(headerOf(event.exchange.requestHeaders, 'Authorization')?.split(' ')[1] ?? '');
    if (token !== undefined) return pairOf(event, token.claims, origin);
  }
  return undefined;
}

async function pairOf(
  { method, path, status, exchange }: EventOf<'request.completed'>,
  token: DecodedJwt['claims'],
  origin: string,
): Promise<ProofBesideToken> {
  const proof = decodeJwt(headerOf(exchange.requestHeaders, 'DPoP') ?? '');
  const bound = isRecord(token.cnf) && typeof token.cnf.jkt === 'string' ? token.cnf.jkt : 'none';
  const thumbprint = proof === undefined ? 'none' : await thumbprintOf(proof.header.jwk);
  const rows = proof && rowsOf(proof.claims, ['htm', 'htu', 'iat', 'nonce']);
  return {
    request: `${method} ${origin}${path}`,
    badge: badgeOf({ status }, undefined),
    proof: rows && { rows, thumbprint },
    token: { rows: rowsOf(token, ['client_id', 'scope', 'exp']), thumbprint: bound },
    isJoined: bound === thumbprint && bound !== 'none',
  };
}

function rowsOf(claims: Readonly<Record<string, unknown>>, names: readonly string[]): readonly Row[] {
  return names.flatMap((name): readonly Row[] => (claims[name] === undefined ? [] : [[name, String(claims[name])]]));
}

/** RFC 7638. A proof may have anything as its key. */
async function thumbprintOf(jwk: unknown): Promise<string> {
  try {
    return await calculateJwkThumbprint(jwk as JWK); // jose checks the type
  } catch (error) {
    if (error instanceof errors.JOSEError || error instanceof TypeError) return 'none';
    throw error;
  }
}
