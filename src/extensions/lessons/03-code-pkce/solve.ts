import { createHash, randomUUID } from 'node:crypto';
import { authorize, logIn, redeem } from '../bike-shop.ts';
import type { LessonSolver, Participant } from '../solver.ts';

const otherVerifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXK';

/** Signs in and exchanges the code, then signs in once more. Returns both codes. */
async function logInTwice(by: Participant): Promise<readonly [string, string]> {
  const first = await logIn(by);
  await redeem(by, first);
  return [first, await logIn(by, 'bob', { prompt: 'login' })];
}

export const solver: LessonSolver = {
  make: {
    solve: async by =>
      void (await authorize(by, { code_challenge: createHash('sha256').update(randomUUID()).digest('base64url') })),
    nearMisses: {
      'the example of RFC 7636': { does: async by => void (await authorize(by)), says: 'everybody knows' },
      'no challenge': {
        does: async by => void (await authorize(by, { code_challenge: '', code_challenge_method: '' })),
      },
      'the verifier itself as the challenge': {
        does: async by => void (await authorize(by, { code_challenge_method: 'plain' })),
      },
    },
  },
  login: {
    solve: async by => void (await logIn(by)),
    nearMisses: {
      'Alice in place of Bob': { does: async by => void (await logIn(by, 'alice')), state: 'close', says: 'not Bob' },
      'no challenge': {
        does: async by => void (await authorize(by, { code_challenge: '', code_challenge_method: '' })),
      },
      'a typo in the scope': {
        does: async by => void (await authorize(by, { scope: 'openid profile products:reed' })),
      },
    },
  },
  redeem: {
    solve: async by => void (await redeem(by, await logIn(by))),
    nearMisses: {
      'a typo in the verifier': {
        does: async by => void (await redeem(by, await logIn(by), otherVerifier)),
        also: ['login'],
        says: 'The verifier is not the one of this challenge.',
      },
      'no verifier, as the thief of the last task': {
        does: async by => void (await redeem(by, await logIn(by), '')),
        also: ['login'],
      },
      'a code that was not copied whole': {
        does: async by => void (await redeem(by, (await logIn(by)).slice(0, -1))),
        also: ['login'],
      },
    },
  },
  replay: {
    async solve(by) {
      const code = await logIn(by);
      await redeem(by, code);
      await redeem(by, code);
    },
    nearMisses: {
      'a typo in the code': {
        async does(by) {
          const code = await logIn(by);
          await redeem(by, code);
          await redeem(by, `${code}x`);
        },
        also: ['login', 'redeem'],
      },
      'a new code': {
        does: async by => void (await redeem(by, (await logInTwice(by))[1])),
        also: ['login', 'redeem'],
      },
    },
  },
  verifier: {
    solve: async by => void (await redeem(by, (await logInTwice(by))[1], '')),
    nearMisses: {
      'a wrong verifier': {
        does: async by => void (await redeem(by, (await logInTwice(by))[1], otherVerifier)),
        also: ['login', 'redeem'],
        says: 'leave `code_verifier` out',
      },
      'the old code': {
        does: async by => void (await redeem(by, (await logInTwice(by))[0], '')),
        also: ['login', 'redeem'],
        says: 'code of before',
      },
      'a code that nobody issued': {
        async does(by) {
          await logInTwice(by);
          await redeem(by, 'a-code-that-nobody-issued', '');
        },
        also: ['login', 'redeem'],
      },
    },
  },
};
