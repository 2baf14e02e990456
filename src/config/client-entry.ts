import * as v from 'valibot';
import { tokenEndpointAuthMethods } from '../oauth/client.ts';
import { parseScope, scopeToken } from '../oauth/scope.ts';
import { protocolClaimFindings } from './claims.ts';
import { grantsOf, methodsOf } from './entry-defaults.ts';
import type { Finding } from './problem.ts';
import { applyRules, entry, flag, jsonObject, list, oneOf, type Rule, readDraft, text } from './schema.ts';
import { signingAlgs } from './settings.ts';
import { redirectUriFault } from './uri.ts';

const grantTypes = ['authorization_code', 'client_credentials', 'refresh_token'] as const;

const lifetime = 'a whole number of seconds from 1 to 31536000';
const visible = v.pipe(
  v.string('text'),
  v.regex(/^[\x20-\x7e]+$/, 'visible ASCII characters only (RFC 6749 appendix A)'),
);
const uris = list(
  v.pipe(
    v.string('text'),
    v.rawCheck(({ dataset, addIssue }) => {
      const fault = dataset.typed ? redirectUriFault(dataset.value) : undefined;
      if (fault !== undefined) addIssue({ message: fault });
    }),
  ),
  'URIs',
);

const clientSchema = entry({
  client_id: visible,
  client_name: v.exactOptional(text),
  client_secret: v.exactOptional(visible),
  token_endpoint_auth_method: v.exactOptional(oneOf(tokenEndpointAuthMethods)),
  token_endpoint_auth_methods: v.exactOptional(
    v.pipe(list(oneOf(tokenEndpointAuthMethods), 'methods'), v.minLength(1, 'at least one method')),
  ),
  grant_types: v.exactOptional(
    v.pipe(list(oneOf(grantTypes), 'grant types'), v.minLength(1, 'at least one grant type')),
  ),
  response_types: v.exactOptional(list(oneOf(['code']), 'response types')),
  redirect_uris: v.exactOptional(uris),
  post_logout_redirect_uris: v.exactOptional(uris),
  scope: v.exactOptional(v.string('text: scopes with spaces between')),
  id_token_signed_response_alg: v.exactOptional(oneOf(signingAlgs)),
  loopback_redirects: v.exactOptional(flag),
  require_pkce: v.exactOptional(flag),
  audience: v.exactOptional(v.union([text, list(text, 'audiences')], 'an audience or a list of audiences')),
  access_token_format: v.exactOptional(oneOf(['jwt', 'opaque'])),
  access_token_lifetime: v.exactOptional(
    v.pipe(v.number(lifetime), v.integer(lifetime), v.minValue(1, lifetime), v.maxValue(31_536_000, lifetime)),
  ),
  id_token_claims: v.exactOptional(oneOf(['scope', 'all'])),
  refresh_token_rotation: v.exactOptional(flag),
  access_token_claims: v.exactOptional(jsonObject),
});

type ClientMembers = v.InferOutput<typeof clientSchema>;

const methodMembers = ['client_secret', 'token_endpoint_auth_method', 'token_endpoint_auth_methods'] as const;

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
              expected: 'either the one method or the list of methods',
            },
          ],
  },
  {
    reads: methodMembers,
    check(client) {
      const needsSecret = methodsOf(client).some(method => method !== 'none');
      if (needsSecret && client.client_secret === undefined) {
        return [
          {
            path: ['client_secret'],
            expected: `a secret, because the client authenticates with ${methodsOf(client).join(', ')}`,
          },
        ];
      }
      if (needsSecret || client.client_secret === undefined) return [];
      return [
        {
          path: ['client_secret'],
          value: client.client_secret,
          expected: 'no secret for a client with the method none',
        },
      ];
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
    reads: ['grant_types', 'redirect_uris', 'loopback_redirects'],
    check(client) {
      if (!grantsOf(client).includes('authorization_code') || client.loopback_redirects === true) return [];
      if ((client.redirect_uris ?? []).length > 0) return [];
      return [
        {
          path: ['redirect_uris'],
          expected: 'at least one redirect URI, or loopback_redirects: true, for authorization_code',
        },
      ];
    },
  },
  {
    reads: ['grant_types', 'response_types'],
    check(client) {
      if (client.response_types === undefined) return [];
      const hasCode = client.response_types.length > 0;
      if (hasCode === grantsOf(client).includes('authorization_code')) return [];
      const expected = hasCode
        ? 'none without the grant type authorization_code'
        : 'code, for the grant type authorization_code';
      return [{ path: ['response_types'], value: client.response_types, expected: `${expected} (RFC 7591 §2.1)` }];
    },
  },
  {
    reads: ['scope'],
    check: ({ scope }) =>
      parseScope(scope)
        .filter(token => !scopeToken.test(token))
        .map(token => ({
          path: ['scope'],
          value: token,
          expected: 'scopes of visible ASCII characters without " and \\, with spaces between (RFC 6749 §3.3)',
        })),
  },
  {
    reads: ['scope', 'id_token_claims', 'id_token_signed_response_alg'],
    check(client) {
      if (parseScope(client.scope).includes('openid')) return [];
      return (['id_token_claims', 'id_token_signed_response_alg'] as const)
        .filter(name => client[name] !== undefined)
        .map(name => ({
          path: [name],
          value: client[name],
          expected: 'openid in the scope, without it there is no ID Token',
        }));
    },
  },
  {
    reads: [...methodMembers, 'require_pkce'],
    check: client =>
      client.require_pkce === false && methodsOf(client).includes('none')
        ? [{ path: ['require_pkce'], value: false, expected: 'true: a client with the method none must use PKCE' }]
        : [],
  },
  {
    reads: ['access_token_claims'],
    check: client => protocolClaimFindings('access_token_claims', client.access_token_claims),
  },
];

/** All that is wrong with an entry of `clients`. */
export function checkClient(raw: unknown): Finding[] {
  const draft = readDraft(clientSchema, raw);
  return [...draft.findings, ...applyRules(draft, rules)];
}
