import { bikeShop, lessonApi } from '../bike-shop.ts';
import { chain, seen } from '../checks/check.ts';
import type { BuiltInLesson } from '../lesson.ts';

export { default as text } from './lesson.md';

const [shop] = bikeShop.clients ?? [];

export const lesson: BuiltInLesson = {
  issuer: {
    ...bikeShop,
    clients: shop === undefined ? [] : [{ ...shop, audience: `${lessonApi}/products` }],
    collections: {
      ...bikeShop.collections,
      repairs: {
        readScope: 'products:read',
        fields: { bike: 'string', day: 'string' },
        seed: [{ bike: 'City bike', day: 'Monday' }],
      },
    },
  },
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
      id: 'other',
      checks: [
        chain(
          { type: 'token.issued', tokenType: 'access', resources: { empty: false }, as: 'token' },
          { type: 'error.returned', endpoint: 'api', reason: 'api_audience_mismatch', about: { $: 'token.tokenId' } },
        ),
      ],
    },
    {
      id: 'userinfo',
      close: {
        tokenId:
          'You have not called the products with this access token. Do that first, and send the same token to UserInfo.',
        access_token_revoked:
          'Its code was exchanged twice, so the server revoked the token. Get new tokens with the first task, call the products, and then UserInfo.',
      },
      checks: [
        chain(
          { type: 'token.used', endpoint: 'api', as: 'used' },
          { type: 'token.used', endpoint: 'userinfo', tokenId: { $: 'used.tokenId' } },
        ),
      ],
    },
  ],
};
