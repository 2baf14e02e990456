import type { AuthorizationServer } from '../../protocol/authorization-server.ts';
import { forgetGrant } from '../../protocol/dialects/wire.ts';
import type { EndpointRequest, Reply } from '../../protocol/endpoints/endpoint.ts';
import { revoke } from '../../protocol/endpoints/revoke.ts';
import { token } from '../../protocol/endpoints/token.ts';
import { OAuthError } from '../../protocol/errors.ts';
import { lenientParameter } from '../../protocol/parameters.ts';
import { findToken } from '../../protocol/tokens/find-token.ts';
import type { PresetPlace } from '../../sandbox/provider.ts';
import { asJson } from '../../server/http/error-replies.ts';
import type { EndpointRoute } from '../../server/http/route.ts';
import { withoutKeptRefreshToken } from '../kept-refresh-token.ts';
import { forClients, ownRoute } from '../own-route.ts';

/** Endpoints of Apple that differ from the usual ones. */
export function routes({ base, paths }: PresetPlace): readonly EndpointRoute[] {
  const own = ownRoute('Apple');
  const rules = { form: asJson, ...forClients } as const;
  return [
    own('token POST', base + paths.token, 'token endpoint', appleToken, { ...rules, credentials: true }),
    own('revoke POST', base + paths.revoke, 'revocation endpoint', revokeToken, rules),
    own('userinfo GET POST', base + paths.userinfo, 'answer for UserInfo', noUserinfo, rules),
  ];
}

async function appleToken(server: AuthorizationServer, request: EndpointRequest): Promise<Reply> {
  return withoutKeptRefreshToken(await token(server, request), request);
}

/** Revocation. The next login of the user is a first one, so the name comes again. */
async function revokeToken(server: AuthorizationServer, request: EndpointRequest): Promise<Reply> {
  const sent = lenientParameter(request.parameters, 'token');
  const found = sent === undefined ? undefined : await findToken(server, sent);
  await revoke(server, request);
  if (found !== undefined) {
    const sub = String(found.record?.authorization.sub ?? found.claims.sub);
    await forgetGrant(server, [found.client_id, sub]);
  }
  return { kind: 'text', type: 'application/json', body: '' };
}

async function noUserinfo(): Promise<Reply> {
  throw new OAuthError('invalid_request', 'not_offered', 'Apple has no UserInfo endpoint', {
    status: 501,
    expected: 'Read the ID token, and `user` of the first authorization response.',
  });
}
