import { basic, type LessonSolver, type Participant } from '../solver.ts';

async function token(by: Participant): Promise<string> {
  const headers = { Authorization: basic('greenhouse', 'tomato') };
  const { body } = await by.call('/oauth2/token', {
    form: { grant_type: 'client_credentials', scope: 'telemetry:read' },
    headers,
  });
  return body.access_token ?? '';
}

async function call(by: Participant, sent: string): Promise<void> {
  await by.call('/api/telemetry', { headers: { Authorization: `Bearer ${sent}` } });
}

async function wait(by: Participant, advance: string): Promise<void> {
  await by.call('/_sandbox/clock', { json: { advance } });
}

function withOtherLetter(signed: string): string {
  const [header, claims, signature = ''] = signed.split('.');
  const letter = signature[9] === 'x' ? 'y' : 'x';
  return `${header}.${claims}.${signature.slice(0, 9)}${letter}${signature.slice(10)}`;
}

function withoutSignature(signed: string): string {
  return `eyJhbGciOiJub25lIn0.${signed.split('.')[1]}.`;
}

export const solver: LessonSolver = {
  read: {
    solve: async by => call(by, await token(by)),
    // the word Bearer is missing
    nearMiss: async by => void (await by.call('/api/telemetry', { headers: { Authorization: await token(by) } })),
  },
  tamper: {
    solve: async by => call(by, withOtherLetter(await token(by))),
    // a piece is missing, so there is no signature to compare
    nearMiss: async by => call(by, (await token(by)).split('.').slice(0, 2).join('.')),
    nearState: 'close',
  },
  unsigned: {
    solve: async by => call(by, withoutSignature(await token(by))),
    // without the last period there are two pieces
    nearMiss: async by => call(by, withoutSignature(await token(by)).slice(0, -1)),
    nearState: 'close',
  },
  expire: {
    async solve(by) {
      const good = await token(by);
      await wait(by, '10m');
      await call(by, good);
    },
    // one minute is not enough
    async nearMiss(by) {
      const good = await token(by);
      await wait(by, '1m');
      await call(by, good);
    },
  },
};
