import type { AuthorizationServer } from '../authorization-server.ts';
import type { Dialect } from '../dialect.ts';
import type { DialectData } from './dialect-data.ts';
import { grantBy } from './grant.ts';
import { isBelowRegistered } from './redirect-below.ts';
import { readRequest } from './request.ts';
import { spokenScopes } from './scopes.ts';

type Wire = Pick<
  Dialect<AuthorizationServer>,
  | ('secret' | 'writeScopes' | 'knownParameters' | 'readRequest')
  | ('allowsRedirectUri' | 'grant' | 'responseOmits' | 'proveBySecret')
>;

/** The forms of secrets, scopes, authorization requests and their responses. */
export function wireOf(data: DialectData): Wire {
  const { requests, responses, secretJwt } = data;
  return {
    secret: (kind, random) => data.secrets?.[kind]?.(random) ?? random,
    writeScopes: scopes => spokenScopes(data.scopes, scopes),
    knownParameters: requests?.parameters ?? [],
    readRequest: (server, parameters) => readRequest(server, data, parameters),
    ...(requests?.subPaths && { allowsRedirectUri: isBelowRegistered }),
    responseOmits: responses?.omit ?? [],
    ...(responses && { grant: (server, given) => grantBy(server, { ...data, responses }, given) }),
    // the module that checks such secrets is loaded with the first one
    ...(secretJwt && {
      proveBySecret: async (server, proof) => (await import('./secret-jwt.ts')).proveBySecret(server, secretJwt, proof),
    }),
  };
}
