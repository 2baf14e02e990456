import { lessonApi } from '../bike-shop.ts';
import { chain, exchange, seen } from '../checks/check.ts';
import type { BuiltInLesson } from '../lesson.ts';

export { default as text } from './lesson.md';

export const lesson: BuiltInLesson = {
  issuer: {
    clients: [
      {
        client_id: 'courier',
        client_name: 'Bicycle courier',
        client_secret: 'stamp',
        token_endpoint_auth_method: 'client_secret_basic',
        grant_types: ['client_credentials'],
        scope: 'parcels:read',
        dpop_bound_access_tokens: true,
        access_token_lifetime: 3600,
        audience: lessonApi,
      },
    ],
    apiAudience: [lessonApi],
    users: [],
    scopes: { 'parcels:read': 'see the parcels' },
    collections: {
      parcels: {
        readScope: 'parcels:read',
        fields: { street: 'string' },
        seed: [{ street: 'Mill Lane 3' }],
      },
    },
    dpopNonce: true,
  },
  drawing: 'proof-beside-token',
  tasks: [
    {
      id: 'proof',
      checks: [seen({ type: 'error.returned', endpoint: 'token', client_id: 'courier', reason: 'dpop_nonce_needed' })],
    },
    {
      id: 'nonce',
      checks: [
        chain(
          { type: 'error.returned', endpoint: 'token', reason: 'dpop_nonce_needed' },
          { type: 'token.issued', client_id: 'courier', tokenType: 'access' },
          { by: 'client_id' },
        ),
        exchange({ endpoint: 'token', status: 200 }, { answerMember: 'token_type', is: 'DPoP' }),
      ],
    },
    {
      id: 'stolen',
      close: {
        api_dpop_scheme_missing:
          'The thief sends `Bearer`, and the token is not of that kind. The word before it is `DPoP`.',
      },
      checks: [seen({ type: 'error.returned', endpoint: 'api', status: 401, reason: 'api_dpop_proof_missing' })],
    },
    {
      id: 'elsewhere',
      checks: [seen({ type: 'error.returned', endpoint: 'api', status: 401, reason: 'api_dpop_htu_mismatch' })],
    },
    {
      id: 'own-key',
      checks: [seen({ type: 'error.returned', endpoint: 'api', status: 401, reason: 'api_dpop_key_mismatch' })],
    },
    {
      id: 'use',
      checks: [
        chain(
          { type: 'token.issued', client_id: 'courier', tokenType: 'access', as: 'token' },
          { type: 'token.used', endpoint: 'api', tokenId: { $: 'token.tokenId' } },
        ),
      ],
    },
  ],
};
