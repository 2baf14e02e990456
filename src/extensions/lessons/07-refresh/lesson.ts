import { bikeShop } from '../bike-shop.ts';
import { chain } from '../checks/check.ts';
import type { BuiltInLesson } from '../lesson.ts';

export { default as text } from './lesson.md';

export const lesson: BuiltInLesson = {
  issuer: bikeShop,
  tasks: [
    {
      id: 'refresh',
      checks: [
        chain(
          { type: 'token.issued', tokenType: 'refresh', grant_type: 'authorization_code', as: 'first' },
          {
            type: 'token.issued',
            tokenType: 'refresh',
            parentTokenId: { $: 'first.tokenId' },
            next: 'exchange the first refresh token',
          },
          { by: 'authorizationId' },
        ),
      ],
    },
    {
      id: 'reuse',
      checks: [
        chain(
          { type: 'token.issued', tokenType: 'refresh', as: 'first' },
          { type: 'token.issued', tokenType: 'refresh', parentTokenId: { $: 'first.tokenId' } },
          { type: 'token.revoked', reason: 'refresh_token_reused', next: 'send the first refresh token once more' },
          { by: 'authorizationId' },
        ),
      ],
    },
    {
      id: 'honest',
      close: {
        refresh_token_reused:
          'This refresh token was used before. Send the newest one, which the shop has not used yet.',
      },
      checks: [
        chain(
          { type: 'token.issued', tokenType: 'refresh', grant_type: 'refresh_token', as: 'second' },
          { type: 'token.revoked', reason: 'refresh_token_reused' },
          {
            type: 'error.returned',
            endpoint: 'token',
            reason: 'authorization_revoked',
            about: { $: 'second.tokenId' },
            next: 'send the second refresh token',
          },
          { by: 'authorizationId' },
        ),
      ],
    },
  ],
};
