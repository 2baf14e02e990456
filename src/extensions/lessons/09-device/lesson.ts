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
      close: {
        device_code_unknown:
          'The server gave out no such device code. It is the long one in the response of the first task.',
      },
      checks: [seen({ type: 'error.returned', client_id: 'television', reason: 'authorization_pending' })],
    },
    {
      id: 'hurry',
      close: {
        authorization_pending:
          'That was the first question with this code, or too long after it. Ask twice within five seconds.',
        device_code_unknown: 'The server gave out no such device code. Send the same one twice.',
      },
      checks: [seen({ type: 'error.returned', client_id: 'television', reason: 'polled_too_fast' })],
    },
    {
      id: 'deny',
      close: {
        authorization_pending: 'Nobody has decided about this code yet. Open its address in a browser, and deny it.',
        polled_too_fast: 'That was too fast. Wait for some seconds, and ask again.',
        decision: 'You pressed *Allow*. Ask for two new codes with the command of the first task, and deny those.',
      },
      checks: [
        chain(
          { type: 'device.requested', client_id: 'television' },
          {
            type: 'request.completed',
            endpoint: 'device_verification',
            method: 'POST',
            request: { parameter: { decision: 'deny' } },
            next: 'deny it in the browser',
          },
          { type: 'error.returned', client_id: 'television', reason: 'user_denied', next: 'ask for the tokens' },
          { by: 'authorizationId' },
        ),
      ],
    },
    {
      id: 'approve',
      close: {
        authorization_pending: 'Nobody has decided about this code yet. Open its address in a browser, and allow it.',
        polled_too_fast: 'That was too fast. Wait for some seconds, and ask again.',
      },
      checks: [
        chain(
          { type: 'device.requested', client_id: 'television' },
          { type: 'device.approved', sub: 'bob' },
          { type: 'token.issued', grant_type: device_code, tokenType: 'access', next: 'ask for the tokens' },
          { by: 'authorizationId' },
        ),
      ],
    },
  ],
};
