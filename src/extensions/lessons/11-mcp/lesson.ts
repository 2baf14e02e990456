import { chain, seen } from '../checks/check.ts';
import type { BuiltInLesson } from '../lesson.ts';

export { default as text } from './lesson.md';

export const lesson: BuiltInLesson = {
  issuer: {
    clients: [], // the learner's agent registers itself
    accessTokenLifetime: 3600, // the token of one task is used in the next
    users: [{ sub: 'bob', claims: { name: 'Bob Brewer' } }],
    scopes: { 'tools:read': 'see the tools', 'tools:write': 'add tools' },
    collections: {
      tools: {
        readScope: 'tools:read',
        writeScope: 'tools:write',
        fields: { name: 'string' },
        seed: [{ name: 'Bicycle pump' }],
      },
    },
  },
  tasks: [
    {
      id: 'knock',
      close: {
        Authorization: 'You sent a token. Call without one.',
      },
      checks: [
        seen({
          type: 'request.completed',
          path: { includes: '/api/tools' },
          status: 401,
          request: { header: { Authorization: { present: false } } },
        }),
      ],
    },
    {
      id: 'find',
      checks: [
        chain(
          { type: 'request.completed', endpoint: 'resource_metadata', path: { includes: '/api/tools' }, status: 200 },
          { type: 'request.completed', endpoint: 'discovery', status: 200, next: 'read the metadata of the server' },
        ),
      ],
    },
    {
      id: 'identify',
      close: {
        metadata_document_unavailable:
          'The server cannot read your document. Does the second command still run? On a different machine or in a container, register: the second hint says how.',
        resource:
          'Almost: the address has no `resource` with the address of the tools, so that the token would be for no API.',
      },
      checks: [
        chain(
          {
            type: 'authorization.requested',
            code_challenge_method: 'S256',
            request: { parameter: { resource: { includes: '/api/tools' } } },
          },
          { type: 'login.succeeded', sub: 'bob' },
          { by: 'client_id' },
        ),
      ],
    },
    {
      id: 'call',
      close: {
        resource:
          'MCP asks for `resource` in the exchange, too, with the address of the tools. Sign in again for a new code.',
      },
      checks: [
        chain(
          { type: 'authorization.requested', code_challenge_method: 'S256' },
          {
            type: 'token.issued',
            tokenType: 'access',
            resources: { empty: false },
            request: { parameter: { resource: { includes: '/api/tools' } } },
            as: 'token',
          },
          { type: 'token.used', endpoint: 'api', tokenId: { $: 'token.tokenId' } },
          { by: 'client_id' },
        ),
      ],
    },
    {
      id: 'more',
      close: {
        scope: 'Ask for both scopes in one sign-in: `scope=tools:read+tools:write`.',
      },
      checks: [
        chain(
          { type: 'error.returned', endpoint: 'api', status: 403, reason: 'api_scope_insufficient' },
          { type: 'authorization.requested', scope: ['tools:read tools:write', 'tools:write tools:read'] },
          {
            ...{ type: 'request.completed', endpoint: 'api', method: 'POST', status: 201 },
            next: 'exchange the code, and add the tool with the new token',
          },
        ),
      ],
    },
  ],
};
