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

/** The token with a claim of the forger, and the old signature. */
function withOtherClaims(signed: string): string {
  const [header, claims = '', signature] = signed.split('.');
  const changed = { ...JSON.parse(atob(claims.replaceAll('-', '+').replaceAll('_', '/'))), admin: true };
  return `${header}.${btoa(JSON.stringify(changed)).replaceAll('=', '')}.${signature}`;
}

/** Reads with a good token, and then with what the forger makes of it. */
async function forge(by: Participant, change: (signed: string) => string): Promise<void> {
  const good = await token(by);
  await call(by, good);
  await call(by, change(good));
}

export const solver: LessonSolver = {
  read: {
    solve: async by => call(by, await token(by)),
    nearMisses: {
      'the word Bearer is missing': {
        does: async by => void (await by.call('/api/telemetry', { headers: { Authorization: await token(by) } })),
      },
      'a typo in the token': { does: async by => call(by, withOtherLetter(await token(by))) },
    },
  },
  tamper: {
    solve: by => forge(by, withOtherLetter),
    nearMisses: {
      'the second piece': {
        does: by => forge(by, withOtherClaims),
        also: ['read'],
        state: 'close',
        says: 'a piece before the signature',
      },
      'a piece is missing': {
        does: by => forge(by, signed => signed.split('.').slice(0, 2).join('.')),
        also: ['read'],
      },
      'no signature, as in the next task': {
        does: by => forge(by, withoutSignature),
        also: ['read', 'unsigned'],
      },
    },
  },
  unsigned: {
    solve: by => forge(by, withoutSignature),
    nearMisses: {
      'the last period is missing': {
        does: by => forge(by, signed => withoutSignature(signed).slice(0, -1)),
        also: ['read'],
        says: 'belongs to the token',
      },
      'the old header, without a signature': {
        does: by => forge(by, signed => signed.replace(/[^.]+$/, '')),
        also: ['read'],
        state: 'close',
        says: '"alg":"none"',
      },
      'the new header, with the old signature': {
        does: by => forge(by, signed => withoutSignature(signed) + (signed.split('.')[2] ?? '')),
        also: ['read'],
        says: 'signature is still there',
      },
      'one letter of the signature': { does: by => forge(by, withOtherLetter), also: ['read', 'tamper'] },
    },
  },
  expire: {
    async solve(by) {
      const good = await token(by);
      await wait(by, '10m');
      await call(by, good);
    },
    nearMisses: {
      'one minute is not enough': {
        async does(by) {
          const good = await token(by);
          await wait(by, '1m');
          await call(by, good);
        },
        also: ['read'],
      },
      'a new token': {
        async does(by) {
          await token(by);
          await wait(by, '10m');
          await call(by, await token(by));
        },
        also: ['read'],
      },
    },
  },
};
