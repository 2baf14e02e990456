import { codeIn } from '../../bike-shop.ts';
import { type ChainStep, chain } from '../../checks/check.ts';
import type { LabHands } from '../../lab/lab.ts';
import type { BuiltInLesson } from '../../lesson.ts';
import { labShop, logInAtShop, redeemAtShop } from '../lab-shop.ts';

export { default as text } from './lesson.md';

/** Exchanges the refresh token of a holder, who keeps a new one if there is one. */
async function refresh(hands: LabHands, who: 'alice' | 'mallory', holder: string): Promise<void> {
  const form = { grant_type: 'refresh_token', client_id: 'lab-shop', refresh_token: hands.kept(holder) };
  const { status, body } = await hands[who].call('/oauth2/token', { form });
  const { access_token = '', refresh_token = '', error = '' } = body;
  hands.see('Response', status === 200 ? `200, access token ${access_token.slice(0, 24)}…` : `${status} ${error}`);
  if (refresh_token !== '') hands.keep(holder, refresh_token);
}

export const lesson: BuiltInLesson = {
  issuer: labShop,
  lab: {
    weak: { clients: { 'lab-shop': { refresh_token_rotation: false } } },
    desk: {
      label: 'Alice signs in, and the shop refreshes',
      async victim({ browser, see }) {
        const { url } = await logInAtShop(browser, 'alice');
        const { refresh_token = '' } = await redeemAtShop(browser, codeIn({ url }));
        const form = { grant_type: 'refresh_token', client_id: 'lab-shop', refresh_token };
        await browser.call('/oauth2/token', { form });
        see('The log file of the shop', `POST /oauth2/token ${new URLSearchParams(form)}`);
        return undefined;
      },
    },
    steps: [
      {
        id: 'login',
        by: 'alice',
        async run(hands) {
          const { url } = await logInAtShop(hands.alice, 'alice');
          const { refresh_token = '' } = await redeemAtShop(hands.alice, codeIn({ url }));
          hands.keep('refresh token of the shop', refresh_token);
          hands.keep('stolen refresh token', refresh_token);
          hands.see('The refresh token, which Mallory reads in a log', refresh_token);
        },
      },
      { id: 'shop', by: 'app', run: hands => refresh(hands, 'alice', 'refresh token of the shop') },
      { id: 'thief', by: 'mallory', run: hands => refresh(hands, 'mallory', 'stolen refresh token') },
      { id: 'later', by: 'app', run: hands => refresh(hands, 'alice', 'refresh token of the shop') },
      { id: 'thief-later', by: 'mallory', run: hands => refresh(hands, 'mallory', 'stolen refresh token') },
    ],
  },
  tasks: [
    {
      id: 'attack',
      checks: [chain({ type: 'lab.switched', isDefended: false }, ...refreshes(4), { by: 'authorizationId' })],
    },
    {
      id: 'again',
      checks: [
        chain(
          { type: 'lab.switched', isDefended: true },
          ...refreshes(1),
          { type: 'token.revoked', reason: 'refresh_token_reused' },
          { by: 'authorizationId' },
        ),
      ],
    },
    {
      id: 'goal',
      checks: [
        chain(
          { type: 'code.issued', sub: 'alice', as: 'code', next: 'let Alice sign in' },
          { type: 'request.completed', requestId: { $: 'code.requestId' }, by: 'victim' },
          { type: 'token.issued', tokenType: 'refresh', parentTokenId: { $: 'code.tokenId' }, as: 'stolen' },
          { type: 'token.issued', tokenType: 'access', parentTokenId: { $: 'stolen.tokenId' }, as: 'shop' },
          { type: 'request.completed', requestId: { $: 'shop.requestId' }, by: 'victim' },
          {
            ...{ type: 'token.issued', tokenType: 'access', parentTokenId: { $: 'stolen.tokenId' }, as: 'own' },
            next: 'refresh with the token in the log',
          },
          { type: 'token.used', endpoint: 'api', tokenId: { $: 'own.tokenId' } },
        ),
      ],
    },
  ],
};

/** Each refresh that gets a new access token. */
function refreshes(count: number): readonly ChainStep[] {
  const each: readonly ChainStep[] = [
    { type: 'token.requested', grant_type: 'refresh_token', client_id: 'lab-shop' },
    { type: 'token.issued', tokenType: 'access' },
  ];
  return Array.from({ length: count }, () => each).flat();
}
