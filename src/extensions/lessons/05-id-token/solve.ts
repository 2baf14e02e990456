import { authorize, logIn, redeem, tokensOf, verifier } from '../bike-shop.ts';
import type { LessonSolver, Participant } from '../solver.ts';

const get = (by: Participant, path: string, token = '') =>
  by.call(path, { headers: { Authorization: `Bearer ${token}` } });

/** Asks for a token for this API, with the sign-in and with the code. */
async function tokenFor(by: Participant, resource: string) {
  return (await redeem(by, await logIn(by, 'bob', { resource }), verifier, { resource })).body;
}

const products = '/api/products';
const repairs = '/api/repairs';
const atRepairs = ({ issuer }: Participant) => `${issuer}${repairs}`;

export const solver: LessonSolver = {
  wrong: {
    solve: async by => void (await get(by, products, (await tokensOf(by)).id_token)),
    nearMisses: {
      'the refresh token': {
        does: async by => void (await get(by, products, (await tokensOf(by)).refresh_token)),
        state: 'close',
      },
      'a typo in the ID token': {
        does: async by => void (await get(by, products, `${(await tokensOf(by)).id_token}x`)),
      },
      'the access token': {
        does: async by => void (await get(by, products, (await tokensOf(by)).access_token)),
        also: ['right'],
      },
    },
  },
  right: {
    solve: async by => void (await get(by, products, (await tokensOf(by)).access_token)),
    nearMisses: {
      'a typo in the address': {
        does: async by => void (await get(by, '/api/nothing', (await tokensOf(by)).access_token)),
      },
      'the ID token': {
        does: async by => void (await get(by, products, (await tokensOf(by)).id_token)),
        also: ['wrong'],
      },
    },
  },
  other: {
    solve: async by => void (await get(by, products, (await tokenFor(by, atRepairs(by))).access_token)),
    nearMisses: {
      'the right token, at the API that it is for': {
        does: async by => void (await get(by, repairs, (await tokenFor(by, atRepairs(by))).access_token)),
        also: ['right'],
      },
      'the token of the products, at the repairs': {
        does: async by => void (await get(by, repairs, (await tokensOf(by)).access_token)),
      },
      'a typo in the resource': {
        does: async by => void (await authorize(by, { resource: `${atRepairs(by)}x` })),
      },
    },
  },
  userinfo: {
    async solve(by) {
      const { access_token } = await tokensOf(by);
      await get(by, products, access_token);
      await get(by, '/userinfo', access_token);
    },
    nearMisses: {
      'the ID token': {
        async does(by) {
          const { access_token, id_token } = await tokensOf(by);
          await get(by, products, access_token);
          await get(by, '/userinfo', id_token);
        },
        also: ['right'],
      },
      'new tokens, and not the ones of the products': {
        async does(by) {
          await get(by, products, (await tokensOf(by)).access_token);
          const { access_token } = await tokensOf(by, { prompt: 'login' });
          await get(by, '/userinfo', access_token);
        },
        also: ['right'],
        state: 'close',
        says: 'Do that first',
      },
      'a token whose code was exchanged twice': {
        async does(by) {
          const code = await logIn(by);
          const { access_token } = (await redeem(by, code)).body;
          await get(by, products, access_token);
          await redeem(by, code);
          await get(by, '/userinfo', access_token);
        },
        also: ['right'],
        says: 'exchanged twice',
      },
      'the token of the other API': {
        async does(by) {
          const { access_token } = await tokenFor(by, atRepairs(by));
          await get(by, repairs, access_token);
          await get(by, '/userinfo', access_token);
        },
        also: ['right'],
      },
    },
  },
};
