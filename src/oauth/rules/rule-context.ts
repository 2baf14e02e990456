import { defined } from '../../defined.ts';
import type { AuthorizationServer } from '../authorization-server.ts';
import type { WrittenFor } from '../dialect.ts';
import { loggedInUser } from '../users/user-claims.ts';

/** The values that templates can use, by their first name. */
export interface RuleContext {
  /** The claims of the user, with `sub`, `username` and `access_token_claims`; absent where a client acts for itself. */
  readonly user: Readonly<Record<string, unknown>> | undefined;
  /** The members of the client, without its secret. */
  readonly client: Readonly<Record<string, unknown>>;
  /** The parameters of the request, without secrets. */
  readonly request: Readonly<Record<string, unknown>>;
  /** Its `type`, its `resources`, and the facts of the login: `acr`, `amr`, `auth_time`, `sid`. */
  readonly grant: Readonly<Record<string, unknown>>;
  readonly scopes: readonly string[];
  /** The claims so far. */
  readonly claims: Readonly<Record<string, unknown>>;
}

/** The context of one token or answer. */
export function ruleContext(
  { server, client, authorization, scopes, resources = [], request }: WrittenFor<AuthorizationServer>,
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
    request: withoutSecrets(parametersOf(request)),
    grant: { ...session, type: grant_type, resources },
    scopes,
    claims,
  };
}

/** Names that hold a secret or somebody's token. `subject_token_type` and the like do not. */
const secret =
  /secret|password|verifier|assertion$|token$|^(code|device_code|user_code|auth_req_id|request|id_token_hint)$/;

function withoutSecrets(parameters: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(parameters).filter(([name]) => !secret.test(name)));
}

/** The parameters by name: those of the form, or those of the checked authorization request. */
function parametersOf(request: WrittenFor<AuthorizationServer>['request']): Readonly<Record<string, unknown>> {
  if (request === undefined) return {};
  if ('values' in request) {
    const { values, resources, audiences = [] } = request;
    const lists = Object.entries({ resource: resources, audience: audiences });
    return { ...Object.fromEntries(values), ...Object.fromEntries(lists.filter(([_, list]) => list.length > 1)) };
  }
  const { scopes, resources, prompt, acr_values, ...others } = request;
  const [scope, words, acr] = [scopes, prompt, acr_values].map(list => list.join(' ') || undefined);
  const [resource] = resources;
  const listed = { resource: resources.length > 1 ? resources : resource };
  return defined({ ...others, ...listed, scope, prompt: words, acr_values: acr });
}
