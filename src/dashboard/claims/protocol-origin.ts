import type { IssuedEvent } from '../../base/events/event-log.ts';
import { isSameJson } from '../../protocol/json-parameter.ts';
import { tokenTypeOf } from '../../record/flows/token-status.ts';
import { clientPath, userPath } from '../clients-and-users.ts';
import type { ClaimOrigin, Issuance } from './issuance.ts';

type Origin = (issuance: Issuance) => ClaimOrigin | undefined;

const exchange = 'urn:ietf:params:oauth:grant-type:token-exchange';

/** The origin of a claim that the protocol sets; undefined for a configured claim. */
export function protocolOrigin(name: string, issuance: Issuance): ClaimOrigin | undefined {
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
  const who = isMinted ? `User ${sub}, named when the token was minted` : `User ${sub}, who logged in`;
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

/** The origin of `exp` in an access token: the lifetime of the client, which may be the default of the server. */
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
  if (own === undefined) return { source: 'default', words: `Default ID Token lifetime of the server, ${lasted} s` };
  if (lasted < own) return shortened(lasted, own);
  const words = `Set by the ID Token lifetime of client ${client_id}, ${lasted} s`;
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
  sid: ofSession('The session of the login'),
  auth_time: ofSession('Set by the login of the user'),
  acr: ofSession('Set by the login method, or by the acr_values of the request'),
  amr: ofSession('Set by the login method'),
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
  nonce: () => ({ source: 'request', words: 'Sent by the application in the authorization request' }),
  at_hash: byServer('Computed from the access token issued with it'),
  c_hash: byServer('Computed from the code issued with it'),
  ...session,
};
