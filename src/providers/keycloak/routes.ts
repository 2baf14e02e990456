import { hash } from 'node:crypto';
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
    own('check_session GET', iframe, 'iframe that tells when the sign-in has changed', async () => frame, forPages),
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

/**
 * The iframe that keycloak-js keeps open. A page sends `CLIENT_ID SID`, and is told `unchanged`, `changed` or `error`.
 * The state of the session comes from `init` below this address, because the cookie of the session is not readable.
 */
const frame = page(`
addEventListener('message', async ({ data, origin, source }) => {
  // an answer to a page without an origin would need the target *, which any page could read
  if (source === null || source === window || origin === 'null') return;
  const [client_id, sid = ''] = String(data).split(' ');
  let state = 'error';
  try {
    const query = new URLSearchParams({ client_id, sid, origin });
    const { status } = await fetch(location.pathname + '/init?' + query, { credentials: 'same-origin' });
    state = status === 204 ? 'unchanged' : 'changed';
  } catch {}
  source.postMessage(state, origin);
});
`);

/** The iframe in which keycloak-js finds out whether the browser lets this server keep cookies inside other pages. */
const cookieTest = page(`
document.cookie = 'grantbox_cookie_test=1; path=' + location.pathname + '; max-age=60';
const isKept = document.cookie.includes('grantbox_cookie_test=1');
document.cookie = 'grantbox_cookie_test=; path=' + location.pathname + '; max-age=0';
parent.postMessage(isKept ? 'supported' : 'unsupported', '*');
`);

/** A page without contents that any application may frame, and its one script, which the policy names by its hash. */
function page(script: string): Reply {
  const digest = hash('sha256', script, 'base64');
  return {
    kind: 'text',
    type: 'text/html; charset=utf-8',
    body: `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Frame</title></head><body><script>${script}</script></body></html>`,
    headers: {
      'Content-Security-Policy': `default-src 'none'; script-src 'sha256-${digest}'; connect-src 'self'; base-uri 'none'`,
      'X-Content-Type-Options': 'nosniff',
      'Referrer-Policy': 'same-origin',
    },
  };
}
