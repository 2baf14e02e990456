import { secretMethods } from '../../../protocol/clients/client.ts';
import { parseScope, scopeToken } from '../../../protocol/scope.ts';
import { accessTokenClaimsRule } from '../claims.ts';
import { grantsOf, methodsOf } from '../entry-defaults.ts';
import type { Finding } from '../problem.ts';
import { applyRules, type Rule, readDraft } from '../schema.ts';
import { keyRules } from './client-key-rules.ts';
import { type ClientMembers, clientSchema } from './client-schema.ts';

/** All problems of an entry of `clients`. */
export function checkClient(raw: unknown): Finding[] {
  const draft = readDraft(clientSchema, raw);
  return [...draft.findings, ...applyRules(draft, [...rules, ...keyRules])];
}

const methodMembers = ['client_secret', 'token_endpoint_auth_method', 'token_endpoint_auth_methods'] as const;

/** Rules between the members of a client. */
const rules: readonly Rule<ClientMembers>[] = [
  {
    reads: methodMembers,
    check: ({ token_endpoint_auth_method: one, token_endpoint_auth_methods: several }) =>
      one === undefined || several === undefined
        ? []
        : [
            {
              path: ['token_endpoint_auth_method'],
              value: one,
              expected: 'either token_endpoint_auth_method or token_endpoint_auth_methods, not both',
            },
          ],
  },
  {
    reads: methodMembers,
    check(client) {
      const methods = methodsOf(client);
      const needing = methods.filter(method => secretMethods.includes(method));
      if (needing.length > 0 && client.client_secret === undefined) {
        const expected = `a secret, because the client authenticates with ${needing.join(', ')}`;
        return [{ path: ['client_secret'], expected }];
      }
      if (methods.some(method => method !== 'none') || client.client_secret === undefined) return [];
      const expected = 'no secret for a client with the method none';
      return [{ path: ['client_secret'], value: client.client_secret, expected }];
    },
  },
  {
    reads: [...methodMembers, 'grant_types'],
    check(client) {
      const isRefused = grantsOf(client).includes('client_credentials') && methodsOf(client).includes('none');
      const expected =
        'no client_credentials without authentication (RFC 6749 §4.4): give the client a secret and a method other than none';
      return isRefused ? [{ path: ['grant_types'], expected }] : [];
    },
  },
  {
    reads: [...methodMembers, 'grant_types'],
    check(client) {
      const ciba = 'urn:openid:params:grant-type:ciba';
      const isRefused = grantsOf(client).includes(ciba) && methodsOf(client).includes('none');
      const expected = `no ${ciba} without authentication (OIDC CIBA §4): give the client a secret or a key`;
      return isRefused ? [{ path: ['grant_types'], expected }] : [];
    },
  },
  {
    reads: ['grant_types', 'redirect_uris', 'redirect_uri_patterns', 'loopback_redirects'],
    check(client) {
      const redirecting = ['authorization_code', 'implicit'].find(grant => grantsOf(client).includes(grant));
      if (redirecting === undefined || client.loopback_redirects === true) return [];
      if ([...(client.redirect_uris ?? []), ...(client.redirect_uri_patterns ?? [])].length > 0) return [];
      const expected = `at least one redirect URI, or loopback_redirects: true, for ${redirecting}`;
      return [{ path: ['redirect_uris'], expected }];
    },
  },
  { reads: ['grant_types', 'response_types'], check: responseTypeFindings },
  {
    reads: ['scope'],
    check: ({ scope }) =>
      parseScope(scope)
        .filter(token => !scopeToken.test(token))
        .map(token => ({
          path: ['scope'],
          value: token,
          expected: 'scopes separated by spaces, of visible ASCII characters without " and \\ (RFC 6749 §3.3)',
        })),
  },
  {
    reads: ['scope', 'id_token_claims', 'id_token_signed_response_alg'],
    check(client) {
      if (client.scope === undefined || parseScope(client.scope).includes('openid')) return [];
      return (['id_token_claims', 'id_token_signed_response_alg'] as const)
        .filter(name => client[name] !== undefined)
        .map(name => ({
          path: [name],
          value: client[name],
          expected: 'openid in the scope: a client without it gets no ID token',
        }));
    },
  },
  {
    reads: ['id_token_signed_response_alg', 'client_secret'],
    check({ id_token_signed_response_alg: alg = '', client_secret = '' }) {
      const least = /^HS/.test(alg) ? Number(alg.slice(2)) / 8 : 0;
      if (client_secret.length >= least) return [];
      const expected = `a secret of at least ${least} characters, because it signs ID tokens by ${alg} (RFC 7518 §3.2)`;
      return [{ path: ['client_secret'], expected }];
    },
  },
  {
    reads: [...methodMembers, 'require_pkce'],
    check: client =>
      client.require_pkce === false && methodsOf(client).includes('none')
        ? [{ path: ['require_pkce'], value: false, expected: 'true: a client with the method none must use PKCE' }]
        : [],
  },
  accessTokenClaimsRule,
  {
    // OIDC Core §8.1: clients of one sector see the same pairwise subject
    reads: ['subject_type', 'sector_identifier_uri', 'redirect_uris'],
    check({ subject_type, sector_identifier_uri, redirect_uris = [] }) {
      if (subject_type !== 'pairwise' || sector_identifier_uri !== undefined) return [];
      const hosts = new Set(redirect_uris.map(uri => new URL(uri).hostname));
      if (hosts.size < 2) return [];
      const expected = `a sector_identifier_uri, for redirect URIs of ${hosts.size} hosts (OIDC Core §8.1)`;
      return [{ path: ['sector_identifier_uri'], expected }];
    },
  },
];

/** RFC 7591 §2.1: a `code` needs `authorization_code`, anything else in the front channel needs `implicit`. */
function responseTypeFindings(client: Partial<ClientMembers>): Finding[] {
  const { response_types: value } = client;
  if (value === undefined) return [];
  const words = value.flatMap(type => type.split(' '));
  const finding = (expected: string) => [{ path: ['response_types'], value, expected: `${expected} (RFC 7591 §2.1)` }];
  const hasCode = words.includes('code');
  if (hasCode && !grantsOf(client).includes('authorization_code')) {
    return finding('none without the grant type authorization_code');
  }
  if (!hasCode && grantsOf(client).includes('authorization_code')) {
    return finding('code, for the grant type authorization_code');
  }
  const isImplicit = words.some(word => word !== 'code');
  if (isImplicit === grantsOf(client).includes('implicit')) return [];
  return finding(
    isImplicit ? 'only code without the grant type implicit' : 'id_token or token, for the grant type implicit',
  );
}
