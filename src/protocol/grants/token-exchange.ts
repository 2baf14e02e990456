import { isRecord } from '../../base/text/record.ts';
import type { ActClaim, AuthorizationDetail, ExchangeTokenType, Redemption } from '../authorization.ts';
import type { AuthorizationServer, GrantHandler, TokenRequest } from '../authorization-server.ts';
import { isPublic } from '../clients/client.ts';
import { invalidRequest, invalidScope, invalidTarget } from '../errors.ts';
import { descendantId } from '../kept-authorizations.ts';
import { parameter, requiredParameter, shorten } from '../parameters.ts';
import { askedScopes, checkResources } from '../requests/requested-access.ts';
import { foreignScopes, parseScope } from '../scope.ts';
import { type ExchangedToken, readExchangedToken } from '../tokens/exchanged-token.ts';
import { subjectFor } from '../users/user-claims.ts';

/**
 * Redeems a token for a different one (RFC 8693). Without an actor the new token is the subject's own (impersonation);
 * with an actor it says who acts for whom (delegation). Its scopes and lifetime never exceed those of the subject token,
 * and it ends when the grant of the subject token is revoked.
 */
export const tokenExchange: GrantHandler = {
  grantType: 'urn:ietf:params:oauth:grant-type:token-exchange',
  feature: 'token-exchange',
  parameters: [
    'subject_token',
    'subject_token_type',
    'actor_token',
    'actor_token_type',
    'requested_token_type',
    'audience',
    'resource',
  ],
  redeem: exchangeToken,
};

const urn = 'urn:ietf:params:oauth:token-type:';
const types: readonly ExchangeTokenType[] = ['access_token', 'refresh_token', 'id_token', 'jwt'];

async function exchangeToken(request: TokenRequest): Promise<Redemption> {
  const { server, client } = request;
  const requestedTokenType = typeOf(request, 'requested_token_type', 'access_token');
  const subject = await readSubject(request);
  checkPossession(request, subject);
  const actor = await readActor(request);
  checkMayAct(request, subject, actor);
  const scopes = grantedScopes(request, subject);
  const resources = exchangeTargets(request, subject.claims.aud);
  const { session, edited, exp: notAfter, tokenId } = subject;
  const act = actClaim(request, subject, actor);
  const details = subject.claims.authorization_details as readonly AuthorizationDetail[] | undefined; // made by this server
  const ownId = server.random.id();
  const authorization = {
    id: subject.authorizationId === undefined ? ownId : descendantId(subject.authorizationId, ownId),
    client_id: client.client_id,
    grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
    sub: subject.sub,
    scopes,
    resources,
    notAfter,
    session,
    edited,
    act,
    authorization_details: tokenId === undefined ? undefined : details,
  };
  return { authorization, scopes, resources, requestedTokenType, parentTokenId: tokenId };
}

/** @throws invalid_request for an unsupported token type (RFC 8693 §3) */
function typeOf({ parameters }: TokenRequest, name: string, fallback?: ExchangeTokenType): ExchangeTokenType {
  const sent = fallback === undefined ? requiredParameter(parameters, name) : parameter(parameters, name);
  const type = sent === undefined ? fallback : types.find(each => urn + each === sent);
  if (type !== undefined) return type;
  const reason = fallback === undefined ? 'token_type_unsupported' : 'requested_token_type_unsupported';
  const expected = types.map(each => urn + each).join(', ');
  const details = { sent: shorten(sent ?? ''), expected };
  throw invalidRequest(reason, `${name} is not a token type this server supports`, details);
}

async function readSubject(request: TokenRequest): Promise<ExchangedToken> {
  const token = requiredParameter(request.parameters, 'subject_token');
  const type = typeOf(request, 'subject_token_type');
  return readExchangedToken({ ...request, role: 'subject', refuse: invalidRequest }, token, type);
}

/**
 * A public client must prove that it holds the key of a bound token, or a thief could turn it into a bearer token. A client
 * that authenticates, such as a gateway, cannot have the key of the application it acts for.
 */
function checkPossession({ client, confirmation }: TokenRequest, { claims: { cnf } }: ExchangedToken): void {
  if (!isPublic(client) || !isRecord(cnf)) return;
  const lacking = (['jkt', 'x5t#S256'] as const).find(
    member => cnf[member] !== undefined && cnf[member] !== confirmation?.[member],
  );
  if (lacking === undefined) return;
  const reason = lacking === 'jkt' ? 'dpop_key_mismatch' : 'certificate_mismatch';
  throw invalidRequest(reason, 'a public client can exchange a bound subject_token only with a proof of the same key', {
    sent: confirmation?.[lacking] ?? 'no proof of a key',
    expected: `${lacking} ${String(cnf[lacking])}`,
  });
}

