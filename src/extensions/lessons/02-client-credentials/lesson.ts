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
        scope: 'telemetry:write',
        access_token_lifetime: 3600,
        audience: lessonApi,
      },
    ],
    apiAudience: [lessonApi],
    users: [],
    scopes: { 'telemetry:write': 'report measurements', 'telemetry:read': 'see measurements' },
    collections: {
      telemetry: {
        readScope: 'telemetry:read',
        writeScope: 'telemetry:write',
        fields: { sensor: 'string', celsius: 'number' },
      },
    },
  },
  tasks: [
    {
      id: 'token',
      close: {
        client_unknown: 'The name is wrong. It comes first, and the secret second: `-u greenhouse:tomato`.',
        client_secret_wrong: 'The secret is wrong. It is `tomato`.',
        grant_type_unsupported:
          'The server does not know this grant. It is `client_credentials`, with an `s` at its end.',
        authentication_method_not_registered:
          'Use Basic: the name and the secret belong into the header `Authorization`, where `-u greenhouse:tomato` writes them.',
      },
      checks: [
        chain(
          { type: 'client.authenticated', client_id: 'greenhouse', method: 'client_secret_basic' },
          { type: 'token.issued', grant_type: 'client_credentials', scope: 'telemetry:write' },
          { by: 'requestId' },
        ),
      ],
    },
    {
      id: 'call',
      checks: [
        chain(
          { type: 'token.issued', grant_type: 'client_credentials', as: 't' },
          { type: 'token.used', endpoint: 'api', tokenId: { $: 't.tokenId' }, as: 'used' },
          { type: 'request.completed', requestId: { $: 'used.requestId' }, method: 'POST', status: 201 },
        ),
      ],
    },
    {
      id: 'scope',
      close: {
        sent: 'This scope does not exist. The one of this task does, but not for the sensor: `telemetry:read`.',
      },
      // this scope exists, and is not for the sensor; a mistyped one does not exist
      checks: [seen({ type: 'error.returned', reason: 'scope_not_registered', sent: 'telemetry:read' })],
    },
    {
      id: 'secret',
      after: 'token',
      close: {
        client_unknown: 'The name is wrong, too. Only the secret is to be wrong.',
      },
      checks: [seen({ type: 'error.returned', error: 'invalid_client', status: 401, reason: 'client_secret_wrong' })],
    },
  ],
};
