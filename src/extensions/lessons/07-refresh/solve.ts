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
    nearMiss: async by => void (await refresh(by, (await tokensOf(by)).access_token)),
  },
  reuse: {
    solve: async by => void (await reuse(by)),
    // always the newest token, as a client should
    nearMiss: async by => void (await refresh(by, await refresh(by, (await tokensOf(by)).refresh_token))),
  },
  honest: {
    solve: async by => void (await refresh(by, await reuse(by))),
    async nearMiss(by) {
      await reuse(by);
      await refresh(by, 'a-token-that-nobody-issued');
    },
  },
};
