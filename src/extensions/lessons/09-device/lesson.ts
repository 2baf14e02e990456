import { lessonApi } from '../bike-shop.ts';
import { chain, seen } from '../checks/check.ts';
import type { BuiltInLesson } from '../lesson.ts';

export { default as text } from './lesson.md';

const device_code = 'urn:ietf:params:oauth:grant-type:device_code';

export const lesson: BuiltInLesson = {
  issuer: {
    clients: [
      {
        client_id: 'television',
        client_name: 'Living-room television',
        token_endpoint_auth_method: 'none',
        grant_types: [device_code],
        scope: 'openid profile films:read',
        audience: lessonApi,
      },
    ],
    apiAudience: [lessonApi],
    users: [{ sub: 'bob', claims: { name: 'Bob Brewer' } }],
    deviceCodeLifetime: 1800,
    scopes: { 'films:read': 'see your films' },
    collections: {
      films: { readScope: 'films:read', fields: { title: 'string' }, seed: [{ title: 'Bicycle Thieves' }] },
    },
  },
  tasks: [
    { id: 'start', checks: [seen({ type: 'device.requested', client_id: 'television' })] },
    {
      id: 'wait',
      checks: [seen({ type: 'error.returned', client_id: 'television', reason: 'authorization_pending' })],
    },
    { id: 'hurry', checks: [seen({ type: 'error.returned', client_id: 'television', reason: 'polled_too_fast' })] },
    {
      id: 'deny',
      checks: [
        chain(
          { type: 'device.requested', client_id: 'television', as: 'asked' },
          { type: 'device.denied', authorizationId: { $: 'asked.authorizationId' } },
          { type: 'error.returned', client_id: 'television', reason: 'user_denied' },
          { by: 'authorizationId' },
        ),
      ],
    },
    {
      id: 'approve',
      checks: [
        chain(
          { type: 'device.requested', client_id: 'television' },
          { type: 'device.approved', sub: 'bob' },
          { type: 'token.issued', grant_type: device_code, tokenType: 'access' },
          { by: 'authorizationId' },
        ),
      ],
    },
  ],
};
