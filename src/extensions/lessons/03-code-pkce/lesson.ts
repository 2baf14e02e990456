import { bikeShop, code_challenge } from '../bike-shop.ts';
import { chain, seen } from '../checks/check.ts';
import type { BuiltInLesson } from '../lesson.ts';

export { default as text } from './lesson.md';

export const lesson: BuiltInLesson = {
  issuer: bikeShop,
  holdsRedirect: true,
  tasks: [
    {
      id: 'make',
      // the example of RFC 7636 is everybody's
      checks: [
        seen({ type: 'authorization.requested', client_id: 'bike-shop', code_challenge_method: 'S256' }),
        seen({ type: 'authorization.requested', request: { parameter: { code_challenge } } }, { not: true }),
      ],
    },
    {
      id: 'login',
      checks: [
        chain(
          { type: 'authorization.requested', client_id: 'bike-shop', code_challenge_method: 'S256' },
          { type: 'login.succeeded', sub: 'bob' },
          { type: 'code.issued', sub: 'bob' },
          { by: 'client_id' },
        ),
      ],
    },
    {
      id: 'redeem',
      checks: [
        chain(
          { type: 'code.issued', as: 'c' },
          { type: 'token.issued', tokenType: 'access', parentTokenId: { $: 'c.tokenId' } },
          { by: 'authorizationId' },
        ),
      ],
    },
    {
      id: 'replay',
      checks: [
        chain(
          { type: 'token.issued', grant_type: 'authorization_code' },
          { type: 'token.revoked', reason: 'code_replayed' },
          { by: 'authorizationId' },
        ),
        seen({ type: 'error.returned', endpoint: 'token', error: 'invalid_grant', reason: 'code_replayed' }),
      ],
    },
    {
      id: 'verifier',
      after: 'redeem',
      checks: [
        chain(
          { type: 'code.issued', as: 'new' },
          {
            type: 'error.returned',
            endpoint: 'token',
            reason: 'pkce_missing',
            request: { parameter: { code: { $: 'new.token' }, code_verifier: { present: false } } },
          },
        ),
      ],
    },
  ],
};
