import type { AuthorizationServer } from '../../protocol/authorization-server.ts';
import type { Reply } from '../../protocol/endpoints/endpoint.ts';
import { revoke } from '../../protocol/endpoints/revoke.ts';
import { token } from '../../protocol/endpoints/token.ts';
import { userinfo } from '../../protocol/endpoints/userinfo.ts';
import { certifiedKeys } from '../../protocol/tokens/key-certificate.ts';
import type { PresetPlace } from '../../sandbox/provider.ts';
import { asChallenge, asJson, asPage } from '../../server/http/error-replies.ts';
import type { EndpointRoute } from '../../server/http/route.ts';
import { forClients, ownRoute } from '../own-route.ts';
import { withQueryToken } from '../query-token.ts';
import { asDatabaseError, changePassword, signUp } from './database.ts';
import { logout } from './logout.ts';
import { authenticators, challenge } from './second-factor-calls.ts';

const byQueryToken = withQueryToken(userinfo);

/** Endpoints of a tenant that are its own, or differ from the usual ones: several accept JSON in place of a form. */
export function routes({ base, paths }: PresetPlace): readonly EndpointRoute[] {
  const own = ownRoute('Auth0');
  const asked = { form: asJson, ...forClients, body: 'parameters' } as const;
  const database = { ...asked, form: asDatabaseError, knownPages: true } as const;
  return [
    own('jwks GET', base + paths.jwks, 'public keys, with certificates', jwksWithCertificates, {
      form: asJson,
      cors: 'anyone',
      constant: true,
    }),
    own('token POST', base + paths.token, 'token endpoint, for forms and JSON', token, { ...asked, credentials: true }),
    own('revoke POST', base + paths.revoke, 'token revocation, for forms and JSON', revoke, {
      ...asked,
      feature: 'revocation',
    }),
    own('userinfo GET POST', base + paths.userinfo, 'UserInfo, also with the token in the query', byQueryToken, {
      form: asChallenge,
      ...forClients,
    }),
    own('v2_logout GET', `${base}/v2/logout`, 'logout without a question, back to `returnTo`', logout, {
      form: asPage,
    }),
    own('mfa_challenge POST', `${base}/mfa/challenge`, 'asks a user for a second factor', challenge, asked),
    own('mfa_authenticators GET', `${base}/mfa/authenticators`, 'second factors of a user', authenticators, {
      form: asJson,
      cors: 'clients',
    }),
    own('signup POST', `${base}/dbconnections/signup`, 'creates a user', signUp, database),
    own(
      'change_password POST',
      `${base}/dbconnections/change_password`,
      'accepts the wish for a new password; the sandbox sends no e-mail',
      changePassword,
      database,
    ),
  ];
}

/** The public keys, RSA keys with a certificate that they signed themselves: `x5c` and `x5t` (RFC 7517 §4.7, §4.8). */
async function jwksWithCertificates(server: AuthorizationServer): Promise<Reply> {
  const { keys } = await certifiedKeys(server);
  const body = keys.map(({ x5c, x5t, 'x5t#S256': _, ...jwk }) => (jwk.kty === 'RSA' ? { ...jwk, x5c, x5t } : jwk));
  return { kind: 'json', status: 200, body: { keys: body } };
}
