import type { LessonSolver, Participant } from '../solver.ts';

const client_id = 'television';
const grant_type = 'urn:ietf:params:oauth:grant-type:device_code';

type Codes = Readonly<Record<string, string>>;

async function start(by: Participant): Promise<Codes> {
  return (await by.call('/oauth2/device_authorization', { form: { client_id, scope: 'films:read' } })).body;
}

async function poll(by: Participant, { device_code = '' }: Codes): Promise<void> {
  await by.call('/oauth2/token', { form: { grant_type, client_id, device_code } });
}

async function decide(by: Participant, { verification_uri_complete = '' }: Codes, button: string): Promise<void> {
  const login = await by.open(verification_uri_complete);
  await by.submit(await by.submit(login, 'login-user-bob'), button);
}

async function decideAndPoll(by: Participant, button: string): Promise<void> {
  const codes = await start(by);
  await decide(by, codes, button);
  await poll(by, codes);
}

async function startWith(by: Participant, form: Codes): Promise<void> {
  await by.call('/oauth2/device_authorization', { form });
}

export const solver: LessonSolver = {
  start: {
    solve: async by => void (await start(by)),
    nearMisses: {
      'a typo in the name': { does: by => startWith(by, { client_id: 'televison', scope: 'films:read' }) },
      'a typo in the scope': { does: by => startWith(by, { client_id, scope: 'films:reed' }) },
      'a code that was never asked for': { does: by => poll(by, { device_code: 'none' }) },
    },
  },
  wait: {
    solve: async by => poll(by, await start(by)),
    nearMisses: {
      'a code that nobody gave out': {
        does: by => poll(by, { device_code: 'none' }),
        state: 'close',
        says: 'no such device code',
      },
      'the code for people': {
        does: async by => poll(by, { device_code: (await start(by)).user_code ?? '' }),
        also: ['start'],
        state: 'close',
      },
      'two codes more': {
        async does(by) {
          await start(by);
          await start(by);
        },
        also: ['start'],
      },
    },
  },
  hurry: {
    async solve(by) {
      const codes = await start(by);
      for (let times = 0; times < 2; times++) await poll(by, codes);
    },
    nearMisses: {
      'one question': { does: async by => poll(by, await start(by)), also: ['start', 'wait'] },
      'a question for each of two codes': {
        async does(by) {
          await poll(by, await start(by));
          await poll(by, await start(by));
        },
        also: ['start', 'wait'],
        says: 'within five seconds',
      },
      'a typo in the second question': {
        async does(by) {
          const { device_code } = await start(by);
          await poll(by, { device_code: device_code ?? '' });
          await poll(by, { device_code: `${device_code}x` });
        },
        also: ['start', 'wait'],
      },
    },
  },
  deny: {
    solve: by => decideAndPoll(by, 'device-deny'),
    nearMisses: {
      'the television never hears of it': {
        does: async by => decide(by, await start(by), 'device-deny'),
        also: ['start'],
      },
      'a yes, and no question after it': {
        does: async by => decide(by, await start(by), 'device-allow'),
        also: ['start'],
        state: 'close',
        says: 'You pressed *Allow*',
      },
      'a yes, as in the next task': {
        does: by => decideAndPoll(by, 'device-allow'),
        also: ['start', 'approve'],
      },
    },
  },
  approve: {
    solve: by => decideAndPoll(by, 'device-allow'),
    nearMisses: {
      'the code of a different request': {
        async does(by) {
          await decide(by, await start(by), 'device-allow');
          await poll(by, await start(by));
        },
        also: ['start', 'wait'],
      },
      'a no, as in the task before': {
        does: by => decideAndPoll(by, 'device-deny'),
        also: ['start', 'deny'],
      },
    },
  },
};
