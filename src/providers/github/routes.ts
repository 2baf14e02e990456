import type { PresetPlace } from '../../sandbox/provider.ts';
import type { EndpointRoute } from '../../server/http/route.ts';
import { forClients, ownRoute } from '../own-route.ts';
import { deviceCode, githubToken } from './endpoints.ts';
import { asApiError, asTokenError } from './error-forms.ts';
import { emails, organizations, user } from './user-calls.ts';

/** Endpoints of GitHub that are its own, or differ from the usual ones. GitHub Enterprise has the API below `/api/v3`. */
export function routes({ base, paths }: PresetPlace): readonly EndpointRoute[] {
  const own = ownRoute('GitHub');
  const tokenRules = { form: asTokenError, ...forClients, body: 'parameters' } as const;
  const apiRules = { form: asApiError, cors: 'anyone', limited: true } as const;
  return [
    own('token POST', base + paths.token, 'token endpoint', githubToken, { ...tokenRules, credentials: true }),
    own('device_authorization POST', base + paths.deviceAuthorization, 'device authorization', deviceCode, {
      ...tokenRules,
      feature: 'device',
    }),
    ...[base, `${base}/api/v3`].flatMap(api => [
      own('userinfo GET', `${api}/user`, 'user of a token', user, apiRules),
      own('userinfo GET', `${api}/user/emails`, 'e-mail addresses of the user', emails, apiRules),
      own('userinfo GET', `${api}/user/orgs`, 'organizations of the user', organizations, apiRules),
    ]),
  ];
}
