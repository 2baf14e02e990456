import { logIn, redeem } from '../bike-shop.ts';
import { basic, type LessonSolver, type Participant } from '../solver.ts';

const orders = basic('orders', 'bell');
const stock = basic('stock', 'spoke');
const both = 'stock:read stock:write';

type Form = Readonly<Record<string, string>>;

async function ask(by: Participant, Authorization: string, form: Form): Promise<string> {
  return (await by.call('/oauth2/token', { form, headers: { Authorization } })).body.access_token ?? '';
}

/** Signs Bob in at the shop, and returns his access token for the orders API. */
async function bobs(by: Participant): Promise<string> {
  const code = await logIn(by, 'bob', { scope: `openid profile ${both}` });
  return (await redeem(by, code)).body.access_token ?? '';
}

async function ownOf(by: Participant, Authorization: string): Promise<string> {
  return ask(by, Authorization, { grant_type: 'client_credentials' });
}

async function exchange(
  by: Participant,
  Authorization: string,
  subject_token: string,
  more: Form = {},
): Promise<string> {
  const type = 'urn:ietf:params:oauth:token-type:access_token';
  const actor: Form = more.actor_token === undefined ? {} : { actor_token_type: type };
  return ask(by, Authorization, {
    grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
    subject_token,
    subject_token_type: type,
    ...actor,
    ...more,
  });
}

async function call(by: Participant, token: string): Promise<void> {
  await by.call('/api/stock', { headers: { Authorization: `Bearer ${token}` } });
}

/** The token in which the orders API acts for Bob, and may read. */
async function narrow(by: Participant): Promise<string> {
  const token = await bobs(by);
  return exchange(by, orders, token, { actor_token: await ownOf(by, orders), scope: 'stock:read' });
}

const toSupplier = { audience: 'https://suppliers.example' };

export const solver: LessonSolver = {
  forward: {
    solve: async by => await call(by, await bobs(by)),
    nearMisses: {
      'a token that was not copied whole': { does: async by => await call(by, (await bobs(by)).slice(0, -1)) },
      'no token': { does: async by => void (await by.call('/api/stock')) },
      'a token of the orders API itself': { does: async by => await call(by, await ownOf(by, orders)) },
    },
  },
  exchange: {
    async solve(by) {
      const token = await bobs(by);
      await call(by, await exchange(by, orders, token, { audience: `${by.issuer}/api` }));
    },
    nearMisses: {
      'a typo in the audience': {
        does: async by => void (await exchange(by, orders, await bobs(by), { audience: `${by.issuer}/apis` })),
        says: 'knows no such API',
      },
      'a token of the orders API itself, which is not for Bob': {
        async does(by) {
          await bobs(by);
          await call(by, await ownOf(by, orders));
        },
      },
      'the old token after the exchange': {
        async does(by) {
          const token = await bobs(by);
          await call(by, token);
          await exchange(by, orders, token);
          await call(by, token);
        },
        also: ['forward'],
        says: 'Send the new one',
      },
      'a typo in the subject token': {
        does: async by => await call(by, await exchange(by, orders, `${await bobs(by)}x`)),
      },
    },
  },
  act: {
    solve: async by => void (await narrow(by)),
    nearMisses: {
      'all scopes': {
        async does(by) {
          const token = await bobs(by);
          await exchange(by, orders, token, { actor_token: await ownOf(by, orders) });
        },
        says: 'may write, too',
      },
      'no actor, as in the task before': {
        async does(by) {
          const token = await bobs(by);
          await ownOf(by, orders);
          await exchange(by, orders, token, { scope: 'stock:read' });
        },
        says: 'actor token',
      },
      'the two tokens the wrong way round': {
        async does(by) {
          const token = await bobs(by);
          await exchange(by, orders, await ownOf(by, orders), { actor_token: token, scope: 'stock:read' });
        },
        says: 'wrong way round',
      },
      'a typo in the scope': {
        async does(by) {
          const token = await bobs(by);
          await exchange(by, orders, token, { actor_token: await ownOf(by, orders), scope: 'stock:reed' });
        },
      },
    },
  },
  wider: {
    solve: async by =>
      void (await exchange(by, stock, await narrow(by), { audience: `${by.issuer}/api`, scope: both })),
    nearMisses: {
      'a typo in the scope': {
        does: async by => void (await exchange(by, orders, await narrow(by), { scope: 'stock:read stock:writ' })),
        also: ['act'],
      },
      'the first token of Bob': {
        async does(by) {
          const token = await bobs(by);
          await exchange(by, orders, token, { actor_token: await ownOf(by, orders), scope: 'stock:read' });
          await exchange(by, orders, token, { scope: both });
        },
        also: ['act'],
        says: 'Take the narrow one',
      },
      'the scope that it has': {
        does: async by => void (await exchange(by, orders, await narrow(by), { scope: 'stock:read' })),
        also: ['act'],
      },
    },
  },
  chain: {
    async solve(by) {
      const token = await narrow(by);
      await exchange(by, stock, token, { ...toSupplier, actor_token: await ownOf(by, stock) });
    },
    nearMisses: {
      'no actor: the stock API stays out of the chain': {
        async does(by) {
          const token = await narrow(by);
          await ownOf(by, stock);
          await exchange(by, stock, token, toSupplier);
        },
        also: ['act'],
        says: 'actor token',
      },
      'the first token of Bob, which begins a new chain': {
        async does(by) {
          const token = await bobs(by);
          await exchange(by, orders, token, { actor_token: await ownOf(by, orders), scope: 'stock:read' });
          await exchange(by, stock, token, { ...toSupplier, actor_token: await ownOf(by, stock) });
        },
        also: ['act'],
        says: 'narrow token',
      },
      'a typo in the secret of stock': {
        async does(by) {
          const token = await narrow(by);
          const actor_token = await ownOf(by, stock);
          await exchange(by, basic('stock', 'spook'), token, { ...toSupplier, actor_token });
        },
        also: ['act'],
      },
    },
  },
};
