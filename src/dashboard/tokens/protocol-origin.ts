import { tokenTypeOf } from '../../flows/token-status.ts';
import { isSameJson } from '../../oauth/json-parameter.ts';
import { type ClaimOrigin, clientPath, type Issuance, userPath } from './issuance.ts';

type Origin = (issuance: Issuance) => ClaimOrigin | undefined;

const exchange = 'urn:ietf:params:oauth:grant-type:token-exchange';

/** What the protocol itself puts into a token; undefined where the claim is a configured one. */
export function protocolOrigin(name: string, issuance: Issuance): ClaimOrigin | undefined {
  const isId = tokenTypeOf(issuance.event) === 'id';
  const table = isId ? ofIdTokens : ofAccessTokens;
  return Object.hasOwn(table, name) ? table[name]?.(issuance) : undefined;
}

const byServer = (words: string) => () => ({ source: 'server', words }) as const;

const asker: Origin = ({ event: { client_id } }) => ({
  source: 'request',
  words: 'The client that asked for it',
  path: clientPath(client_id),
});

const subject: Origin = ({ event: { sub, client_id }, client }) => {
  if (sub === undefined)
    return { source: 'client', words: 'The client: it acts for itself', path: clientPath(client_id) };
  const isPairwise = client?.subject_type === 'pairwise';
  const words = isPairwise ? `User ${sub}, under a name that only this client sees` : `User ${sub}, who logged in`;
  return { source: 'user', words, path: userPath(sub) };
};

const audience: Origin = ({ event, claims, client }) => {
  const { client_id } = event;
  if (event.type === 'token.issued' && event.resources !== undefined) {
    const parameters = event.grant_type === exchange ? 'resource or audience' : 'resource';
    return { source: 'request', words: `Asked for by the client with the parameter ${parameters}` };
  }
  const values = [claims.aud].flat();
  const path = clientPath(client_id);
  const isClient = isSameJson(values, [client_id]);
  if (isClient && (client === undefined || client.audience.length === 0)) {
    return {
      source: 'default',
      words: 'Default: the client itself, as no resource was asked for and it has no audience',
    };
  }
  const origin = { source: 'client', words: `Set by client ${client_id}, as its audience`, path } as const;
  if (client === undefined || isSameJson(values, client.audience)) return origin;
  return { ...origin, since: `Client ${client_id} was edited since.` };
};

/** Of an access token: each client has a lifetime, its own or the default of the server. */
const accessEnd: Origin = ({ event: { client_id, iat, exp }, client }) => {
  const lasted = exp - iat;
  const words = `Set by the lifetime of access tokens of client ${client_id}, ${lasted} s`;
  const origin = { source: 'client', words, path: clientPath(client_id) } as const;
  if (client === undefined || client.access_token_lifetime === lasted) return origin;
  if (lasted < client.access_token_lifetime) return shortened(lasted, client.access_token_lifetime);
  return { ...origin, since: `Client ${client_id} was edited since: ${client.access_token_lifetime} s.` };
};

const idEnd: Origin = ({ event: { client_id, iat, exp }, client }) => {
  const lasted = exp - iat;
  const own = client?.id_token_lifetime;
  if (own === undefined) return { source: 'default', words: `Default of the server for ID Tokens, ${lasted} s` };
  if (lasted < own) return shortened(lasted, own);
  const words = `Set by the lifetime of ID Tokens of client ${client_id}, ${lasted} s`;
  return { source: 'client', words, path: clientPath(client_id) };
};

/** It may also be that the client was edited; both are said. */
function shortened(lasted: number, lifetime: number): ClaimOrigin {
  return {
    source: 'server',
    words: `Set by the server: ${lasted} s, and not the ${lifetime} s of the client now`,
    since: 'It ends with what it was made from, or the client was edited since.',
  };
}

/** Configuration can set these, where the protocol has nothing to say. */
const ofSession =
  (words: string): Origin =>
  issuance =>
    hasSession(issuance) ? { source: 'login', words } : undefined;

function hasSession({ event, claims }: Issuance): boolean {
  return event.sub !== undefined && typeof claims.auth_time === 'number';
}

const session: Readonly<Record<string, Origin>> = {
  sid: ofSession('The session of the login'),
  auth_time: ofSession('When the user logged in'),
  acr: ofSession('How the user logged in, or the acr_values of the request'),
  amr: ofSession('How the user logged in'),
};

const ofAccessTokens: Readonly<Record<string, Origin>> = {
  iss: byServer('Set by the server: its issuer'),
  sub: subject,
  aud: audience,
  client_id: asker,
  iat: byServer('Set by the clock of the server'),
  nbf: byServer('Set by the clock of the server'),
  exp: accessEnd,
  jti: byServer('Made by the server'),
  scope: ({ event }) =>
    event.scope === undefined
      ? undefined
      : { source: 'request', words: `Granted: what was asked for and client ${event.client_id} may have` },
  ...session,
  cnf: () => ({ source: 'proof', words: 'The key that the client proved to hold' }),
  act: ({ event }) =>
    event.type === 'token.issued' && event.grant_type === exchange
      ? { source: 'request', words: 'The actor_token of the exchange' }
      : undefined,
  authorization_details: () => ({ source: 'request', words: 'Asked for by the client, and granted' }),
};

const ofIdTokens: Readonly<Record<string, Origin>> = {
  iss: byServer('Set by the server: its issuer'),
  sub: subject,
  aud: asker,
  azp: asker,
  exp: idEnd,
  iat: byServer('Set by the clock of the server'),
  nonce: () => ({ source: 'request', words: 'Sent by the application in its request' }),
  at_hash: byServer('Computed from the access token beside it'),
  c_hash: byServer('Computed from the code beside it'),
  ...session,
};
