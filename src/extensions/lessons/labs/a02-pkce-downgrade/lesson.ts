import { codeIn } from '../../bike-shop.ts';
import { chain } from '../../checks/check.ts';
import type { BuiltInLesson } from '../../lesson.ts';
import { labShop, logInAtShop, readStep, redeemAtShop, shopRequest } from '../lab-shop.ts';

export { default as text } from './lesson.md';

const [shop] = labShop.clients ?? [];
const client_secret = 'shop-secret';

export const lesson: BuiltInLesson = {
  issuer: {
    ...labShop,
    clients:
      shop === undefined
        ? []
        : [{ ...shop, token_endpoint_auth_method: 'client_secret_post', client_secret, require_pkce: false }],
  },
  lab: {
    weak: { relax: ['pkce_downgrade'] },
    steps: [
      {
        id: 'strip',
        by: 'mallory',
        async run(hands) {
          hands.see('The request of the shop', `?${shopRequest()}`);
          hands.see('Without the challenge', `?${shopRequest({ code_challenge: '', code_challenge_method: '' })}`);
        },
      },
      {
        id: 'login',
        by: 'alice',
        async run(hands) {
          const stripped = { code_challenge: '', code_challenge_method: '' };
          const { url } = await logInAtShop(hands.alice, 'alice', stripped);
          hands.keep('code', codeIn({ url }));
          hands.see('The code of Alice, which Mallory reads in a log', codeIn({ url }));
        },
      },
      {
        id: 'inject',
        by: 'app',
        async run(hands) {
          const answer = await redeemAtShop(hands.mallory, hands.kept('code'), { client_secret });
          const { access_token = '', error } = answer;
          hands.see('Response', error ?? `access token ${access_token.slice(0, 24)}…`);
          hands.keep('token', access_token);
        },
      },
      readStep,
    ],
  },
  tasks: [
    {
      id: 'attack',
      checks: [
        chain(
          { type: 'lab.switched', isDefended: false },
          { type: 'authorization.requested', client_id: 'lab-shop', code_challenge_method: { present: false } },
          { type: 'code.issued', sub: 'alice', as: 'code' },
          { type: 'token.issued', tokenType: 'access', parentTokenId: { $: 'code.tokenId' }, as: 'token' },
          {
            type: 'request.completed',
            requestId: { $: 'token.requestId' },
            read: { parameter: 'code_verifier', is: { present: true } },
          },
          { type: 'token.used', endpoint: 'api', tokenId: { $: 'token.tokenId' } },
        ),
      ],
    },
    {
      id: 'again',
      checks: [
        chain(
          { type: 'lab.switched', isDefended: true },
          { type: 'code.issued', sub: 'alice' },
          { type: 'error.returned', endpoint: 'token', reason: 'pkce_unexpected' },
        ),
      ],
    },
  ],
};
