import type { EndpointFunction } from '../../http/adapter.ts';
import type { EndpointRoute } from '../../http/route.ts';
import { forClients, ownRoute } from '../own-route.ts';
import type { PresetPlace } from '../preset.ts';
import { deviceCode, githubToken } from './endpoints.ts';
import { asApiError, asTokenError } from './error-forms.ts';
import { emails, organizations, user } from './user-calls.ts';

/** Endpoints of GitHub that are its own, or differ from the usual ones. GitHub Enterprise has the API below `/api/v3`. */
export function routes({ base, paths }: PresetPlace): readonly EndpointRoute[] {
  const at = (what: string, path: string, about: string, endpoint: EndpointFunction, rules: Rules) =>
    ownRoute('GitHub', [what, base + path, about], endpoint, rules);
  const tokenRules = { form: asTokenError, ...forClients, body: 'parameters' } as const;
  const apiRules = { form: asApiError, cors: 'anyone', limited: true } as const;
  return [
    at('token POST', paths.token, 'token endpoint', githubToken, { ...tokenRules, credentials: true }),
    at('device_authorization POST', paths.deviceAuthorization, 'device authorization', deviceCode, {
      ...tokenRules,
      feature: 'device',
    }),
    ...['', '/api/v3'].flatMap(api => [
      at('userinfo GET', `${api}/user`, 'user of a token', user, apiRules),
      at('userinfo GET', `${api}/user/emails`, 'e-mail addresses of the user', emails, apiRules),
      at('userinfo GET', `${api}/user/orgs`, 'organizations of the user', organizations, apiRules),
    ]),
  ];
}

type Rules = Parameters<typeof ownRoute>[3];
