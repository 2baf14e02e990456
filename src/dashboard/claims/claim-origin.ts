import type { IssuedEvent } from '../../base/events/event-log.ts';
import { cut } from '../../base/text/words.ts';
import type { RegisteredClient } from '../../protocol/clients/client.ts';
import { isSameJson } from '../../protocol/json-parameter.ts';
import { parseScope } from '../../protocol/scope.ts';
import type { TestUser } from '../../protocol/users/user.ts';
import { tokenTypeOf } from '../../record/flows/token-status.ts';
import { accountOf, clientPath, registeredClient, userPath } from '../clients-and-users.ts';
import type { DashboardFacts } from '../facts.ts';

/** The origin of one claim of a token. */
export function originOf(name: string, issuance: Issuance): ClaimOrigin {
  const { event } = issuance;
  if (event.type === 'token.issued' && event.ruled !== undefined && Object.hasOwn(event.ruled, name)) {
    return { source: 'rule', words: `Set by ${event.ruled[name]}`, path: '/dashboard/settings#token-claims' };
  }
  if (event.type === 'token.issued' && event.edited?.includes(name)) {
    const words = event.minted ? 'Set by the call that minted it' : 'Set for this sign-in in the claims editor';
    return { source: 'edit', words };
  }
  if (event.type === 'token.issued' && event.written?.claims.includes(name)) {
    return { source: 'preset', words: `Set by the preset ${event.written.by}` };
  }
  const protocol = protocolOrigin(name, issuance);
  if (protocol !== undefined) return protocol;
  return tokenTypeOf(event) === 'id' ? releasedOrigin(name, issuance) : configuredOrigin(name, issuance);
}

function releasedOrigin(name: string, issuance: Issuance): ClaimOrigin {
  const { event, user, claims } = issuance;
  const requested = event.type === 'token.issued' && event.requested?.includes(name) === true;
  const scope = requested ? undefined : releasingScope(name, issuance);
  const source = requested ? 'claims_parameter' : 'user';
  if (user === undefined) {
    return { source, words: `From the record of user ${event.sub ?? 'unknown'}`, since: 'The user was deleted since.' };
  }
  const why = requested
    ? ', requested by the claims parameter'
    : scope === undefined
      ? ''
      : `, released by scope ${scope}`;
  const origin = { source, words: `From the record of user ${user.sub}${why}`, path: userPath(user.sub) } as const;
  if (Object.hasOwn(user.claims, name) && isSameJson(user.claims[name], claims[name])) return origin;
  const now = Object.hasOwn(user.claims, name) ? `: ${shownValue(user.claims[name])}` : ' and no longer has this claim';
  return { ...origin, since: `User ${user.sub} was edited since${now}.` };
}

function releasingScope(name: string, { event, scopes }: Issuance): string | undefined {
  return parseScope(event.scope).find(granted =>
    scopes.some(scope => scope.name === granted && scope.claims.includes(name)),
  );
}

interface Holder {
  readonly origin: ClaimOrigin;
  readonly who: string;
  readonly value: unknown;
  readonly isChanged: boolean;
}

/**
 * Finds the `access_token_claims` that set a claim. Those of the user override the client's, and the client's override the scopes'. So
 * the first record with this value set it; a record before it with a different value was edited later, or did not apply.
 */
function configuredOrigin(name: string, issuance: Issuance): ClaimOrigin {
  const holders = holdersOf(name, issuance);
  const value = issuance.claims[name];
  const [first] = holders;
  if (first === undefined) return deletedRecord(issuance);
  const found = holders.find(holder => isSameJson(holder.value, value));
  if (found === undefined) return { ...first.origin, since: otherNow(first) };
  return found === first ? first.origin : { ...found.origin, since: passedOver(first) };
}

function holdersOf(name: string, { event, client, user, scopes, changedSince }: Issuance): Holder[] {
  const holders: Holder[] = [];
  if (user !== undefined && Object.hasOwn(user.access_token_claims, name)) {
    const origin = {
      source: 'user',
      words: `From the record of user ${user.sub}`,
      path: userPath(user.sub),
    } as const;
    const value = user.access_token_claims[name];
    holders.push({ origin, who: `user ${user.sub}`, value, isChanged: changedSince('user') });
  }
  if (client !== undefined && Object.hasOwn(client.access_token_claims, name)) {
    const { client_id, access_token_claims } = client;
    const origin = { source: 'client', words: `Set by client ${client_id}`, path: clientPath(client_id) } as const;
    holders.push({
      origin,
      who: `client ${client_id}`,
      value: access_token_claims[name],
      isChanged: changedSince('client'),
    });
  }
  for (const granted of parseScope(event.scope).reverse()) {
    const scope = scopes.find(each => each.name === granted && Object.hasOwn(each.access_token_claims, name));
    if (scope === undefined) continue;
    const origin = { source: 'scope', words: `Set by the definition of scope ${scope.name}` } as const;
    holders.push({ origin, who: `scope ${scope.name}`, value: scope.access_token_claims[name], isChanged: false });
  }
  return holders;
}

