import { authorize, codeIn, logIn, redeem, tokensOf } from '../bike-shop.ts';
import type { LessonSolver, Participant } from '../solver.ts';

const withOrders = { scope: 'openid profile products:read orders:read' };

async function call(by: Participant, collection: string, token = ''): Promise<void> {
  await by.call(`/api/${collection}`, { headers: { Authorization: `Bearer ${token}` } });
}

/** Logs in with the consent page, and does not tick `without`. */
async function consent(by: Participant, without: readonly string[]): Promise<string> {
  const page = await by.submit(await authorize(by, { ...withOrders, prompt: 'consent' }), 'login-user-bob');
  return codeIn(await by.submit(page, 'consent-allow', without));
}

/** Calls the payments API ten minutes after the sign-in. */
async function tooLate(by: Participant): Promise<void> {
  const { access_token } = await tokensOf(by, withOrders);
  await by.call('/_sandbox/clock', { json: { advance: '10m' } });
  await call(by, 'payments', access_token);
}

/** Calls the API for the orders without their scope. */
async function refused(by: Participant): Promise<void> {
  await call(by, 'orders', (await tokensOf(by)).access_token);
}

async function callAnew(by: Participant, collection: string, more = withOrders): Promise<void> {
  await call(by, collection, (await redeem(by, codeIn(await authorize(by, more)))).body.access_token);
}

export const solver: LessonSolver = {
  refused: {
    solve: refused,
    nearMisses: {
      'the products, which the scope allows': {
        does: async by => call(by, 'products', (await tokensOf(by)).access_token),
      },
      'the payments': {
        does: async by => call(by, 'payments', (await tokensOf(by)).access_token),
        state: 'close',
        says: 'not the API for the orders',
      },
      'a typo in the address': { does: async by => call(by, 'order', (await tokensOf(by)).access_token) },
    },
  },
  more: {
    async solve(by) {
      await refused(by);
      await callAnew(by, 'orders');
    },
    nearMisses: {
      'a new token for the same scopes': {
        async does(by) {
          await refused(by);
          await callAnew(by, 'orders', { scope: 'openid profile products:read' });
        },
        also: ['refused'],
      },
      'the old code once more': {
        async does(by) {
          const code = await logIn(by);
          await call(by, 'orders', (await redeem(by, code)).body.access_token);
          await redeem(by, code);
        },
        also: ['refused'],
        says: 'This code was used before',
      },
      'a typo in the scope': {
        async does(by) {
          await refused(by);
          await authorize(by, { scope: 'openid profile products:read orders:reed' });
        },
        also: ['refused'],
      },
      'the old token after the new sign-in': {
        async does(by) {
          const { access_token } = await tokensOf(by);
          await call(by, 'orders', access_token);
          await redeem(by, codeIn(await authorize(by, withOrders)));
          await call(by, 'orders', access_token);
        },
        also: ['refused'],
      },
    },
  },
  consent: {
    solve: async by => void (await redeem(by, await consent(by, ['scope:orders:read']))),
    nearMisses: {
      'a yes to everything': {
        does: async by => void (await redeem(by, await consent(by, []))),
        state: 'close',
        says: 'Take away the tick',
      },
      'the wrong tick': { does: async by => void (await redeem(by, await consent(by, ['scope:products:read']))) },
      'no exchange': { does: async by => void (await consent(by, ['scope:orders:read'])) },
    },
  },
  'step-up': {
    async solve(by) {
      await tooLate(by);
      const fresh = await logIn(by, 'bob', { ...withOrders, max_age: '300' });
      await call(by, 'payments', (await redeem(by, fresh)).body.access_token);
    },
    nearMisses: {
      'the session answers without a new sign-in': {
        async does(by) {
          await tooLate(by);
          await callAnew(by, 'payments');
        },
      },
      'a new sign-in without the scope': {
        async does(by) {
          await tooLate(by);
          const fresh = await logIn(by, 'bob', { max_age: '300' });
          await call(by, 'payments', (await redeem(by, fresh)).body.access_token);
        },
        says: 'does not have the scope `orders:read`',
      },
      'the clock is moved again after the new sign-in': {
        async does(by) {
          await tooLate(by);
          const fresh = await redeem(by, await logIn(by, 'bob', { ...withOrders, max_age: '300' }));
          await by.call('/_sandbox/clock', { json: { advance: '10m' } });
          await call(by, 'payments', fresh.body.access_token);
        },
        says: 'too old',
      },
      'the clock was not moved': {
        does: async by => call(by, 'payments', (await tokensOf(by, withOrders)).access_token),
      },
    },
  },
};
