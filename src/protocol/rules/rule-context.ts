import { defined } from '../../base/defined.ts';
import type { AuthorizationServer } from '../authorization-server.ts';
import type { WrittenFor } from '../dialect.ts';
import type { RuleContext } from '../token-rule.ts';
import { loggedInUser } from '../users/user-claims.ts';

/** The context of one token or answer. */
export function ruleContext(
  { server, client, authorization, scopes, resources = [], asked }: WrittenFor<AuthorizationServer>,
  claims: Readonly<Record<string, unknown>>,
): RuleContext {
  const { sub, edited, grant_type, session } = authorization;
  const user = sub === undefined ? undefined : loggedInUser(server, { sub, ...(edited && { edited }) });
  const { client_secret: _, ...shown } = client;
  return {
    // by name: a password must not get into a token
    user: user && {
      username: user.username,
      ...user.claims,
      sub: user.sub,
      access_token_claims: user.access_token_claims,
    },
    client: shown,
    request: Object.fromEntries(Object.entries(parametersOf(asked)).filter(([name]) => !secret.test(name))),
    grant: { ...session, type: grant_type, resources },
    scopes,
    claims,
  };
}

/** Names that hold a secret or somebody's token. `subject_token_type` and the like do not. */
const secret =
  /secret|password|verifier|assertion$|token$|^(code|device_code|user_code|auth_req_id|request|id_token_hint)$/;

/** The parameters by name: those of the form, or those of the checked authorization request. */
function parametersOf(asked: WrittenFor<AuthorizationServer>['asked']): Readonly<Record<string, unknown>> {
  if (asked === undefined) return {};
  if ('values' in asked) {
    const { values, resources, audiences = [] } = asked;
    const lists = Object.entries({ resource: resources, audience: audiences });
    return { ...Object.fromEntries(values), ...Object.fromEntries(lists.filter(([_, list]) => list.length > 1)) };
  }
  const { scopes, resources, prompt, acr_values, hasNoRedirectUri: _, ...others } = asked;
  const [scope, words, acr] = [scopes, prompt, acr_values].map(list => list.join(' ') || undefined);
  const [resource] = resources;
  const listed = { resource: resources.length > 1 ? resources : resource };
  return defined({ ...others, ...listed, scope, prompt: words, acr_values: acr });
}
