import { logIn, redeem, tokensOf, verifier } from '../bike-shop.ts';
import type { LessonSolver, Participant } from '../solver.ts';

const get = (by: Participant, path: string, token = '') =>
  by.call(path, { headers: { Authorization: `Bearer ${token}` } });

/** Asks for a token for this API, with the login and with the code. */
async function tokenFor(by: Participant, resource: string) {
  return (await redeem(by, await logIn(by, 'bob', { resource }), verifier, { resource })).body;
}

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
  other: {
    async solve(by) {
      await get(by, '/api/products', (await tokenFor(by, `${by.issuer}/api/repairs`)).access_token);
    },
    // the right token, at the API that it is for
    async nearMiss(by) {
      await get(by, '/api/repairs', (await tokenFor(by, `${by.issuer}/api/repairs`)).access_token);
    },
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
