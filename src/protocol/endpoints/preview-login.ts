import type { Redemption } from '../authorization.ts';
import type { AuthorizationServer } from '../authorization-server.ts';
import type { RegisteredClient } from '../clients/client.ts';
import { finishedClaims } from '../finished-claims.ts';
import type { ParsedObject } from '../json-parameter.ts';
import { brings } from '../profile.ts';
import { systemRandom } from '../random.ts';
import { reachableAcr } from '../requests/acr.ts';
import type { AuthorizationRequest } from '../requests/authorization-request.ts';
import type { RuledKind } from '../token-rule.ts';
import { accessTokenClaims } from '../tokens/access-token.ts';
import { idTokenClaims } from '../tokens/id-token.ts';
import type { LoginClaims } from '../users/login-claims.ts';
import { sessionOf } from '../users/session.ts';
import { createUserDirectory, type TestUser } from '../users/user.ts';
import { requestedClaims, subjectFor, userClaims } from '../users/user-claims.ts';
import { authorizationOf } from './issue-response.ts';
import { isForUserInfo } from './userinfo.ts';

interface PreviewedLogin {
  readonly client: RegisteredClient;
  readonly asked: AuthorizationRequest;
  readonly user: TestUser;
  readonly edited: LoginClaims | undefined;
}

/** Claims by the place they would appear in; a token that would not be issued is absent. */
export interface LoginPreview {
  readonly access: ParsedObject;
  readonly id?: ParsedObject;
  readonly userinfo?: ParsedObject;
}

const anew = '(new in every token)';

/** The tokens a login would give if the user allowed everything, by the functions that make real ones. Stores nothing. */
export async function previewLogin(
  original: AuthorizationServer,
  { client, asked, user, edited }: PreviewedLogin,
): Promise<LoginPreview> {
  const users = createUserDirectory([...original.users.values(), user], []);
  const server = { ...original, users, random: systemRandom }; // a preview must not change the next values of a seed
  const [acr] = reachableAcr(server, asked);
  const facts = { user, method: 'click', edited, acr } as const;
  const authorization = authorizationOf(server, asked, { ...sessionOf(server, facts), sid: anew });
  const { scopes, resources, claims } = authorization;
  const redemption: Redemption = { authorization, scopes, resources };
  // a code is redeemed by a request of its own
  const request = asked.response_type === 'code' ? undefined : asked;
  const about = { server, client, ...redemption, asked: request, isPreview: true } as const;
  const finished = async (kind: RuledKind, claims: ParsedObject) => (await finishedClaims(kind, about, claims)).written;
  const usual = { ...accessTokenClaims(server, client, redemption, { tokenId: 'tok_preview' }), jti: anew };
  const access = await finished('accessToken', usual);
  if (!scopes.includes('openid')) return { access };
  const beside = asked.response_type === 'id_token' ? {} : { accessToken: anew };
  const usualId = { ...idTokenClaims(server, client, authorization, { scopes, ...beside }), ...hashes(asked) };
  const id = await finished('idToken', usualId);
  if (!isForUserInfo(server, usual)) return { access, id };
  const userinfo = {
    ...userClaims(server, authorization, scopes),
    ...requestedClaims(server, authorization, claims?.userinfo),
    sub: subjectFor(server, client, user.sub),
  };
  return { access, id, userinfo: await finished('userinfo', userinfo) };
}

function hashes({ response_type }: AuthorizationRequest): ParsedObject {
  if (response_type === 'id_token') return {};
  return { at_hash: anew, ...(response_type !== 'code' && brings(response_type, 'code') ? { c_hash: anew } : {}) };
}
