import { codeIn } from '../../bike-shop.ts';
import { chain } from '../../checks/check.ts';
import { type LabBrowser, type LabHands, LabStop } from '../../lab/lab.ts';
import type { BuiltInLesson } from '../../lesson.ts';
import { makeProof, newProofKey, type ProofKey } from '../../playground/proof.ts';
import { labShop, logInAtShop, redeemAtShop } from '../lab-shop.ts';

export { default as text } from './lesson.md';

const [shop] = labShop.clients ?? [];

/** The keys of the shops whose tokens are bound, by token. */
const keys = new Map<string, ProofKey>();
const mostKeys = 100;

const now = () => Math.floor(Date.now() / 1000);

type Shop = Pick<LabHands, 'alice' | 'isDefended' | 'issuer'>;

/** The shop redeems a code. With the defence on, it proves that it has a key, and the server binds the token to that key. */
async function redeem({ alice, isDefended, issuer }: Shop, code: string): Promise<string> {
  if (!isDefended) return (await redeemAtShop(alice, code)).access_token ?? '';
  const key = await newProofKey();
  const DPoP = await makeProof(key, { method: 'POST', url: `${issuer}/oauth2/token`, now: now() });
  const { access_token = '' } = await redeemAtShop(alice, code, {}, { DPoP });
  const [oldest] = keys.keys();
  if (keys.size >= mostKeys && oldest !== undefined) keys.delete(oldest);
  keys.set(access_token, key);
  return access_token;
}

/** The headers with which the shop calls the API: the token, and a new proof if the token is bound. */
async function headersOf({ issuer }: Shop, token: string): Promise<ShopHeaders> {
  const key = keys.get(token);
  if (key === undefined) return { Authorization: `Bearer ${token}` };
  const url = `${issuer}/api/products`;
  return { Authorization: `DPoP ${token}`, DPoP: await makeProof(key, { method: 'GET', url, now: now(), token }) };
}

type ShopHeaders = Readonly<Record<'Authorization', string> & Partial<Record<'DPoP', string>>>;

function logged(headers: ShopHeaders): string {
  return `GET /api/products ${Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join(' ')}`;
}

function callApi(browser: LabBrowser, headers: Readonly<Record<string, string>>) {
  return browser.call('/api/products', { headers });
}

function showAnswer(hands: LabHands, { status, headers }: Awaited<ReturnType<typeof callApi>>): void {
  const [, error = ''] = /error="(\w+)"/.exec(headers.get('WWW-Authenticate') ?? '') ?? [];
  hands.see('Response', `${status} ${error}`.trim());
}

/** Sends the request of the log once more, from a different machine. */
async function replay(hands: LabHands, headers: Readonly<Record<string, string>>): Promise<void> {
  hands.see('Sent by Mallory', Object.keys(headers).join(', '));
  showAnswer(hands, await callApi(hands.mallory, headers));
}

export const lesson: BuiltInLesson = {
  issuer: { ...labShop, clients: shop === undefined ? [] : [{ ...shop, dpop_bound_access_tokens: true }] },
  lab: {
    weak: { clients: { 'lab-shop': { dpop_bound_access_tokens: false } } },
    desk: {
      label: 'Alice opens the products',
      async victim({ browser, issuer, isDefended, see }) {
        const shop = { alice: browser, issuer, isDefended };
        const { url } = await logInAtShop(browser, 'alice');
        const headers = await headersOf(shop, await redeem(shop, codeIn({ url })));
        await callApi(browser, headers);
        see('The line in the log of the proxy', logged(headers));
        return undefined;
      },
    },
    steps: [
      {
        id: 'login',
        by: 'alice',
        async run(hands) {
          const { url } = await logInAtShop(hands.alice, 'alice');
          hands.keep('token', await redeem(hands, codeIn({ url })));
        },
      },
      {
        id: 'use',
        by: 'app',
        async run(hands) {
          const headers = await headersOf(hands, hands.kept('token'));
          hands.keep('proof', headers.DPoP ?? 'none');
          showAnswer(hands, await callApi(hands.alice, headers));
          hands.see('The line in the log', logged(headers));
        },
      },
      {
        id: 'replay',
        by: 'mallory',
        run: hands => replay(hands, { Authorization: `Bearer ${hands.kept('token')}` }),
      },
      {
        id: 'proof',
        by: 'mallory',
        async run(hands) {
          const [token, DPoP] = [hands.kept('token'), hands.kept('proof')];
          if (DPoP === 'none')
            throw new LabStop('There is no proof in the log, because nobody asks for one. Mallory needs none.');
          await replay(hands, { Authorization: `DPoP ${token}`, DPoP });
        },
      },
    ],
  },
  tasks: [
    {
      id: 'attack',
      checks: [
        chain(
          { type: 'lab.switched', isDefended: false },
          { type: 'token.used', endpoint: 'api', sub: 'alice', as: 'shop' },
          { type: 'token.used', endpoint: 'api', tokenId: { $: 'shop.tokenId' } },
        ),
      ],
    },
    {
      id: 'again',
      checks: [
        chain(
          { type: 'lab.switched', isDefended: true },
          { type: 'token.used', endpoint: 'api', sub: 'alice' },
          { type: 'error.returned', endpoint: 'api', reason: 'api_dpop_scheme_missing' },
        ),
        chain(
          { type: 'lab.switched', isDefended: true },
          { type: 'error.returned', endpoint: 'api', reason: 'api_dpop_proof_replayed' },
        ),
      ],
    },
    {
      id: 'goal',
      checks: [
        chain(
          { type: 'code.issued', sub: 'alice', as: 'code', next: 'let Alice open the products' },
          { type: 'request.completed', requestId: { $: 'code.requestId' }, by: 'victim' },
          { type: 'token.issued', tokenType: 'access', parentTokenId: { $: 'code.tokenId' }, as: 'token' },
          { type: 'token.used', endpoint: 'api', tokenId: { $: 'token.tokenId' }, as: 'shop' },
          { type: 'request.completed', requestId: { $: 'shop.requestId' }, by: 'victim' },
          {
            ...{ type: 'token.used', endpoint: 'api', tokenId: { $: 'token.tokenId' } },
            next: 'call the API with the token in the log',
          },
        ),
      ],
    },
  ],
};
