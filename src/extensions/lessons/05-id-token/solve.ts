import { tokensOf } from '../bike-shop.ts';
import type { LessonSolver, Participant } from '../solver.ts';

const get = (by: Participant, path: string, token = '') =>
  by.call(path, { headers: { Authorization: `Bearer ${token}` } });

export const solver: LessonSolver = {
  wrong: {
    solve: async by => void (await get(by, '/api/products', (await tokensOf(by)).id_token)),
    // neither token is sent: the refresh token is not for the API either
    nearMiss: async by => void (await get(by, '/api/products', (await tokensOf(by)).refresh_token)),
    nearState: 'close',
  },
  right: {
    solve: async by => void (await get(by, '/api/products', (await tokensOf(by)).access_token)),
    nearMiss: async by => void (await get(by, '/api/nothing', (await tokensOf(by)).access_token)),
  },
  userinfo: {
    async solve(by) {
      const { access_token } = await tokensOf(by);
      await get(by, '/api/products', access_token);
      await get(by, '/userinfo', access_token);
    },
    async nearMiss(by) {
      const { access_token, id_token } = await tokensOf(by);
      await get(by, '/api/products', access_token);
      await get(by, '/userinfo', id_token);
    },
  },
};
