import { basic, type LessonSolver, type Participant } from '../solver.ts';

const secret = basic('greenhouse', 'tomato');

function token(by: Participant, { scope = 'telemetry:write', authorization = secret } = {}) {
  const form = { grant_type: 'client_credentials', scope };
  return by.call('/oauth2/token', { form, headers: { Authorization: authorization } });
}

async function post(by: Participant, json: unknown) {
  const { body } = await token(by);
  await by.call('/api/telemetry', { json, headers: { Authorization: `Bearer ${body.access_token}` } });
}

export const solver: LessonSolver = {
  token: {
    solve: async by => void (await token(by)),
    nearMiss: async by => void (await token(by, { authorization: basic('greenhouse', 'Tomato') })),
  },
  call: {
    solve: by => post(by, { sensor: 'north', celsius: 21.5 }),
    // the token is valid, but the measurement is not
    nearMiss: by => post(by, { sensor: 'north' }),
    nearState: 'close',
  },
  scope: {
    solve: async by => void (await token(by, { scope: 'telemetry:read' })),
    nearMiss: async by => void (await token(by)),
  },
  secret: {
    solve: async by => void (await token(by, { authorization: basic('greenhouse', 'potato') })),
    nearMiss: async by => void (await token(by, { authorization: basic('glasshouse', 'tomato') })),
    nearState: 'close',
  },
};
