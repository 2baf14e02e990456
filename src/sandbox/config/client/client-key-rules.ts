import { grantsOf, methodsOf } from '../entry-defaults.ts';
import type { Finding } from '../problem.ts';
import type { Rule } from '../schema.ts';
import type { ClientMembers } from './client-schema.ts';

const methodMembers = ['client_secret', 'token_endpoint_auth_method', 'token_endpoint_auth_methods'] as const;

const subjectMembers = [
  'tls_client_auth_subject_dn',
  'tls_client_auth_san_dns',
  'tls_client_auth_san_uri',
  'tls_client_auth_san_ip',
  'tls_client_auth_san_email',
] as const;

/** JWK members that are private or secret (RFC 7518 §6). */
const privateMembers = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'k'];

/** Rules between keys, certificates, algorithms and the members that need them. */
export const keyRules: readonly Rule<ClientMembers>[] = [
  {
    reads: ['jwks', 'jwks_uri'],
    check: ({ jwks, jwks_uri }) =>
      jwks === undefined || jwks_uri === undefined
        ? []
        : [{ path: ['jwks_uri'], value: jwks_uri, expected: 'either jwks or jwks_uri (RFC 7591 §2)' }],
  },
  { reads: ['jwks'], check: ({ jwks }) => privateKeyFindings(jwks, 'client') },
  {
    reads: [...methodMembers, 'jwks', 'jwks_uri'],
    check(client) {
      if (client.jwks !== undefined || client.jwks_uri !== undefined) return [];
      const method = methodsOf(client).find(each => ['private_key_jwt', 'self_signed_tls_client_auth'].includes(each));
      return method === undefined ? [] : [{ path: ['jwks'], expected: `jwks or jwks_uri, for ${method}` }];
    },
  },
  {
    reads: [...methodMembers, 'token_endpoint_auth_signing_alg'],
    check(client) {
      const { token_endpoint_auth_signing_alg: value } = client;
      if (value === undefined) return [];
      const method = value.startsWith('HS') ? 'client_secret_jwt' : 'private_key_jwt';
      if (methodsOf(client).includes(method)) return [];
      return [
        {
          path: ['token_endpoint_auth_signing_alg'],
          value,
          expected: `the client authentication method ${method} as well`,
        },
      ];
    },
  },
  {
    reads: [...methodMembers, ...subjectMembers],
    check(client) {
      const given = subjectMembers.filter(name => client[name] !== undefined);
      if (!methodsOf(client).includes('tls_client_auth')) {
        return given.map(name => ({
          path: [name],
          value: client[name],
          expected: 'the client authentication method tls_client_auth as well',
        }));
      }
      if (given.length === 1) return [];
      return [{ path: [subjectMembers[0]], expected: `exactly one of ${subjectMembers.join(', ')} (RFC 8705 §2.1.2)` }];
    },
  },
  {
    reads: ['require_signed_request_object', 'request_object_signing_alg', 'jwks', 'jwks_uri'],
    check(client) {
      const { require_signed_request_object: isNeeded, request_object_signing_alg: alg, jwks, jwks_uri } = client;
      if ((isNeeded !== true && alg === undefined) || jwks !== undefined || jwks_uri !== undefined) return [];
      return [{ path: ['jwks'], expected: 'jwks or jwks_uri, for signed request objects (RFC 9101 §6.2)' }];
    },
  },
  encryptionRule('id_token_encrypted_response_alg', 'id_token_encrypted_response_enc'),
  encryptionRule('userinfo_encrypted_response_alg', 'userinfo_encrypted_response_enc'),
  {
    reads: ['grant_types', 'backchannel_token_delivery_mode', 'backchannel_client_notification_endpoint'],
    check(client) {
      const { backchannel_token_delivery_mode: mode, backchannel_client_notification_endpoint: endpoint } = client;
      if (mode === 'ping' && endpoint === undefined) {
        return [{ path: ['backchannel_client_notification_endpoint'], expected: 'a URL, for the mode ping' }];
      }
      const isCiba = grantsOf(client).includes('urn:openid:params:grant-type:ciba');
      if (isCiba || mode === undefined) return [];
      return [
        {
          path: ['backchannel_token_delivery_mode'],
          value: mode,
          expected: 'the grant type urn:openid:params:grant-type:ciba as well',
        },
      ];
    },
  },
];

/** Finds private keys in a JWK Set that `owner` publishes. */
export function privateKeyFindings(jwks: ClientMembers['jwks'], owner: string): Finding[] {
  return (jwks?.keys ?? []).flatMap((key, index) => {
    const secret = privateMembers.find(name => key[name] !== undefined);
    if (secret === undefined) return [];
    const expected = `only public keys: a private key must stay with the ${owner}`;
    return [{ path: ['jwks', 'keys', index, secret], expected }];
  });
}

type EncryptionMember = 'id_token_encrypted_response' | 'userinfo_encrypted_response';

/** OIDC Registration §2: `enc` needs `alg`, and encrypting to a client needs its key. */
function encryptionRule(alg: `${EncryptionMember}_alg`, enc: `${EncryptionMember}_enc`): Rule<ClientMembers> {
  return {
    reads: [alg, enc, 'jwks', 'jwks_uri'],
    check(client) {
      if (client[alg] === undefined) {
        return client[enc] === undefined ? [] : [{ path: [enc], value: client[enc], expected: `${alg} as well` }];
      }
      if (client.jwks !== undefined || client.jwks_uri !== undefined) return [];
      return [{ path: [alg], value: client[alg], expected: 'jwks or jwks_uri with the key to encrypt to' }];
    },
  };
}
