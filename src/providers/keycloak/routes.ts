import type { AnyMembers } from '../../base/text/record.ts';
import type { AuthorizationServer } from '../../protocol/authorization-server.ts';
import { endSession, logoutByRefreshToken } from '../../protocol/endpoints/end-session.ts';
import type { EndpointRequest, Reply } from '../../protocol/endpoints/endpoint.ts';
import { userinfo } from '../../protocol/endpoints/userinfo.ts';
import { findSession } from '../../protocol/users/session.ts';
import type { PresetPlace } from '../../sandbox/provider.ts';
import { asChallenge, asJson, asPage } from '../../server/http/error-replies.ts';
import type { EndpointRoute } from '../../server/http/route.ts';
import { ownRoute } from '../own-route.ts';
import { cookieTest, frame } from './frames.ts';

/** Endpoints of a realm that are its own, or differ from the usual ones. */
export function routes({ base, paths }: PresetPlace): readonly EndpointRoute[] {
  const own = ownRoute('Keycloak');
  const iframe = base + paths.checkSession;
  const cookies = `${base}/protocol/openid-connect/3p-cookies/step1.html`;
  const forPages = { form: asPage } as const;
  const forClients = { cors: 'clients' } as const;
  return [
    own('realm GET', base, 'public key and addresses of the realm', realm, { form: asJson, cors: 'anyone' }),
    own('end_session GET POST', base + paths.endSession, 'logout, also by a back end with a refresh token', logout, {
      ...forPages,
      ...forClients,
      takesPost: 'refresh_token',
    }),
    own('check_session GET', iframe, 'iframe that tells when the login has changed', async () => frame, forPages),
    own('check_session GET', `${iframe}/init`, 'state of the session for that iframe', sessionState, { form: asJson }),
    own('cookie_test GET', cookies, 'iframe that tests cookies', async () => cookieTest, forPages),
    own('account GET', `${base}/account`, 'profile of the user, for `loadUserProfile`', account, {
      form: asChallenge,
      ...forClients,
    }),
  ];
}

function logout(server: AuthorizationServer, request: EndpointRequest): Promise<Reply> {
  const isOfBackEnd = request.method === 'POST' && request.parameters.values.has('refresh_token');
  return isOfBackEnd ? logoutByRefreshToken(server, request) : endSession(server, request);
}

/** The document at the issuer itself, from which old adapters take the key. */
async function realm(server: AuthorizationServer): Promise<Reply> {
  const { issuer, keys, signingAlg, dialect } = server;
  const { publicKey } = await keys.forAlg(signingAlg);
  return {
    kind: 'json',
    status: 200,
    body: {
      realm: dialect?.options.realm,
      public_key: publicKey.export({ type: 'spki', format: 'der' }).toString('base64'),
      'token-service': `${issuer}/protocol/openid-connect`,
      'account-service': `${issuer}/account`,
      'tokens-not-before': 0,
    },
  };
}

/** 204 while the session of the browser has this `sid`, 403 otherwise. */
async function sessionState(server: AuthorizationServer, { parameters, sessionId }: EndpointRequest): Promise<Reply> {
  const session = await findSession(server, sessionId);
  if (session !== undefined && session.sid === parameters.values.get('sid')) return { kind: 'empty' };
  return { kind: 'json', status: 403, body: {} };
}

/** The answer to `loadUserProfile`: the claims of UserInfo by other names. */
async function account(server: AuthorizationServer, request: EndpointRequest): Promise<Reply> {
  const reply = await userinfo(server, request);
  if (reply.kind !== 'json') return reply;
  const { sub, preferred_username, given_name, family_name, email, email_verified } = reply.body as AnyMembers; // UserInfo is JSON
  return {
    kind: 'json',
    status: 200,
    body: {
      id: sub,
      username: preferred_username,
      firstName: given_name,
      lastName: family_name,
      email,
      emailVerified: email_verified ?? false,
      attributes: {},
    },
  };
}
