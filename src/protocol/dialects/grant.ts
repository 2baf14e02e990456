import type { AuthorizationServer } from '../authorization-server.ts';
import type { GivenGrant, GrantedAnswer } from '../dialect.ts';
import { lenientParameter } from '../parameters.ts';
import { loggedInUser } from '../users/user-claims.ts';
import { claimsByRules } from './claim-rules.ts';
import type { DialectData, ResponseForm } from './dialect-data.ts';
import { earlierGrant, rememberGrant } from './earlier-grant.ts';
import { spokenScopes } from './scopes.ts';

type GrantForms = Pick<DialectData, 'options' | 'scopes'> & { readonly responses: ResponseForm };

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
  const isSent = (name: string, value: string) => lenientParameter(parameters, name) === value;
  const isIncremental = addsEarlierScopes !== undefined && isSent(addsEarlierScopes, 'true');
  const scopes = isIncremental ? all : authorization.scopes;
  await rememberGrant(server, parties, { scopes: all });
  const isOnline = offline !== undefined && !(consent && isSent(offline.parameter, offline.value));
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

function textsOf(members: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(members).map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]),
  );
}
