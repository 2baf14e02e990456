import { codeIn, verifier } from '../../bike-shop.ts';
import { chain } from '../../checks/check.ts';
import type { LabHands } from '../../lab/lab.ts';
import type { BuiltInLesson } from '../../lesson.ts';
import { contentOf } from '../a06-forged-token/forge.ts';
import { callLabApi, labApiShop } from '../lab-api-shop.ts';
import { logInAtShop, redeemAtShop } from '../lab-shop.ts';

export { default as text } from './lesson.md';

const [shop] = labApiShop.clients ?? [];

/** Signs Alice in at an app, and returns the tokens that the app gets. */
async function logIn({ alice }: LabHands, client_id: string): Promise<Readonly<Record<string, string>>> {
  // Alice has a session after her first sign-in
  const { url } = await logInAtShop(alice, 'alice', { client_id, scope: 'openid read', prompt: 'login' });
  return redeemAtShop(alice, codeIn({ url }), { client_id });
}

/** Shows for whom and for what a token was made. */
function show(hands: LabHands, token: string): void {
  const { header, claims } = contentOf(token);
  const { aud, scope = 'none' } = claims;
  hands.see('Token', `typ ${String(header.typ)}, aud ${String(aud)}, scope ${String(scope)}`);
}

/** Mallory sends a token of his application to the API of the shop. */
async function send(hands: LabHands, name: string): Promise<void> {
  const token = hands.kept(name);
  show(hands, token);
  await callLabApi(hands, { by: 'mallory', path: 'orders', token });
}

export const lesson: BuiltInLesson = {
  issuer: {
    ...labApiShop,
    clients: [
      // the first client is the one of the picture
      {
        ...shop,
        client_id: 'lab-weather',
        client_name: 'Weather',
        scope: 'openid read',
        audience: 'https://weather.test',
      },
      { ...shop, client_id: 'lab-shop', scope: 'openid read' },
    ],
    scopes: { read: 'read your data' },
    collections: {
      orders: {
        readScope: 'read',
        fields: { customer: 'string', total: 'number' },
        seed: [{ customer: 'alice', total: 549 }],
      },
    },
  },
  lab: {
    weak: { api: ['aud', 'typ'] },
    desk: {
      label: 'Alice signs in at your weather app',
      async victim({ browser, see }) {
        const { url } = await logInAtShop(browser, 'alice', { client_id: 'lab-weather', scope: 'openid read' });
        see('The callback that your app got', url.href);
        see('The code_verifier of your app', verifier);
        return undefined;
      },
    },
    steps: [
      {
        id: 'shop',
        by: 'app',
        async run(hands) {
          const { access_token = '' } = await logIn(hands, 'lab-shop');
          show(hands, access_token);
          await callLabApi(hands, { by: 'alice', path: 'orders', token: access_token });
        },
      },
      {
        id: 'weather',
        by: 'alice',
        async run(hands) {
          const { access_token = '', id_token = '' } = await logIn(hands, 'lab-weather');
          hands.keep('access token of the weather app', access_token);
          hands.keep('ID token of the weather app', id_token);
          for (const token of [access_token, id_token]) show(hands, token);
        },
      },
      { id: 'access', by: 'mallory', run: hands => send(hands, 'access token of the weather app') },
      { id: 'id', by: 'mallory', run: hands => send(hands, 'ID token of the weather app') },
    ],
  },
  tasks: [
    {
      id: 'attack',
      checks: [
        chain(
          { type: 'lab.switched', isDefended: false },
          { type: 'lab.token_let_through', tokenType: 'access', client_id: 'lab-weather', isForged: false },
        ),
        chain(
          { type: 'lab.switched', isDefended: false },
          { type: 'lab.token_let_through', tokenType: 'id', isForged: false },
        ),
      ],
    },
    {
      id: 'again',
      checks: (['api_audience_mismatch', 'api_id_token_sent'] as const).map(reason =>
        chain({ type: 'lab.switched', isDefended: true }, { type: 'error.returned', endpoint: 'api', reason }),
      ),
    },
    {
      id: 'goal',
      checks: [
        chain(
          {
            ...{ type: 'code.issued', client_id: 'lab-weather', sub: 'alice', as: 'code' },
            next: 'let Alice sign in at your app',
          },
          { type: 'request.completed', requestId: { $: 'code.requestId' }, by: 'victim' },
          { type: 'token.issued', parentTokenId: { $: 'code.tokenId' }, as: 'token', next: 'exchange the code' },
          { type: 'lab.token_let_through', tokenId: { $: 'token.tokenId' }, next: 'send a token to the shop' },
        ),
      ],
    },
  ],
};
