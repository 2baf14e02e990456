import { lessonApi } from '../bike-shop.ts';
import { chain, seen } from '../checks/check.ts';
import type { BuiltInLesson } from '../lesson.ts';

export { default as text } from './lesson.md';

export const lesson: BuiltInLesson = {
  issuer: {
    clients: [
      {
        client_id: 'greenhouse',
        client_name: 'Greenhouse sensor',
        client_secret: 'tomato',
        token_endpoint_auth_method: 'client_secret_basic',
        grant_types: ['client_credentials'],
        scope: 'telemetry:read',
        access_token_lifetime: 300,
        audience: lessonApi,
      },
    ],
    apiAudience: [lessonApi],
    users: [],
    scopes: { 'telemetry:read': 'see measurements' },
    collections: { telemetry: { readScope: 'telemetry:read', fields: { sensor: 'string', celsius: 'number' } } },
  },
  tasks: [
    { id: 'read', checks: [seen({ type: 'token.used', endpoint: 'api', client_id: 'greenhouse' })] },
    {
      id: 'tamper',
      after: 'read',
      close: {
        piece: 'You changed a piece before the signature. Change one letter of the third piece only.',
        api_token_malformed:
          'The API cannot read this token. A letter or a period is missing, or the change is at the very end or before the third piece. Change one letter in the middle of the third piece.',
      },
      checks: [
        seen({
          type: 'error.returned',
          endpoint: 'api',
          reason: 'api_signature_invalid',
          request: { piece: 'signature' },
        }),
      ],
    },
    {
      id: 'unsigned',
      close: {
        piece:
          'The header still names an algorithm. In the command it says `"alg":"none"`, and the claims are those of your token.',
        api_alg_refused: 'The signature is still there. Leave it out, and keep the period before it.',
        api_token_malformed:
          'The token needs two periods: one after the header, and the one at the end belongs to the token, too. Fill in the second piece alone.',
      },
      checks: [
        seen({
          type: 'error.returned',
          endpoint: 'api',
          reason: 'api_token_unsigned',
          request: { piece: 'header, signature' },
        }),
      ],
    },
    {
      id: 'expire',
      checks: [
        chain({ type: 'clock.changed' }, { type: 'error.returned', endpoint: 'api', reason: 'api_token_expired' }),
      ],
    },
  ],
};
