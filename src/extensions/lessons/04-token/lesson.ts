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
