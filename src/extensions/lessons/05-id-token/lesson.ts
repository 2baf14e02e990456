import { bikeShop } from '../bike-shop.ts';
import { chain, seen } from '../checks/check.ts';
import type { BuiltInLesson } from '../lesson.ts';

export { default as text } from './lesson.md';

export const lesson: BuiltInLesson = {
  issuer: bikeShop,
  tasks: [
    {
      id: 'wrong',
      checks: [seen({ type: 'error.returned', endpoint: 'api', error: 'invalid_token', reason: 'api_id_token_sent' })],
    },
    {
      id: 'right',
      checks: [
        chain(
          { type: 'token.used', endpoint: 'api' },
          { type: 'request.completed', endpoint: 'api', status: 200 },
          { by: 'requestId' },
        ),
      ],
    },
    {
      id: 'userinfo',
      checks: [
        chain(
          { type: 'token.used', endpoint: 'api' },
          { type: 'token.used', endpoint: 'userinfo' },
          { by: 'authorizationId' },
        ),
      ],
    },
  ],
};