/** RFC 8693 §2.1: token and type together, or neither. */
async function readActor(request: TokenRequest): Promise<ExchangedToken | undefined> {
  const token = parameter(request.parameters, 'actor_token');
  if (token === undefined) {
    if (parameter(request.parameters, 'actor_token_type') === undefined) return undefined;
    const description = 'actor_token_type was sent without actor_token';
    throw invalidRequest('actor_token_type_unexpected', description, { expected: 'both parameters or neither' });
  }
  const type = typeOf(request, 'actor_token_type');
  if (type === 'refresh_token') {
    const details = { sent: urn + type, expected: `${urn}access_token, ${urn}id_token or ${urn}jwt` };
    throw invalidRequest('token_type_unsupported', 'a refresh token cannot be an actor_token', details);
  }
  return readExchangedToken({ ...request, role: 'actor', refuse: invalidRequest }, token, type);
}

/** RFC 8693 §4.4: `may_act` in the subject token must name the actor, or the client if there is no actor token. */
function checkMayAct(
  { server, client }: TokenRequest,
  { claims }: ExchangedToken,
  actor: ExchangedToken | undefined,
): void {
  const { may_act: allowed } = claims;
  if (allowed === undefined) return;
  const { client_id } = client;
  const acting = actor === undefined ? { iss: server.iss, sub: client_id, client_id } : identityOf(server, actor);
  // an allowed party needs more than `iss`, which alone would match everybody at that issuer
  const isNamed = isRecord(allowed) && ('sub' in allowed || 'client_id' in allowed);
  if (isNamed && identifiers.every(name => !(name in allowed) || allowed[name] === acting[name])) return;
  throw invalidRequest('may_act_mismatch', 'may_act of the subject_token does not name this actor', {
    sent: shorten(JSON.stringify(acting)),
    expected: shorten(JSON.stringify(allowed)),
  });
}

const identifiers = ['iss', 'sub', 'client_id'] as const;

/** The clients and users a token can be about, in the words of `may_act` (RFC 8693 §4.4). */
function identityOf({ iss }: AuthorizationServer, { sub, claims }: ExchangedToken): Record<string, unknown> {
  const isOurs = claims.iss === iss;
  return { iss: claims.iss, sub: isOurs ? sub : claims.sub, client_id: claims.client_id };
}

/** The requested scopes, at most those of both the subject token and the client; without a request all of these. */
function grantedScopes({ server, client, parameters }: TokenRequest, { scopes }: ExchangedToken): readonly string[] {
  const asked = askedScopes({ scopes: server.scopes }, client, parameter(parameters, 'scope'));
  if (client.origin === 'any') return asked.length > 0 ? asked : (scopes ?? []);
  const registered = parseScope(client.scope);
  if (asked.length === 0) return (scopes ?? []).filter(scope => registered.includes(scope));
  const foreign = foreignScopes(asked, scopes ?? asked);
  if (foreign.length === 0) return asked;
  const sent = shorten(foreign.join(' '));
  const expected = scopes?.join(' ') || 'no scope';
  throw invalidScope('scope_widened', `not in the subject_token: ${sent}`, { sent, expected });
}

/** RFC 8693 §4.1: the new actor is the outermost and contains the earlier ones. Without an actor the chain is unchanged. */
function actClaim(
  request: TokenRequest,
  subject: ExchangedToken,
  actor: ExchangedToken | undefined,
): ActClaim | undefined {
  const before = isAct(subject.claims.act) ? subject.claims.act : undefined;
  if (actor === undefined) return before;
  const { server, client } = request;
  const sub = server.users.has(actor.sub) ? subjectFor(server, client, actor.sub) : actor.sub;
  return { sub, act: before };
}

function isAct(value: unknown): value is ActClaim {
  return isRecord(value) && typeof value.sub === 'string';
}

/**
 * The targets of an exchanged token (RFC 8693 §2.1): `resource` is the address of any API, and `audience` a name this
 * server knows: a client, the audience of a client, or a value in the `aud` of the subject token. With `CLIENTS=any` it is any
 * name. Empty means the client's default.
 * @throws invalid_target
 */
function exchangeTargets(
  { server, client, parameters: { resources, audiences = [] } }: TokenRequest,
  before: string | readonly string[] = [],
): readonly string[] {
  const targets = checkResources(server, resources);
  if (client.origin === 'any') return [...new Set([...targets, ...audiences])];
  const known = knownAudiences(server);
  const ofSubject = typeof before === 'string' ? [before] : before;
  const unknown = audiences.find(audience => !known.has(audience) && !ofSubject.includes(audience));
  if (unknown !== undefined) {
    throw invalidTarget('audience_unknown', 'audience is not a registered client or the audience of a client', {
      sent: shorten(unknown),
      expected: shorten([...known].join(', '), 500),
    });
  }
  return [...new Set([...targets, ...audiences])];
}

function knownAudiences({ clients, protectedResources }: AuthorizationServer): ReadonlySet<string> {
  const ofClients = [...clients.values()].flatMap(({ client_id, audience }) => [client_id, ...audience]);
  return new Set([...ofClients, ...protectedResources.map(({ resource }) => resource)]);
}
