import type { LessonSolver, Participant } from '../solver.ts';

const client_id = 'television';
const grant_type = 'urn:ietf:params:oauth:grant-type:device_code';

type Codes = Readonly<Record<string, string>>;

async function start(by: Participant): Promise<Codes> {
  return (await by.call('/oauth2/device_authorization', { form: { client_id, scope: 'openid' } })).body;
}

async function poll(by: Participant, { device_code = '' }: Codes): Promise<void> {
  await by.call('/oauth2/token', { form: { grant_type, client_id, device_code } });
}

async function decide(by: Participant, { verification_uri_complete = '' }: Codes, button: string): Promise<void> {
  const login = await by.open(verification_uri_complete);
  await by.submit(await by.submit(login, 'login-user-bob'), button);
}

export const solver: LessonSolver = {
  start: {
    solve: async by => void (await start(by)),
    nearMiss: async by =>
      void (await by.call('/oauth2/device_authorization', { form: { client_id: 'radio', scope: 'openid' } })),
  },
  wait: {
    solve: async by => poll(by, await start(by)),
    nearMiss: by => poll(by, { device_code: 'a code that nobody gave out' }),
    nearState: 'close',
  },
  hurry: {
    async solve(by) {
      const codes = await start(by);
      for (let times = 0; times < 2; times++) await poll(by, codes);
    },
    nearMiss: async by => poll(by, await start(by)),
  },
  deny: {
    async solve(by) {
      const codes = await start(by);
      await decide(by, codes, 'device-deny');
      await poll(by, codes);
    },
    // Bob says no, and the television never hears of it
    nearMiss: async by => decide(by, await start(by), 'device-deny'),
  },
  approve: {
    async solve(by) {
      const codes = await start(by);
      await decide(by, codes, 'device-allow');
      await poll(by, codes);
    },
    // the television asks with the code of a different request
    async nearMiss(by) {
      await decide(by, await start(by), 'device-allow');
      await poll(by, await start(by));
    },
  },
};
