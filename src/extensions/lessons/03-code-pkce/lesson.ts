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
      close: {
        code_challenge: 'That is the example of RFC 7636, which everybody knows. Make a verifier of your own.',
        pkce_method_unsupported: 'The challenge is the hash of the verifier: its method is `S256`.',
      },
      checks: [
        seen({
          type: 'authorization.requested',
          client_id: 'bike-shop',
          code_challenge_method: 'S256',
          request: { parameter: { code_challenge: { not: code_challenge } } },
        }),
      ],
    },
    {
      id: 'login',
      close: {
        sub: 'That was not Bob, and the browser stays signed in. Add `&prompt=login` to the end of your address, and open it again.',
      },
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
      close: {
        pkce_mismatch:
          'The verifier is not the one of this challenge. Copy all 43 characters, and sign in again if the code was used.',
        pkce_missing: 'The verifier is missing. A later task asks for that.',
      },
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
      close: {
        code_expired_or_unknown: 'This is not the code of before. Send the same one a second time.',
      },
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
      close: {
        pkce_mismatch: 'You sent a wrong verifier. The thief has none: leave `code_verifier` out.',
        code: 'This is the code of before. Sign in again for a new one.',
        code_replayed: 'This code was used before. Sign in again for a new one.',
      },
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
