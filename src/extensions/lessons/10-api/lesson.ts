import { chain, seen } from '../checks/check.ts';
import type { BuiltInLesson } from '../lesson.ts';

export { default as text } from './lesson.md';

const refused = ['expired', 'audience', 'issuer', 'tampered', 'none', 'id-token'] as const;

export const lesson: BuiltInLesson = {
  issuer: {
    clients: [
      {
        client_id: 'my-app',
        client_name: 'My app',
        client_secret: 'wrench',
        token_endpoint_auth_method: 'client_secret_basic',
        grant_types: ['authorization_code', 'client_credentials'],
        response_types: ['code'],
        redirect_uris: ['http://localhost:3000/callback'],
        scope: 'openid bikes:read',
        audience: 'my-api',
        access_token_lifetime: 3600,
      },
    ],
    users: [{ sub: 'bob', claims: { name: 'Bob Brewer' } }],
    scopes: { 'bikes:read': 'see the bikes' },
  },
  probe: { client: 'my-app', user: 'bob', audience: 'my-api' },
  tasks: [
    {
      id: 'accept',
      close: {
        passed: 'Your API did not answer the good token with `200`. The table says what it answered.',
        case: 'Your API did not answer the good token with `200`. The table says what it answered.',
      },
      checks: [seen({ type: 'api.probed', case: 'good', passed: true })],
    },
    {
      id: 'refuse',
      close: {
        passed: 'Not all responses are as expected. The table says which check is missing.',
        case: 'Not all responses are as expected. The table says which check is missing.',
      },
      // an API that refuses every token proves nothing
      checks: (['good', ...refused] as const).map(name => seen({ type: 'api.probed', case: name, passed: true })),
    },
    {
      id: 'rotate',
      close: {
        passed: 'Your API does not know the new key. It has to fetch the keys again.',
        case: 'Your API does not know the new key. It has to fetch the keys again.',
      },
      checks: [
        chain(
          { type: 'key.rotated', next: 'rotate the keys' },
          { type: 'request.completed', endpoint: 'jwks', status: 200, next: 'let your API fetch the keys again' },
          { type: 'api.probed', case: 'rotated', passed: true, next: 'let your API accept a token of the new key' },
        ),
      ],
    },
  ],
};
