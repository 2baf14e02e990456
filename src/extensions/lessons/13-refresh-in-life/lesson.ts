import { bikeShop } from '../bike-shop.ts';
import { type ChainStep, chain, seen } from '../checks/check.ts';
import type { BuiltInLesson } from '../lesson.ts';

export { default as text } from './lesson.md';

// two fields, or the ID token beside it would be close
const refreshed = { type: 'token.issued', tokenType: 'refresh', format: 'opaque' } as const;

/** Its response is not lost. */
const arrives = { header: { 'Sandbox-Fault': { present: false } } } as const;

/** The API was called with this token. */
const called = (access: string): ChainStep => ({
  type: 'token.used',
  endpoint: 'api',
  tokenId: { $: `${access}.tokenId` },
  next: 'start the shop, whose three parts call the API with one access token',
});

export const lesson: BuiltInLesson = {
  issuer: bikeShop,
  tasks: [
    {
      id: 'lost',
      close: {
        status:
          'That response arrived, and its token was used up. Fill in the new `refresh_token`, and send the header `Sandbox-Fault: connection_dropped`.',
      },
      checks: [
        chain(
          { ...refreshed, as: 'first' },
          { ...refreshed, parentTokenId: { $: 'first.tokenId' }, as: 'lost', next: 'refresh, and lose the response' },
          { type: 'request.completed', endpoint: 'token', requestId: { $: 'lost.requestId' }, status: 444 },
        ),
      ],
    },
    {
      id: 'retry',
      close: {
        about: 'That was not the token of the request whose response was lost.',
      },
      checks: [
        chain(
          { ...refreshed, grant_type: 'refresh_token', as: 'lost' },
          { type: 'request.completed', endpoint: 'token', requestId: { $: 'lost.requestId' }, status: 444 },
          {
            type: 'error.returned',
            reason: 'refresh_token_reused',
            about: { $: 'lost.parentTokenId' },
            next: 'send the first refresh token once more',
          },
        ),
      ],
    },
    {
      id: 'back',
      close: {
        prompt: 'The server would have asked Bob. Open the address with `&prompt=none` at its end.',
        login_required:
          'This browser has no session of Bob. Open the address without `&prompt=none` first, and sign in.',
      },
      checks: [
        chain(
          { type: 'token.revoked', client_id: 'bike-shop', reason: 'refresh_token_reused' },
          { type: 'authorization.requested', client_id: 'bike-shop', prompt: 'none', as: 'silent' },
          { type: 'code.issued', requestId: { $: 'silent.requestId' }, as: 'code' },
          {
            type: 'token.issued',
            tokenType: 'access',
            parentTokenId: { $: 'code.tokenId' },
            next: 'exchange the new code',
          },
        ),
      ],
    },
    {
      id: 'race',
      close: {
        refresh_token_reused: 'The shop sends the same token three times at once. This one came alone, or much later.',
        authorization_revoked:
          'These tokens are revoked already. Get new ones, and start the shop with the new refresh token.',
        api_token_malformed:
          'Each refresh was refused, so no part has an access token. Get new tokens as in the task before, and start the shop with the new refresh token.',
      },
      checks: [
        // the refusal of one may come before the tokens of the other
        chain(
          { type: 'token.requested', grant_type: 'refresh_token', request: arrives },
          { type: 'token.requested', grant_type: 'refresh_token', request: arrives, next: 'start the shop' },
          { type: 'token.requested', grant_type: 'refresh_token', as: 'late', next: 'start the shop' },
          { type: 'error.returned', reason: 'refresh_token_reused', requestId: { $: 'late.requestId' } },
          { within: 10 },
        ),
        seen({ ...refreshed, grant_type: 'refresh_token', request: arrives }),
      ],
    },
    {
      id: 'mend',
      close: {
        refresh_token_reused:
          'The shop sent an old refresh token. Do all parts share one refresh, and is the newest token in the file?',
        authorization_revoked:
          'These tokens are revoked already. Get new ones, and start the shop with the new refresh token.',
        api_token_malformed:
          'The refresh was refused. Is the newest token in the file? Get new tokens, and start the shop with the new refresh token.',
        tokenId: 'The three parts called with different access tokens. Let them share one refresh.',
      },
      checks: [
        chain(
          { ...refreshed, as: 'first' },
          { type: 'token.issued', tokenType: 'access', parentTokenId: { $: 'first.tokenId' }, as: 'access' },
          { ...refreshed, parentTokenId: { $: 'first.tokenId' }, as: 'second' },
          ...[called('access'), called('access'), called('access')],
          {
            ...{ type: 'token.issued', tokenType: 'access', parentTokenId: { $: 'second.tokenId' }, as: 'later' },
            next: 'start the shop again, without a token',
          },
          ...[called('later'), called('later'), called('later')],
          { by: 'authorizationId' },
        ),
      ],
    },
  ],
};