function otherNow({ who, value, isChanged }: Holder): string {
  return `${isChanged ? `${upperFirst(who)} was edited since` : 'The record has a different value now'}: ${shownValue(value)}.`;
}

function passedOver({ who, value, isChanged }: Holder): string {
  if (isChanged) return `${upperFirst(who)} was edited since; a new token would have ${shownValue(value)}.`;
  return `${upperFirst(who)} has ${shownValue(value)}, which this sign-in did not use.`;
}

function deletedRecord({ event, changedSince }: Issuance): ClaimOrigin {
  const changed = [
    ...(changedSince('user') ? [`user ${event.sub}`] : []),
    ...(changedSince('client') ? [`client ${event.client_id}`] : []),
  ];
  const since = changed.length === 0 ? {} : { since: `${upperFirst(changed.join(' and '))} was edited since.` };
  return { source: 'unknown', words: 'Set by a record that no longer has this claim', ...since };
}

function upperFirst(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

type Origin = (issuance: Issuance) => ClaimOrigin | undefined;

const exchange = 'urn:ietf:params:oauth:grant-type:token-exchange';

function protocolOrigin(name: string, issuance: Issuance): ClaimOrigin | undefined {
  const isId = tokenTypeOf(issuance.event) === 'id';
  const table = isId ? ofIdTokens : ofAccessTokens;
  return Object.hasOwn(table, name) ? table[name]?.(issuance) : undefined;
}

const byServer = (words: string) => () => ({ source: 'server', words }) as const;

const asker: Origin = ({ event: { client_id } }) => ({
  source: 'request',
  words: 'The client that requested it',
  path: clientPath(client_id),
});

const subject: Origin = ({ event, client }) => {
  const { sub, client_id } = event;
  if (sub === undefined)
    return { source: 'client', words: 'The client, which acts for itself', path: clientPath(client_id) };
  const isPairwise = client?.subject_type === 'pairwise';
  const isMinted = event.type === 'token.issued' && event.minted === true;
  const who = isMinted ? `User ${sub}, named when the token was minted` : `User ${sub}, who signed in`;
  const words = isPairwise ? `User ${sub}, as a pairwise subject for this client` : who;
  return { source: 'user', words, path: userPath(sub) };
};

/** Issued by an exchange, or refreshed from such a token. */
function isExchanged(event: IssuedEvent): boolean {
  return event.type === 'token.issued' && (event.began ?? event.grant_type) === exchange;
}

const audience: Origin = ({ event, claims, client }) => {
  const { client_id } = event;
  if (event.type === 'token.issued' && event.resources !== undefined) {
    const parameters = isExchanged(event) ? 'resource or audience' : 'resource';
    const { unknownResources: unknown = [] } = event;
    const note = unknown.length === 0 ? '' : `. Nobody configured ${unknown.join(' or ')}`;
    return { source: 'request', words: `Requested by the client with the parameter ${parameters}${note}` };
  }
  const values = [claims.aud].flat();
  const path = clientPath(client_id);
  const isClient = isSameJson(values, [client_id]);
  if (isClient && (client === undefined || client.audience.length === 0)) {
    return {
      source: 'default',
      words: 'Default: the client itself, because no resource was requested and the client has no audience',
    };
  }
  const origin = { source: 'client', words: `Set by the audience of client ${client_id}`, path } as const;
  if (client === undefined || isSameJson(values, client.audience)) return origin;
  return { ...origin, since: `Client ${client_id} was edited since.` };
};

const accessEnd: Origin = ({ event: { client_id, iat, exp }, client }) => {
  const lasted = exp - iat;
  const words = `Set by the access token lifetime of client ${client_id}, ${lasted} s`;
  const origin = { source: 'client', words, path: clientPath(client_id) } as const;
  if (client === undefined || client.access_token_lifetime === lasted) return origin;
  if (lasted < client.access_token_lifetime) return shortened(lasted, client.access_token_lifetime);
  return { ...origin, since: `Client ${client_id} was edited since: now ${client.access_token_lifetime} s.` };
};

const idEnd: Origin = ({ event: { client_id, iat, exp }, client }) => {
  const lasted = exp - iat;
  const own = client?.id_token_lifetime;
  if (own === undefined) return { source: 'default', words: `Default ID token lifetime of the server, ${lasted} s` };
  if (lasted < own) return shortened(lasted, own);
  const words = `Set by the ID token lifetime of client ${client_id}, ${lasted} s`;
  return { source: 'client', words, path: clientPath(client_id) };
};

/** The origin of a shorter `exp`. The client may also have been edited, so both causes are named. */
function shortened(lasted: number, lifetime: number): ClaimOrigin {
  return {
    source: 'server',
    words: `Set by the server: ${lasted} s instead of the client's current ${lifetime} s`,
    since: 'The token expires together with the token it was issued from, or the client was edited since.',
  };
}

/** Without a login session, configuration may set these claims. */
const ofSession =
  (words: string): Origin =>
  issuance =>
    hasSession(issuance) ? { source: 'login', words } : undefined;

function hasSession({ event, claims }: Issuance): boolean {
  return event.sub !== undefined && typeof claims.auth_time === 'number';
}

const session: Readonly<Record<string, Origin>> = {
  sid: ofSession('The session of the sign-in'),
  auth_time: ofSession('Set by the sign-in of the user'),
  acr: ofSession('Set by the sign-in method, or by the acr_values of the request'),
  amr: ofSession('Set by the sign-in method'),
};

const ofAccessTokens: Readonly<Record<string, Origin>> = {
  iss: byServer('Set by this server: its issuer'),
  sub: subject,
  aud: audience,
  client_id: asker,
  iat: byServer('Set by the clock of this server'),
  nbf: byServer('Set by the clock of this server'),
  exp: accessEnd,
  jti: byServer('Generated by this server'),
  scope: ({ event }) =>
    event.scope === undefined
      ? undefined
      : { source: 'request', words: `Granted: the requested scopes that client ${event.client_id} may use` },
  ...session,
  cnf: () => ({ source: 'proof', words: 'The key whose possession the client proved' }),
  act: ({ event }) =>
    isExchanged(event) ? { source: 'request', words: 'The actor_token of the exchange' } : undefined,
  authorization_details: () => ({ source: 'request', words: 'Requested by the client and granted' }),
};

const ofIdTokens: Readonly<Record<string, Origin>> = {
  iss: byServer('Set by this server: its issuer'),
  sub: subject,
  aud: asker,
  azp: asker,
  exp: idEnd,
  iat: byServer('Set by the clock of this server'),
  nonce: () => ({ source: 'request', words: 'Sent by the app in the authorization request' }),
  at_hash: byServer('Computed from the access token issued with it'),
  c_hash: byServer('Computed from the code issued with it'),
  ...session,
};

/** The record or request that put a claim into a token. */
export interface ClaimOrigin {
  readonly source:
    | 'server'
    | 'request'
    | 'claims_parameter'
    | 'login'
    | 'edit'
    | 'proof'
    | 'user'
    | 'client'
    | 'scope'
    | 'default'
    | 'preset'
    | 'rule'
    | 'unknown';
  /** `From the record of user alice`. */
  readonly words: string;
  /** The page of that record; the path starts below that of the issuer. */
  readonly path?: string;
  /** A sentence, present if the record has a different value now. */
  readonly since?: string;
}

/** A token with its client and its user, as far as they still exist. */
export interface Issuance {
  readonly event: IssuedEvent;
  readonly claims: Readonly<Record<string, unknown>>;
  /** The current record; undefined if it was deleted. */
  readonly client: RegisteredClient | undefined;
  readonly user: TestUser | undefined;
  readonly scopes: DashboardFacts['scopes'];
  /** Whether the record was changed after the token was issued. */
  readonly changedSince: (what: 'client' | 'user') => boolean;
}

/** The collections in which origins are looked up. */
export type OriginRecords = Pick<DashboardFacts, 'registered' | 'accounts' | 'scopes' | 'events'>;

/** Looks up the client and the user of a token. */
export function issuanceOf(event: IssuedEvent, claims: Issuance['claims'], records: OriginRecords): Issuance {
  const changes = records.events
    .latest('configuration.changed', Number.POSITIVE_INFINITY)
    .filter(change => change.id > event.id);
  return {
    event,
    claims,
    client: registeredClient(records, event.client_id),
    user: event.sub === undefined ? undefined : accountOf(records, event.sub),
    scopes: records.scopes,
    changedSince: what =>
      changes.some(
        change => change.what === what && change.subject === (what === 'user' ? event.sub : event.client_id),
      ),
  };
}

const longestShown = 120;

function shownValue(value: unknown): string {
  return cut(JSON.stringify(value) ?? 'undefined', longestShown);
}
