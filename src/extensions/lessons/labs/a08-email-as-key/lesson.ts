import { chain } from '../../checks/check.ts';
import { LabStop } from '../../lab/lab.ts';
import type { BuiltInLesson } from '../../lesson.ts';
import { labAppIssuer, labSecondIssuer, resultOn, signInToApp } from '../lab-app.ts';

export { default as text } from './lesson.md';

export const lesson: BuiltInLesson = {
  issuer: labAppIssuer,
  lab: {
    second: labSecondIssuer,
    weak: { unprotected: ['sub'] },
    steps: [
      {
        id: 'alice',
        by: 'alice',
        async run(hands) {
          hands.see('The app', resultOn(await signInToApp(hands.alice, 'alice')));
        },
      },
      {
        id: 'profile',
        by: 'mallory',
        async run(hands) {
          hands.see('iss', hands.second);
          hands.see('sub', 'mallory');
          hands.see('email, which he typed himself', 'alice@example.com');
          hands.see('email_verified', 'false');
        },
      },
      {
        id: 'account',
        by: 'mallory',
        async run(hands) {
          const login = await hands.mallory.submit(await hands.mallory.open('/demo-app'), 'app-sign-in-second');
          const page = await hands.mallory.submit(login, 'login-user-mallory');
          const result = resultOn(page);
          hands.see('The app', result);
          if (!result.includes('Alice')) throw new LabStop('The app opened an account of his own.');
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
          { type: 'app.signed_in', client_id: 'lab-app', sub: 'alice', account: 'alice' },
          { type: 'app.signed_in', client_id: 'lab-app', sub: 'mallory', account: 'alice' },
        ),
      ],
    },
    {
      id: 'again',
      checks: [
        chain(
          { type: 'lab.switched', isDefended: true },
          { type: 'app.signed_in', client_id: 'lab-app', sub: 'alice', account: 'alice' },
          { type: 'app.signed_in', client_id: 'lab-app', sub: 'mallory', account: 'mallory' },
        ),
      ],
    },
  ],
};
