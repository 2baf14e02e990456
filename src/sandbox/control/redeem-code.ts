import { defined } from '../../base/defined.ts';
import { decodeJwt } from '../../base/text/jwt.ts';
import type { RegisteredClient } from '../../protocol/clients/client.ts';
import { token } from '../../protocol/endpoints/token.ts';
import { userinfo } from '../../protocol/endpoints/userinfo.ts';
import type { ParsedObject } from '../../protocol/json-parameter.ts';
import { parseParameters } from '../../protocol/parameters.ts';
import type { TokenResponse } from '../../protocol/tokens/issue-tokens.ts';
import type { AskedIssuer } from './known-user.ts';
import { refusedInput } from './refusal.ts';

/** A code, and what it was given for. */
export interface Redeemed {
  readonly client: RegisteredClient;
  readonly redirect_uri: string;
  readonly code: string;
  readonly code_verifier?: string;
}

/**
 * Redeems the code in the name of the client.
 * @throws OAuthError where the token endpoint refuses it; invalid_request for a client whose private key is unknown
 * here
 */
export async function redeemCode(
  { server, emit }: AskedIssuer,
  { client, redirect_uri, code, code_verifier = '' }: Redeemed,
): Promise<TokenResponse> {
  const { authorization, form } = credentialsOf(client);
  const own = { grant_type: 'authorization_code', code, redirect_uri, code_verifier };
  const reply = await token(server, {
    method: 'POST',
    path: server.paths.token,
    parameters: parseParameters(new URLSearchParams({ ...own, ...form }).toString()),
    emit,
    ...defined({ authorization }),
  });
  if (reply.kind !== 'json') throw new Error(`a ${reply.kind} from the token endpoint`);
  return reply.body as TokenResponse; // what the endpoint makes of a code
}

/**
 * Client authentication at the token endpoint, by the methods it is registered for (RFC 6749 §2.3), as far as this server knows what they need.
 * @throws invalid_request for those whose key only the client has
 */
export function credentialsOf({ client_id, client_secret, token_endpoint_auth_methods: methods }: RegisteredClient): {
  readonly authorization?: string;
  readonly form: Readonly<Record<string, string>>;
} {
  if (client_secret !== undefined && methods.includes('client_secret_basic')) {
    const [id, secret] = [client_id, client_secret].map(encodeURIComponent);
    return { authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`, form: {} };
  }
  if (client_secret !== undefined && methods.includes('client_secret_post'))
    return { form: { client_id, client_secret } };
  if (methods.includes('none')) return { form: { client_id } };
  const expected = `code: ${client_id} authenticates with ${methods.join(' or ')}, and only that client has the key`;
  throw refusedInput([{ member: 'as', sent: 'tokens', expected }]);
}

/** The UserInfo response for these tokens; nothing where the login was not an OpenID Connect one (OIDC Core §5.3). */
export async function loadUserInfo(
  { server, emit }: AskedIssuer,
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
