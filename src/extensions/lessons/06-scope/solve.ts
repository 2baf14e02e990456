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

/** Calls the payments API ten minutes after the login. */
async function tooLate(by: Participant): Promise<void> {
  const { access_token } = await tokensOf(by, withOrders);
  await by.call('/_sandbox/clock', { json: { advance: '10m' } });
  await call(by, 'payments', access_token);
}

export const solver: LessonSolver = {
  refused: {
    solve: async by => call(by, 'orders', (await tokensOf(by)).access_token),
    // allowed by the scope
    nearMiss: async by => call(by, 'products', (await tokensOf(by)).access_token),
  },
  more: {
    async solve(by) {
      await call(by, 'orders', (await tokensOf(by)).access_token);
      await call(by, 'orders', (await redeem(by, codeIn(await authorize(by, withOrders)))).body.access_token);
    },
    // a new token for the same scopes
    async nearMiss(by) {
      await call(by, 'orders', (await tokensOf(by)).access_token);
      await call(by, 'orders', (await redeem(by, codeIn(await authorize(by)))).body.access_token);
    },
    nearState: 'close',
  },
  consent: {
    solve: async by => void (await redeem(by, await consent(by, ['scope:orders:read']))),
    nearMiss: async by => void (await redeem(by, await consent(by, []))),
    nearState: 'close',
  },
  'step-up': {
    async solve(by) {
      await tooLate(by);
      const fresh = await logIn(by, 'bob', { ...withOrders, max_age: '300' });
      await call(by, 'payments', (await redeem(by, fresh)).body.access_token);
    },
    // the session answers without a new login, so the login keeps its age
    async nearMiss(by) {
      await tooLate(by);
      await call(by, 'payments', (await redeem(by, codeIn(await authorize(by, withOrders)))).body.access_token);
    },
  },
};
