import { logIn, redeem } from '../bike-shop.ts';
import type { LessonSolver } from '../solver.ts';

export const solver: LessonSolver = {
  login: {
    solve: async by => void (await logIn(by)),
    nearMiss: async by => void (await logIn(by, 'alice')),
    nearState: 'close',
  },
  redeem: {
    solve: async by => void (await redeem(by, await logIn(by))),
    nearMiss: async by => void (await redeem(by, await logIn(by), '')),
  },
  replay: {
    async solve(by) {
      const code = await logIn(by);
      await redeem(by, code);
      await redeem(by, code);
    },
    async nearMiss(by) {
      await redeem(by, await logIn(by));
      await redeem(by, 'a-code-that-nobody-issued');
    },
  },
  verifier: {
    solve: async by => void (await redeem(by, await logIn(by), '')),
    nearMiss: async by => void (await redeem(by, 'a-code-that-nobody-issued', '')),
    nearState: 'close',
  },
};
