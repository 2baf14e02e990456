import { bikeShop } from '../bike-shop.ts';
import { chain, seen } from '../checks/check.ts';
import type { BuiltInLesson } from '../lesson.ts';

export { default as text } from './lesson.md';

const byTool = { header: { 'Grantbox-Tool': 'examine' } } as const;

export const lesson: BuiltInLesson = {
  issuer: bikeShop,
  tasks: [
    {
      id: 'sign-in',
      close: {
        by: 'That was a sign-in with a page. This task is about the one without: `POST` to `/_sandbox/login`.',
        sub: 'That was not Bob. Write `"user":"bob"`.',
        requestId: 'Almost: one request signs Bob in and has the tokens. Write `"user":"bob"` and `"as":"tokens"`.',
      },
      checks: [
        chain(
          { type: 'login.succeeded', client_id: 'bike-shop', sub: 'bob', by: 'control', as: 'in' },
          {
            type: 'token.issued',
            tokenType: 'access',
            grant_type: 'authorization_code',
            requestId: { $: 'in.requestId' },
            as: 'token',
          },
          { type: 'token.used', endpoint: 'api', tokenId: { $: 'token.tokenId' }, next: 'call the API' },
        ),
      ],
    },
    {
      id: 'fault',
      close: {
        faults: 'That was a different fault. Order `unavailable`.',
        status: 'No fault was ordered for this request. Order it first, then refresh.',
      },
      checks: [
        chain(
          { type: 'request.completed', endpoint: 'token', status: 503, faults: { includes: 'unavailable' } },
          {
            type: 'token.issued',
            tokenType: 'refresh',
            grant_type: 'refresh_token',
            next: 'send the same request again',
          },
        ),
      ],
    },
    {
      id: 'clock',
      close: {
        about: 'That is a different token. Send the one that the API has accepted before.',
      },
      checks: [
        chain(
          { type: 'token.used', endpoint: 'api', as: 'used' },
          { type: 'clock.changed' },
          {
            type: 'error.returned',
            endpoint: 'api',
            reason: 'api_token_expired',
            about: { $: 'used.tokenId' },
            next: 'call the API with the same token',
          },
        ),
      ],
    },
    {
      id: 'mint',
      close: {
        api_token_expired: 'That token had expired. Mint one with the defect `wrong_audience`.',
        defect: 'That is a different defect. Mint a token with `wrong_audience`.',
      },
      checks: [
        chain(
          { type: 'token.issued', minted: true, tokenType: 'access', defect: 'wrong_audience', as: 'bad' },
          {
            type: 'error.returned',
            endpoint: 'api',
            reason: 'api_audience_mismatch',
            about: { $: 'bad.tokenId' },
            next: 'call the API with the minted token',
          },
        ),
      ],
    },
    {
      id: 'check',
      close: {
        'Grantbox-Tool': 'That call came from you. Let `grantbox examine --api` make all of them.',
        api_id_token_sent: 'Two rows were not asked: add `--scope products:read` to the command.',
      },
      checks: [
        seen({ type: 'error.returned', endpoint: 'api', reason: 'api_signature_invalid', request: byTool }),
        seen({ type: 'error.returned', endpoint: 'api', reason: 'api_scope_insufficient', request: byTool }),
      ],
    },
  ],
};
