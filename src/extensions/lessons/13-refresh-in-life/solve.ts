import { authorize, codeIn, logIn, redeem, tokensOf } from '../bike-shop.ts';
import type { LessonSolver, Participant } from '../solver.ts';

interface Refreshed {
  readonly access_token: string;
  readonly refresh_token: string;
}

async function refresh(by: Participant, refresh_token: string): Promise<Refreshed> {
  const form = { grant_type: 'refresh_token', client_id: 'bike-shop', refresh_token };
  const { access_token = '', refresh_token: newest = '' } = (await by.call('/oauth2/token', { form })).body;
  return { access_token, refresh_token: newest };
}

/** Refreshes over a connection that breaks before the response. */
async function lose(by: Participant, refresh_token: string, fault = 'connection_dropped'): Promise<void> {
  const form = { grant_type: 'refresh_token', client_id: 'bike-shop', refresh_token };
  await by.call('/oauth2/token', { form, headers: { 'Sandbox-Fault': fault } }).catch(() => undefined);
}

async function firstToken(by: Participant, more = {}): Promise<string> {
  return (await tokensOf(by, more)).refresh_token ?? '';
}

/** Loses a response, and sends the old token again. */
async function retry(by: Participant): Promise<void> {
  const first = await firstToken(by);
  await lose(by, first);
  await refresh(by, first);
}

/** The code for an address of the shop, without a click; empty after a refusal. */
async function silently(by: Participant, more: Readonly<Record<string, string>> = { prompt: 'none' }): Promise<string> {
  return codeIn(await authorize(by, more));
}

/** Waits for a minute of the clock of the issuer. */
async function waitAMinute(by: Participant): Promise<void> {
  await by.call('/_sandbox/clock', { json: { advance: 60 } });
}

/** The parts of the shop call the API, all with one token. */
async function load(by: Participant, { access_token }: Refreshed, parts = 3): Promise<void> {
  const headers = { Authorization: `Bearer ${access_token}` };
  await Promise.all(Array.from({ length: parts }, () => by.call('/api/products', { headers })));
}

const lostAndRetried = ['lost', 'retry'];

export const solver: LessonSolver = {
  lost: {
    solve: async by => await lose(by, await firstToken(by)),
    nearMisses: {
      'a refresh whose response arrives': {
        does: async by => void (await refresh(by, await firstToken(by))),
        says: 'That response arrived',
      },
      'a typo in the fault': {
        does: async by => await lose(by, await firstToken(by), 'connection_droped'),
      },
      'a server that is down, and uses up nothing': {
        does: async by => await lose(by, await firstToken(by), 'unavailable'),
      },
      'a typo in the refresh token': { does: async by => await lose(by, `${await firstToken(by)}x`) },
    },
  },
  retry: {
    solve: retry,
    nearMisses: {
      'a typo in the token': {
        async does(by) {
          const first = await firstToken(by);
          await lose(by, first);
          await refresh(by, `${first}x`);
        },
        also: ['lost'],
      },
      'the thief of the other lesson, without a lost response': {
        async does(by) {
          const first = await firstToken(by);
          await refresh(by, first);
          await waitAMinute(by);
          await refresh(by, first);
        },
      },
      'a new sign-in in place of the retry': {
        async does(by) {
          await lose(by, await firstToken(by));
          await refresh(by, await firstToken(by, { prompt: 'login' }));
        },
        also: ['lost'],
      },
    },
  },
  back: {
    async solve(by) {
      await retry(by);
      await redeem(by, await silently(by));
    },
    nearMisses: {
      'a sign-in with a question': {
        async does(by) {
          await retry(by);
          await redeem(by, await logIn(by, 'bob', { prompt: 'login' }));
        },
        also: lostAndRetried,
        says: '`&prompt=none`',
      },
      'a typo in prompt': {
        async does(by) {
          await retry(by);
          await redeem(by, await silently(by, { prompt: 'non' }));
        },
        also: lostAndRetried,
      },
      'a code that was not exchanged': {
        async does(by) {
          await retry(by);
          await silently(by);
        },
        also: lostAndRetried,
      },
      'a browser without a session': {
        async does(by) {
          await retry(by);
          await by.call('/_sandbox/reset', { json: { part: 'sessions' } });
          await silently(by);
        },
        also: lostAndRetried,
        says: 'no session of Bob',
      },
    },
  },
  race: {
    async solve(by) {
      const first = await firstToken(by);
      await Promise.all([refresh(by, first), refresh(by, first), refresh(by, first)]);
    },
    nearMisses: {
      'the second one a minute later': {
        async does(by) {
          const first = await firstToken(by);
          await refresh(by, first);
          await waitAMinute(by);
          await refresh(by, first);
        },
        says: 'much later',
      },
      'a retry after a lost response': { does: retry, also: lostAndRetried },
      'a second try by hand, soon after a response that came': {
        async does(by) {
          const first = await firstToken(by);
          await refresh(by, first);
          await refresh(by, first);
        },
        says: 'came alone',
      },
      'tokens that are revoked already': {
        async does(by) {
          const first = await firstToken(by);
          await lose(by, first);
          await Promise.all([refresh(by, first), refresh(by, first)]);
        },
        also: lostAndRetried,
      },
    },
  },
  mend: {
    async solve(by) {
      const once = await refresh(by, await firstToken(by));
      await load(by, once);
      await load(by, await refresh(by, once.refresh_token));
    },
    nearMisses: {
      'one start': { does: async by => await load(by, await refresh(by, await firstToken(by))) },
      'a shop that forgets the newest token': {
        async does(by) {
          const first = await firstToken(by);
          await load(by, await refresh(by, first));
          await waitAMinute(by);
          await refresh(by, first);
        },
        says: 'newest token in the file',
      },
      'a shop that sends undefined as its token, after a refusal': {
        async does(by) {
          const first = await firstToken(by);
          await load(by, await refresh(by, first));
          await waitAMinute(by);
          const { access_token } = await refresh(by, first);
          await load(by, { access_token: access_token || 'undefined', refresh_token: '' });
        },
        says: 'newest token in the file',
      },
      'three refreshes, one after the other': {
        async does(by) {
          let refresh_token = await firstToken(by);
          for (let part = 0; part < 6; part++) {
            const tokens = await refresh(by, refresh_token);
            await load(by, tokens, 1);
            ({ refresh_token } = tokens);
          }
        },
      },
      'the shop as it was': {
        async does(by) {
          const first = await firstToken(by);
          const all = await Promise.all([refresh(by, first), refresh(by, first), refresh(by, first)]);
          for (const tokens of all) await load(by, tokens, 1);
        },
        also: ['race'],
      },
    },
  },
};
