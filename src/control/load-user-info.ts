import type { Emit } from '../events/event.ts';
import type { AuthorizationServer } from '../oauth/authorization-server.ts';
import { userinfo } from '../oauth/endpoints/userinfo.ts';
import type { ParsedObject } from '../oauth/json-parameter.ts';
import { parseParameters } from '../oauth/parameters.ts';
import type { TokenResponse } from '../oauth/tokens/issue-tokens.ts';
import { decodeJwt } from '../text/jwt.ts';

/** What UserInfo tells the client that has these tokens; nothing where the login was no OpenID Connect (OIDC Core §5.3). */
export async function loadUserInfo(
  { server, emit }: { readonly server: AuthorizationServer; readonly emit: Emit },
  { access_token, id_token }: TokenResponse,
): Promise<ParsedObject> {
  if (id_token === undefined) return {};
  const reply = await userinfo(server, {
    method: 'GET',
    path: server.paths.userinfo,
    parameters: parseParameters(''),
    authorization: `Bearer ${access_token}`,
    emit,
  });
  if (reply.kind === 'text') return decodeJwt(reply.body)?.claims ?? {};
  return reply.kind === 'json' ? { ...reply.body } : {};
}
