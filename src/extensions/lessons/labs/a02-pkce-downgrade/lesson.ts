import { chain } from '../../checks/check.ts';
import type { LabBrowser } from '../../lab/lab.ts';
import type { BuiltInLesson } from '../../lesson.ts';
import type { SolverPage } from '../../solver.ts';
import { labAppIssuer, resultOn, signInToApp } from '../lab-app.ts';

export { default as text } from './lesson.md';

/** Alice presses *Sign in* in two tabs, and signs in in one of them. */
export async function signInInOneTab(browser: LabBrowser): Promise<SolverPage> {
  await browser.submit(await browser.open('/demo-app'), 'app-sign-in');
  return signInToApp(browser, 'alice');
}

export const lesson: BuiltInLesson = {
  issuer: labAppIssuer,
  lab: {
    weak: { relax: ['pkce_downgrade'], always: ['state', 'nonce'] },
    desk: {
      label: 'Alice opens your page',
      async victim({ browser, see }) {
        see('Before', resultOn(await signInInOneTab(browser)));
        return undefined;
      },
      page: '<meta http-equiv="refresh" content="0; url={{issuer}}/demo-app">',
    },
    steps: [
      {
        id: 'alice',
        by: 'alice',
        async run(hands) {
          hands.see('The app', resultOn(await signInInOneTab(hands.alice)));
        },
      },
      {
        id: 'strip',
        by: 'mallory',
        async run({ mallory, issuer, keep, see }) {
          const { pathname } = new URL(issuer);
          const start = await mallory.open('/demo-app');
          const { url } = await mallory.submitUntil(start, 'app-sign-in', `${pathname}/oauth2/authorize`);
          see('The request of the app', url.href);
          for (const name of ['code_challenge', 'code_challenge_method']) url.searchParams.delete(name);
          see('Without the challenge', url.href);
          const login = await mallory.open(url.href);
          const end = await mallory.submitUntil(login, 'login-user-mallory', `${pathname}/demo-app/callback`);
          see('The callback, which Mallory does not open', end.url.href);
          keep('link', end.url.href);
        },
      },
      {
        id: 'open',
        by: 'alice',
        async run({ alice, kept, see }) {
          see('The app', resultOn(await alice.open(kept('link'))));
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
          { type: 'authorization.requested', client_id: 'lab-app', code_challenge_method: { present: false } },
          { type: 'code.issued', sub: 'mallory', as: 'code' },
          { type: 'token.issued', tokenType: 'access', parentTokenId: { $: 'code.tokenId' }, as: 'token' },
          {
            type: 'request.completed',
            requestId: { $: 'token.requestId' },
            read: { parameter: 'code_verifier', is: { present: true } },
          },
          { type: 'app.signed_in', client_id: 'lab-app', sub: 'mallory', before: 'alice' },
        ),
      ],
    },
    {
      id: 'again',
      checks: [
        chain(
          { type: 'lab.switched', isDefended: true },
          { type: 'code.issued', sub: 'mallory', client_id: 'lab-app' },
          { type: 'error.returned', endpoint: 'token', reason: 'pkce_unexpected' },
          { type: 'app.refused', client_id: 'lab-app', why: 'error' },
        ),
      ],
    },
    {
      id: 'goal',
      checks: [
        chain(
          { type: 'app.signed_in', sub: 'mallory', before: 'alice', as: 'taken', next: 'have Alice open your page' },
          { type: 'request.completed', requestId: { $: 'taken.requestId' }, by: 'victim' },
        ),
      ],
    },
  ],
};
