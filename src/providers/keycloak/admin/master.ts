import { defined } from '../../../base/defined.ts';
import { invalidClient, invalidGrant, OAuthError, unsupportedGrantType } from '../../../protocol/errors.ts';
import { shorten } from '../../../protocol/parameters.ts';
import { sameSecret } from '../../../protocol/random.ts';
import { type CallInput, call, done, json, type ManagementCall } from '../../management/call.ts';
import { type Master, masterTokens, requireMasterToken } from './master-token.ts';
import { masterOf, type Realm } from './realm.ts';

const protocol = '/realms/master/protocol/openid-connect';

/** The realm `master`, as far as admin clients ask it. */
export const masterCalls: readonly ManagementCall<Realm>[] = [
  call('GET /realms/master', 'the realm of the admin', undefined, (_, realm) => json(described(realm))),
  call('GET /realms/master/.well-known/openid-configuration', 'its metadata', undefined, (_, realm) =>
    json(metadata(realm)),
  ),
  call(`POST ${protocol}/token`, 'a token for the admin', undefined, token, { form: true }),
  call(`POST ${protocol}/logout`, 'ends nothing: tokens of the admin last half an hour', undefined, () => done, {
    form: true,
  }),
];

function described(realm: Realm): object {
  const issuer = masterOf(realm);
  return {
    realm: 'master',
    'token-service': `${issuer}/protocol/openid-connect`,
    'account-service': `${issuer}/account`,
    'tokens-not-before': 0,
  };
}

function metadata(realm: Realm): object {
  const issuer = masterOf(realm);
  return {
    issuer,
    token_endpoint: `${issuer}/protocol/openid-connect/token`,
    end_session_endpoint: `${issuer}/protocol/openid-connect/logout`,
    grant_types_supported: ['password', 'refresh_token'],
    response_types_supported: [],
    subject_types_supported: ['public'],
    token_endpoint_auth_methods_supported: ['none'],
  };
}

/** The token endpoint (RFC 6749 §4.3, §6) for the public client `admin-cli` and the user `admin`. */
function token({ body, req }: CallInput, realm: Realm) {
  const form = body instanceof URLSearchParams ? body : new URLSearchParams();
  const text = (name: string) => form.get(name) ?? undefined;
  if (text('client_id') !== 'admin-cli')
    throw invalidClient('client_unknown', 'the realm master has the client admin-cli only', {
      ...defined({ sent: text('client_id')?.slice(0, 100) }),
      expected: 'admin-cli; a service account gets its token from its own realm',
    });
  const grant = text('grant_type') ?? '';
  const now = realm.server.wallClock();
  const master = { issuer: masterOf(realm), secret: realm.secret };
  if (grant === 'password') requireAdmin(realm, req, text('username') ?? '', text('password') ?? '');
  else if (grant === 'refresh_token') requireRefreshToken(master, text('refresh_token') ?? '', now);
  else
    throw unsupportedGrantType('grant_type_unsupported', 'the realm master has two grants', {
      sent: shorten(grant),
      expected: 'password or refresh_token',
    });
  return json(masterTokens(master, now));
}

/** The credentials of Keycloak's dev mode. Where a `CONTROL_TOKEN` closes the control API, it is the password. */
function requireAdmin({ requireControlToken }: Realm, req: CallInput['req'], username: string, password: string): void {
  const wrong = (expected: string) =>
    invalidGrant('login_failed', 'wrong username or password', { sent: shorten(username), expected });
  if (username !== 'admin') throw wrong('the user admin');
  if (requireControlToken === undefined) {
    if (!sameSecret(password, 'admin')) throw wrong('the password admin');
    return;
  }
  try {
    requireControlToken(req, password);
  } catch (error) {
    if (error instanceof OAuthError && error.status === 401) throw wrong('the CONTROL_TOKEN as the password of admin');
    throw error;
  }
}

function requireRefreshToken(master: Master, token: string, now: number): void {
  try {
    requireMasterToken(master, token, 'Refresh', now);
  } catch (cause) {
    throw invalidGrant('refresh_token_expired_or_unknown', 'the refresh token is not one of the realm master', {
      cause,
    });
  }
}
