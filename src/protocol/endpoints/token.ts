import type { AuthorizationServer, GrantHandler } from '../authorization-server.ts';
import type { RegisteredClient } from '../clients/client.ts';
import { authenticateClient, requireGrant } from '../clients/client-authentication.ts';
import { unsupportedGrantType } from '../errors.ts';
import { grants } from '../grants/index.ts';
import { clientParameters, lenientParameter, requiredParameter, shorten, unknownParameters } from '../parameters.ts';
import { nonceHeader } from '../proofs/dpop-nonce.ts';
import { senderConfirmation } from '../proofs/sender-constraint.ts';
import { type Issue, issueTokens } from '../tokens/issue-tokens.ts';
import type { TokenResponse } from '../tokens/token-response.ts';
import type { EndpointRequest, Reply } from './endpoint.ts';

/** The token endpoint (RFC 6749 §3.2). */
export async function token(server: AuthorizationServer, request: EndpointRequest): Promise<Reply> {
  const { client } = await authenticateClient(server, request);
  return tokensFor(server, request, client);
}

/** The answer to a client that is known to be the one that asks. */
export async function tokensFor(
  server: AuthorizationServer,
  request: EndpointRequest,
  client: RegisteredClient,
): Promise<Reply> {
  const { parameters, emit } = request;
  const grant = findGrant(server, requiredParameter(parameters, 'grant_type'));
  if (!grant.isForAll) requireGrant(client, grant.registeredAs ?? grant.grantType);
  emitRequested(request, client, grant);
  const confirmation = await senderConfirmation(server, client, request);
  const asking = { server, client, parameters, emit, confirmation };
  const answer = async () => issue({ ...asking, redemption: await grant.redeem(asking), asked: parameters });
  const { refreshTokenGrace: grace = 0 } = server.dropIns ?? {};
  const isForgiven = grace > 0 && grant.grantType === 'refresh_token';
  const body = isForgiven
    ? await (await import('../refresh-grace.ts')).sameAnswer(asking, grace, answer)
    : await answer();
  const headers = request.dpop === undefined ? {} : nonceHeader(server);
  return { kind: 'json', status: 200, body, headers };
}

async function issue(what: Issue): Promise<TokenResponse> {
  if (what.redemption.requestedTokenType === undefined) return issueTokens(what);
  const { issueRequestedToken } = await import('../tokens/issue-requested-token.ts');
  return issueRequestedToken(what);
}

function findGrant(server: AuthorizationServer, grantType: string): GrantHandler {
  const grant = server.grants.get(grantType);
  if (grant !== undefined) return grant;
  const expected = [...server.grants.keys()].join(', ');
  const feature = grants.get(grantType)?.feature;
  const why =
    feature === undefined ? 'is not supported' : `is switched off: start the sandbox with FEATURES=${feature}=on`;
  const description = `grant_type ${why}; supported: ${expected}`;
  throw unsupportedGrantType('grant_type_unsupported', description, { sent: shorten(grantType), expected });
}

function emitRequested({ parameters, emit }: EndpointRequest, client: RegisteredClient, grant: GrantHandler): void {
  const scope = lenientParameter(parameters, 'scope');
  emit({
    type: 'token.requested',
    client_id: client.client_id,
    grant_type: grant.grantType,
    ...(scope === undefined ? {} : { scope: shorten(scope) }),
    ignored: unknownParameters(parameters, knownParameters(grant)),
  });
}

const known = new WeakMap<GrantHandler, ReadonlySet<string>>();

function knownParameters(grant: GrantHandler): ReadonlySet<string> {
  const names = known.get(grant) ?? new Set<string>(['grant_type', ...clientParameters, 'scope', ...grant.parameters]);
  known.set(grant, names);
  return names;
}
