import { randomBytes } from 'node:crypto';
import { chain, seen } from '../../checks/check.ts';
import type { LabSuspect } from '../../lab/lab.ts';
import type { BuiltInLesson } from '../../lesson.ts';
import { labAppIssuer, labSecondIssuer, resultOn, signInToApp } from '../lab-app.ts';
import { labShop, logInAtShop } from '../lab-shop.ts';

export { default as text } from './lesson.md';

const [shop] = labShop.clients ?? [];
const [website] = labAppIssuer.clients ?? [];
const scope = 'openid products:read';

/** The victim, and not the learner in a browser of their own, sent the request of the step `name`. */
const byVictim = <Name extends string>(name: Name) =>
  ({ type: 'request.completed', requestId: { $: `${name}.requestId` }, by: 'victim' }) as const;

/** A check that any of the others leaves in place. The text names them in the same order. */
const suspects: readonly LabSuspect[] = [
  {
    id: 'redirect',
    weak: { relax: ['redirect_prefix'] },
    evidence: [
      chain(
        { type: 'code.issued', sub: 'alice', client_id: ['lab-phone', 'lab-app'], as: 'code' },
        {
          type: 'request.completed',
          endpoint: 'labs',
          path: { includes: '/labs/evil' },
          by: 'victim',
          read: { parameter: 'code', is: { $: 'code.token' } },
        },
      ),
    ],
  },
  {
    id: 'pkce',
    weak: { relax: ['pkce_absent'] },
    evidence: [
      chain({ type: 'code.issued', sub: 'alice', client_id: 'lab-phone', as: 'code' }, byVictim('code'), {
        type: 'token.issued',
        tokenType: 'access',
        parentTokenId: { $: 'code.tokenId' },
        request: { parameter: { code_verifier: { present: false } } },
      }),
    ],
  },
  {
    id: 'state',
    weak: { unprotected: ['state'] },
    evidence: [chain({ type: 'app.signed_in', sub: 'mallory', before: 'alice', as: 'taken' }, byVictim('taken'))],
  },
  {
    id: 'iss',
    weak: { unprotected: ['iss'] },
    evidence: [
      chain(
        { type: 'code.issued', sub: 'alice', client_id: 'lab-app', as: 'code' },
        { type: 'app.code_sent', issuer: { includes: '-second' }, as: 'sent' },
        {
          type: 'request.completed',
          requestId: { $: 'sent.requestId' },
          by: 'victim',
          read: { parameter: 'code', is: { $: 'code.token' } },
        },
        { type: 'token.issued', tokenType: 'access', parentTokenId: { $: 'code.tokenId' } },
      ),
    ],
  },
  {
    id: 'email',
    weak: { unprotected: ['sub'] },
    evidence: [seen({ type: 'app.signed_in', iss: { endsWith: '-second' }, sub: 'mallory', account: 'alice' })],
  },
  {
    id: 'alg',
    weak: { api: ['alg'] },
    evidence: [seen({ type: 'lab.token_let_through', isForged: true, sub: 'alice', alg: ['none', 'HS256'] })],
  },
  {
    id: 'aud',
    weak: { api: ['aud'] },
    evidence: [seen({ type: 'lab.token_let_through', isForged: false, sub: 'alice', client_id: 'lab-weather' })],
  },
];

export const lesson: BuiltInLesson = {
  issuer: {
    ...labShop,
    clients: [
      // the first client is the one of the picture
      { ...website, client_id: 'lab-app', client_name: 'Website' },
      {
        ...shop,
        client_id: 'lab-phone',
        client_name: 'Phone app',
        redirect_uris: ['{{issuer}}/labs/shop'],
        ...{ scope, audience: '{{issuer}}/labs/api' },
      },
      {
        ...shop,
        client_id: 'lab-weather',
        client_name: 'Weather',
        redirect_uris: ['{{issuer}}/labs/evil'],
        ...{ scope, audience: 'https://weather.test' },
      },
    ],
  },
  lab: {
    steps: [],
    second: labSecondIssuer,
    // the website relies on `state`: with PKCE or `nonce` its comparison would not be missed
    weak: { unprotected: ['pkce', 'nonce'], api: [] },
    suspects,
    desk: {
      label: 'Alice opens your page',
      async victim({ browser, see }) {
        see('Before', resultOn(await signInToApp(browser, 'alice')));
        return undefined;
      },
      page: '<a href="{{issuer}}/demo-app">Win a bike</a>',
      more: {
        provider: {
          label: 'Alice chooses your provider',
          async victim({ browser, second, see }) {
            const authorize = `${new URL(second).pathname}/oauth2/authorize`;
            const { url } = await browser.submitUntil(await browser.open('/demo-app'), 'app-sign-in-second', authorize);
            see('She arrives at your provider', url.href);
            return url.search;
          },
        },
        phone: {
          label: 'Alice uses the phone app',
          staysAway: true,
          async victim({ browser, issuer, missing, see }) {
            const challenged = missing !== 'pkce';
            const { url } = await logInAtShop(browser, 'alice', {
              ...{ client_id: 'lab-phone', redirect_uri: `${issuer}/labs/shop`, scope },
              // the verifier of the lessons is known to everybody
              code_challenge: challenged ? randomBytes(32).toString('base64url') : '',
              code_challenge_method: challenged ? 'S256' : '',
            });
            see('The callback, which reaches an app of yours, too', url.href);
            return undefined;
          },
        },
      },
    },
  },
  // the missing check has the evidence
  tasks: [{ id: 'goal', checks: [] }],
};
