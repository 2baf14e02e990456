import { chain } from '../../checks/check.ts';
import type { BuiltInLesson } from '../../lesson.ts';
import { labAppIssuer, resultOn, signInToApp } from '../lab-app.ts';

export { default as text } from './lesson.md';

export const lesson: BuiltInLesson = {
  issuer: labAppIssuer,
  lab: {
    weak: { unprotected: ['state', 'pkce', 'nonce'] },
    desk: {
      label: 'Alice opens your page',
      async victim({ browser, see }) {
        see('Before', resultOn(await signInToApp(browser, 'alice')));
        return undefined;
      },
      page: '<meta http-equiv="refresh" content="0; url={{issuer}}/demo-app">',
    },
    steps: [
      {
        id: 'alice',
        by: 'alice',
        async run(hands) {
          hands.see('The app', resultOn(await signInToApp(hands.alice, 'alice')));
        },
      },
      {
        id: 'begin',
        by: 'mallory',
        async run(hands) {
          const login = await hands.mallory.submit(await hands.mallory.open('/demo-app'), 'app-sign-in');
          const callback = `${new URL(hands.issuer).pathname}/demo-app/callback`;
          const { url } = await hands.mallory.submitUntil(login, 'login-user-mallory', callback);
          hands.keep('link', url.href);
          hands.see('The redirect to Mallory, which he does not follow', url.href);
        },
      },
      {
        id: 'open',
        by: 'alice',
        async run(hands) {
          hands.see('The app', resultOn(await hands.alice.open(hands.kept('link'))));
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
          { type: 'app.signed_in', client_id: 'lab-app', sub: 'mallory', before: 'alice' },
        ),
      ],
    },
    {
      id: 'again',
      checks: [
        chain(
          { type: 'lab.switched', isDefended: true },
          { type: 'app.signed_in', client_id: 'lab-app', sub: 'alice' },
          { type: 'app.refused', client_id: 'lab-app', why: 'state' },
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
