import { tokensOf } from '../bike-shop.ts';
import type { LessonSolver, Participant } from '../solver.ts';

type Tokens = Readonly<Record<string, string>>;

/** Calls the control API of the issuer. */
async function control(by: Participant, what: string, json: unknown): Promise<Tokens> {
  return (await by.call(`/_sandbox/${what}`, { json })).body;
}

async function signIn(by: Participant, user = 'bob'): Promise<Tokens> {
  return control(by, 'login', { client: 'bike-shop', user, as: 'tokens' });
}

async function call(by: Participant, token = '', more: Tokens = {}): Promise<void> {
  await by.call('/api/products', { headers: { Authorization: `Bearer ${token}`, ...more } });
}

/** Signs in, and calls the API. */
async function enter(by: Participant): Promise<Tokens> {
  const tokens = await signIn(by);
  await call(by, tokens.access_token);
  return tokens;
}

async function refresh(by: Participant, refresh_token = ''): Promise<void> {
  await by.call('/oauth2/token', { form: { grant_type: 'refresh_token', client_id: 'bike-shop', refresh_token } });
}

/** Arms a fault, and refreshes so many times. */
async function refreshWith(by: Participant, fault: string, times: number): Promise<void> {
  const { refresh_token } = await signIn(by);
  await control(by, 'faults', { fault, endpoint: 'token' });
  for (let sent = 0; sent < times; sent++) await refresh(by, refresh_token);
}

async function mint(by: Participant, more: Readonly<Record<string, unknown>>): Promise<string> {
  return (await control(by, 'tokens', { client: 'bike-shop', user: 'bob', ...more })).token ?? '';
}

const byTool = { 'Grantbox-Tool': 'examine' };

export const solver: LessonSolver = {
  'sign-in': {
    solve: async by => void (await enter(by)),
    nearMisses: {
      'a sign-in with a page': {
        does: async by => void (await tokensOf(by)),
        says: 'a sign-in with a page',
      },
      'Alice in place of Bob': {
        does: async by => void (await signIn(by, 'alice')),
        says: 'not Bob',
      },
      'a sign-in of Bob that gets a code, and Alice with tokens': {
        async does(by) {
          await control(by, 'login', { client: 'bike-shop', user: 'bob' });
          await signIn(by, 'alice');
        },
        says: 'one request',
      },
      'no call of the API': { does: async by => void (await signIn(by)) },
      'a minted token': { does: async by => await call(by, await mint(by, {})) },
    },
  },
  fault: {
    solve: async by => await refreshWith(by, 'unavailable', 2),
    nearMisses: {
      'a typo in the fault': { does: async by => await refreshWith(by, 'unavailible', 2) },
      'a different fault': { does: async by => await refreshWith(by, 'server_error', 2) },
      'no second attempt': { does: async by => await refreshWith(by, 'unavailable', 1) },
    },
  },
  clock: {
    async solve(by) {
      const { access_token } = await enter(by);
      await control(by, 'clock', { advance: '1h' });
      await call(by, access_token);
    },
    nearMisses: {
      'a minute in place of an hour': {
        async does(by) {
          const { access_token } = await enter(by);
          await control(by, 'clock', { advance: '1m' });
          await call(by, access_token);
        },
        also: ['sign-in'],
      },
      'a minted token that has expired, as in the next task': {
        async does(by) {
          await enter(by);
          await call(by, await mint(by, { defect: 'expired' }));
        },
        also: ['sign-in'],
      },
      'a new token after the hour': {
        async does(by) {
          await enter(by);
          await control(by, 'clock', { advance: '1h' });
          await call(by, (await signIn(by)).access_token);
        },
        also: ['sign-in'],
      },
    },
  },
  mint: {
    solve: async by => await call(by, await mint(by, { defect: 'wrong_audience' })),
    nearMisses: {
      'a typo in the defect': { does: async by => await call(by, await mint(by, { defect: 'wrong_audiance' })) },
      'a good token': { does: async by => await call(by, await mint(by, {})) },
      'an expired token, as in the task before': {
        does: async by => await call(by, await mint(by, { defect: 'expired' })),
        says: 'had expired',
      },
      'no call of the API': { does: async by => void (await mint(by, { defect: 'wrong_audience' })) },
    },
  },
  check: {
    async solve(by) {
      await call(by, await mint(by, { defect: 'tampered' }), byTool);
      await call(by, await mint(by, { scope: '' }), byTool);
    },
    nearMisses: {
      'no scope: the last row is left out': {
        async does(by) {
          await call(by, await mint(by, { defect: 'tampered' }), byTool);
          await call(by, await mint(by, { type: 'id' }), byTool);
        },
        says: '--scope',
      },
      'a call by hand': {
        async does(by) {
          await call(by, await mint(by, { defect: 'tampered' }), byTool);
          await call(by, await mint(by, { scope: '' }));
        },
        says: 'came from you',
      },
      'a typo in the token, by hand': { does: async by => await call(by, `${await mint(by, {})}x`) },
    },
  },
};
