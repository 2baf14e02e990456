import { tokensOf } from '../bike-shop.ts';
import type { LessonSolver, Participant } from '../solver.ts';

async function refresh(by: Participant, refresh_token = ''): Promise<string> {
  const form = { grant_type: 'refresh_token', client_id: 'bike-shop', refresh_token };
  return (await by.call('/oauth2/token', { form })).body.refresh_token ?? '';
}

/** Refreshes the tokens, then sends the old refresh token again; returns the new one. */
async function reuse(by: Participant): Promise<string> {
  const first = (await tokensOf(by)).refresh_token;
  const second = await refresh(by, first);
  await refresh(by, first);
  return second;
}

export const solver: LessonSolver = {
  refresh: {
    solve: async by => void (await refresh(by, (await tokensOf(by)).refresh_token)),
    nearMisses: {
      'the access token': { does: async by => void (await refresh(by, (await tokensOf(by)).access_token)) },
      'a typo in the refresh token': {
        does: async by => void (await refresh(by, `${(await tokensOf(by)).refresh_token}x`)),
        says: 'The refresh token is unknown.',
      },
    },
  },
  reuse: {
    solve: async by => void (await reuse(by)),
    nearMisses: {
      'always the newest token, as a client should': {
        does: async by => void (await refresh(by, await refresh(by, (await tokensOf(by)).refresh_token))),
        also: ['refresh'],
      },
      'a typo in the old token': {
        async does(by) {
          const { refresh_token } = await tokensOf(by);
          await refresh(by, refresh_token);
          await refresh(by, `${refresh_token}x`);
        },
        also: ['refresh'],
      },
    },
  },
  honest: {
    solve: async by => void (await refresh(by, await reuse(by))),
    nearMisses: {
      'a typo in the second token': {
        does: async by => void (await refresh(by, `${await reuse(by)}x`)),
        also: ['refresh', 'reuse'],
      },
      'the first token once more': {
        async does(by) {
          const { refresh_token } = await tokensOf(by);
          for (let times = 0; times < 3; times++) await refresh(by, refresh_token);
        },
        also: ['refresh', 'reuse'],
        says: 'Send the newest one',
      },
    },
  },
};
