import { basic, type LessonSolver, type Participant } from '../solver.ts';

const secret = basic('greenhouse', 'tomato');

function token(by: Participant, { scope = 'telemetry:write', authorization = secret } = {}) {
  const form = { grant_type: 'client_credentials', scope };
  return by.call('/oauth2/token', { form, headers: { Authorization: authorization } });
}

interface Measuring {
  readonly json?: unknown;
  readonly change?: (token: string) => string;
}

/** Gets a token and calls the API with it; without `json` it reads. */
async function call(by: Participant, { json, change = same => same }: Measuring): Promise<void> {
  const { body } = await token(by);
  await by.call('/api/telemetry', { json, headers: { Authorization: `Bearer ${change(body.access_token ?? '')}` } });
}

const measurement = { sensor: 'north', celsius: 21.5 };

export const solver: LessonSolver = {
  token: {
    solve: async by => void (await token(by)),
    nearMisses: {
      'a typo in the secret': {
        does: async by => void (await token(by, { authorization: basic('greenhouse', 'Tomato') })),
        says: 'The secret is wrong.',
      },
      'the secret before the name': {
        does: async by => void (await token(by, { authorization: basic('tomato', 'greenhouse') })),
        says: 'It comes first',
      },
      'a typo in the scope': {
        does: async by => void (await token(by, { scope: 'telemetry:writ' })),
        says: 'This scope does not exist.',
      },
      'the secret in the form': {
        async does(by) {
          const client = { client_id: 'greenhouse', client_secret: 'tomato' };
          const form = { grant_type: 'client_credentials', scope: 'telemetry:write', ...client };
          await by.call('/oauth2/token', { form });
        },
      },
      'the right request with the secret in the form, after one without a scope': {
        async does(by) {
          const grant_type = 'client_credentials';
          await by.call('/oauth2/token', { form: { grant_type }, headers: { Authorization: secret } });
          const client = { client_id: 'greenhouse', client_secret: 'tomato' };
          await by.call('/oauth2/token', { form: { grant_type, scope: 'telemetry:write', ...client } });
        },
        says: 'Use Basic',
      },
    },
  },
  call: {
    solve: by => call(by, { json: measurement }),
    nearMisses: {
      'a measurement without the temperature': {
        does: by => call(by, { json: { sensor: 'north' } }),
        also: ['token'],
        state: 'close',
      },
      'a typo in the token': {
        does: by => call(by, { json: measurement, change: each => `${each}x` }),
        also: ['token'],
      },
      'a GET': { does: by => call(by, {}), also: ['token'] },
    },
  },
  scope: {
    solve: async by => void (await token(by, { scope: 'telemetry:read' })),
    nearMisses: {
      'a typo in the scope': {
        does: async by => void (await token(by, { scope: 'telemetry:reed' })),
        state: 'close',
        says: 'This scope does not exist.',
      },
      'the scope that the sensor may have': { does: async by => void (await token(by)), also: ['token'] },
    },
  },
  secret: {
    async solve(by) {
      await token(by);
      await token(by, { authorization: basic('greenhouse', 'potato') });
    },
    nearMisses: {
      'a typo in the name': {
        async does(by) {
          await token(by);
          await token(by, { authorization: basic('glasshouse', 'potato') });
        },
        also: ['token'],
        state: 'close',
        says: 'The name is wrong, too.',
      },
      'a slip in the first task': {
        async does(by) {
          await token(by, { authorization: basic('greenhouse', 'tomatoe') });
          await token(by);
        },
        also: ['token'],
      },
      'the right secret': { does: async by => void (await token(by)), also: ['token'] },
    },
  },
};
