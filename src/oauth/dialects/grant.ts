import type { AuthorizationServer } from '../authorization-server.ts';
import type { GivenGrant, GrantedAnswer } from '../dialect.ts';
import { lenientParameter } from '../parameters.ts';
import { loggedInUser } from '../users/user-claims.ts';
import { claimsByRules } from './claim-rules.ts';
import type { ResponseForm, ScopeForm } from './dialect-data.ts';
import { earlierGrant, rememberGrant } from './earlier-grant.ts';
import { spokenScopes } from './scopes.ts';

interface GrantForms {
  readonly responses: ResponseForm;
  readonly options: Readonly<Record<string, string>>;
  readonly scopes?: ScopeForm | undefined;
}

/** The grant of a user, in the light of earlier ones to the same client, and the further parameters of its response. */
export async function grantBy(
  server: AuthorizationServer,
  { responses, options, scopes: form }: GrantForms,
  { client, authorization, prompt, parameters }: GivenGrant,
): Promise<GrantedAnswer> {
  const { rules, offline, addsEarlierScopes } = responses;
  const parties = [client.client_id, authorization.sub] as const;
  const earlier = await earlierGrant(server, parties);
  const known = earlier?.scopes ?? [];
  const isNew = earlier === undefined || authorization.scopes.some(scope => !known.includes(scope));
  const consent = isNew || prompt.includes('consent');
  const all = [...new Set([...authorization.scopes, ...known])];
  const isIncremental = addsEarlierScopes !== undefined && sent(parameters, addsEarlierScopes) === 'true';
  const scopes = isIncremental ? all : authorization.scopes;
  await rememberGrant(server, parties, { scopes: all });
  const isOnline = offline !== undefined && !(consent && sent(parameters, offline.parameter) === offline.value);
  const context = {
    options,
    user: loggedInUser(server, authorization),
    scope: Object.fromEntries(authorization.scopes.map(scope => [scope, true])),
    scopes: spokenScopes(form, scopes),
    first: earlier === undefined,
    consent,
  };
  return {
    authorization: { ...authorization, scopes, ...(isOnline ? { isOnline } : {}) },
    parameters: textsOf(claimsByRules(rules, context)),
  };
}

const sent = lenientParameter;

function textsOf(members: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(members).map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]),
  );
}
