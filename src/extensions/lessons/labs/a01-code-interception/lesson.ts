import { randomBytes } from 'node:crypto';
import { codeIn } from '../../bike-shop.ts';
import { chain } from '../../checks/check.ts';
import type { LabBrowser, LabHands } from '../../lab/lab.ts';
import type { BuiltInLesson } from '../../lesson.ts';
import { labShop, logInAtShop, readStep, readWithCodeOfVictim, redeemAtShop } from '../lab-shop.ts';

export { default as text } from './lesson.md';

/** Exchanges the code, and shows the answer. */
async function redeem(hands: LabHands, browser: LabBrowser, code_verifier: string | undefined): Promise<void> {
  const more: Record<string, string> = code_verifier === undefined ? {} : { code_verifier };
  const { access_token = '', error } = await redeemAtShop(browser, hands.kept('code'), more);
  hands.see('Response', error ?? `access token ${access_token.slice(0, 24)}…`);
  hands.keep('token', access_token);
}

export const lesson: BuiltInLesson = {
  issuer: labShop,
  lab: {
    weak: { relax: ['pkce_absent'] },
    desk: {
      label: 'Alice signs in at the shop',
      async victim({ browser, isDefended, see }) {
        // the verifier of the lessons is known to everybody
        const code_challenge = isDefended ? randomBytes(32).toString('base64url') : '';
        const more = { code_challenge, code_challenge_method: isDefended ? 'S256' : '' };
        see('The callback, which reaches your app, too', (await logInAtShop(browser, 'alice', more)).url.href);
        return undefined;
      },
    },
    steps: [
      {
        id: 'login',
        by: 'alice',
        async run(hands) {
          const { url } = await logInAtShop(
            hands.alice,
            'alice',
            hands.isDefended ? {} : { code_challenge: '', code_challenge_method: '' },
          );
          hands.keep('code', codeIn({ url }));
          hands.see('The callback, which both apps receive', url.href);
        },
      },
      { id: 'intercept', by: 'mallory', run: hands => redeem(hands, hands.mallory, '') },
      readStep,
      { id: 'shop', by: 'app', run: hands => redeem(hands, hands.alice, hands.isDefended ? undefined : '') },
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
          { type: 'token.used', endpoint: 'api', tokenId: { $: 'token.tokenId' } },
          { type: 'error.returned', endpoint: 'token', reason: 'code_replayed', about: { $: 'code.tokenId' } },
        ),
      ],
    },
    {
      id: 'again',
      checks: [
        chain(
          { type: 'lab.switched', isDefended: true },
          { type: 'code.issued', sub: 'alice', as: 'code' },
          { type: 'error.returned', endpoint: 'token', reason: ['pkce_missing', 'pkce_mismatch'] },
          { type: 'token.issued', tokenType: 'access', parentTokenId: { $: 'code.tokenId' } },
        ),
      ],
    },
    { id: 'goal', checks: [readWithCodeOfVictim] },
  ],
};
