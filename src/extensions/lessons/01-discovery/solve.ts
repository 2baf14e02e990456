import type { LessonSolver } from '../solver.ts';

const metadata = '/.well-known/openid-configuration';

export const solver: LessonSolver = {
  metadata: {
    solve: async by => void (await by.call(metadata)),
    nearMiss: async by => void (await by.call('/.well-known/openid-configration')),
  },
  keys: {
    async solve(by) {
      await by.call(metadata);
      await by.call('/oauth2/jwks');
    },
    // requests the keys at a guessed address before reading the metadata
    async nearMiss(by) {
      await by.call('/oauth2/jwks');
      await by.call(metadata);
    },
  },
  door: {
    solve: async by => void (await by.call('/oauth2/token', { form: {} })),
    nearMiss: async by => void (await by.call('/token', { form: {} })),
  },
};
