import type { AuthorizationServer } from '../authorization-server.ts';
import type { Dialect } from '../dialect.ts';
import type { RequestParameters } from '../parameters.ts';
import type { DialectData } from './dialect-data.ts';
import { grantBy } from './grant.ts';
import { isBelowRegistered } from './redirect-below.ts';
import { readRequest } from './request.ts';
import { spokenScopes } from './scopes.ts';

type Wire = Pick<
  Dialect<AuthorizationServer>,
  | ('secret' | 'writeScopes' | 'asks' | 'knownParameters' | 'readRequest')
  | ('allowsRedirectUri' | 'grant' | 'responseOmits' | 'proveBySecret' | 'refreshNeedsScope' | 'userinfoByScope')
>;

/** The forms of secrets, scopes, authorization requests and their responses. */
export function wireOf(data: DialectData): Wire {
  return {
    secret: (kind, random) => data.secrets?.[kind]?.(random) ?? random,
    writeScopes: scopes => spokenScopes(data.scopes, scopes),
    asks: asksOf(data),
    refreshNeedsScope: data.refreshNeedsScope,
    userinfoByScope: data.userinfoByScope,
    ...requestsBy(data),
    ...responsesBy(data),
    ...secretsBy(data),
  };
}

function requestsBy({ requests, scopes }: DialectData) {
  return {
    knownParameters: requests?.parameters ?? [],
    readRequest: (server: AuthorizationServer, parameters: RequestParameters) =>
      readRequest(server, { requests, scopes }, parameters),
    ...(requests?.subPaths && { allowsRedirectUri: isBelowRegistered }),
  };
}

function asksOf({ requests, responses }: DialectData): Readonly<Record<string, string>> {
  const mode = requests?.demandedMode?.mode;
  const offline = responses?.offline;
  return { ...(mode && { response_mode: mode }), ...(offline && { [offline.parameter]: offline.value }) };
}

function responsesBy({ responses, options, scopes }: DialectData) {
  if (responses === undefined) return { responseOmits: [] };
  const grant: Dialect<AuthorizationServer>['grant'] = (server, given) =>
    grantBy(server, { responses, options, scopes }, given);
  return { responseOmits: responses.omit, grant };
}

/** The module that checks such secrets is loaded with the first one. */
function secretsBy({ secretJwt }: DialectData): Pick<Dialect<AuthorizationServer>, 'proveBySecret'> {
  if (secretJwt === undefined) return {};
  return {
    proveBySecret: async (server, proof) => (await import('./secret-jwt.ts')).proveBySecret(server, secretJwt, proof),
  };
}
