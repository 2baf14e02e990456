import { makeProof, newProofKey, type ProofKey } from '../playground/proof.ts';
import { basic, type LessonSolver, type Participant } from '../solver.ts';

/** A client with its own key. */
interface Courier {
  readonly by: Participant;
  readonly key: ProofKey;
}

interface Proven {
  readonly method?: string;
  readonly path: string;
  readonly nonce?: string;
  readonly token?: string;
}

async function courier(by: Participant): Promise<Courier> {
  return { by, key: await newProofKey() };
}

function proof({ by, key }: Courier, { method = 'GET', path, ...proven }: Proven): Promise<string> {
  return makeProof(key, { ...proven, method, url: by.issuer + path, now: Math.floor(Date.now() / 1000) });
}

/** Requests a token with a proof, and returns the nonce of the answer. */
async function ask(own: Courier, nonce?: string): Promise<{ readonly token: string; readonly nonce: string }> {
  const DPoP = await proof(own, { method: 'POST', path: '/oauth2/token', nonce });
  const headers = { Authorization: basic('courier', 'stamp'), DPoP };
  const answer = await own.by.call('/oauth2/token', {
    form: { grant_type: 'client_credentials', scope: 'parcels:read' },
    headers,
  });
  return { token: answer.body.access_token ?? '', nonce: answer.headers.get('DPoP-Nonce') ?? '' };
}

async function askTwice(own: Courier) {
  const { nonce } = await ask(own);
  const { token } = await ask(own, nonce);
  return { token, nonce };
}

async function call({ by }: Courier, token: string, more: Readonly<Record<string, string>> = {}): Promise<void> {
  await by.call('/api/parcels', { headers: { Authorization: `DPoP ${token}`, ...more } });
}

/** Gets a token and calls the API with a proof, which `proven` may make wrong, by the key of `prover`. Returns the headers. */
async function callProven(by: Participant, proven: Partial<Proven> = {}, prover?: Courier): Promise<Headers> {
  const own = await courier(by);
  const { token, nonce } = await askTwice(own);
  const DPoP = await proof(prover ?? own, { path: '/api/parcels', token, nonce, ...proven });
  await call(own, token, { DPoP });
  return { Authorization: `DPoP ${token}`, DPoP };
}

type Headers = Readonly<Record<string, string>>;

const done = ['proof', 'nonce'];

export const solver: LessonSolver = {
  proof: {
    solve: async by => void (await ask(await courier(by))),
    nearMisses: {
      'no proof at all': {
        async does(by) {
          const headers = { Authorization: basic('courier', 'stamp') };
          await by.call('/oauth2/token', {
            form: { grant_type: 'client_credentials', scope: 'parcels:read' },
            headers,
          });
        },
        state: 'close',
      },
      'a proof for another address': {
        async does(by) {
          const DPoP = await proof(await courier(by), { method: 'POST', path: '/oauth2/tokens' });
          const headers = { Authorization: basic('courier', 'stamp'), DPoP };
          await by.call('/oauth2/token', {
            form: { grant_type: 'client_credentials', scope: 'parcels:read' },
            headers,
          });
        },
        state: 'close',
      },
    },
  },
  nonce: {
    solve: async by => void (await askTwice(await courier(by))),
    nearMisses: {
      'a nonce that nobody gave out': {
        async does(by) {
          const own = await courier(by);
          await ask(own);
          await ask(own, 'a nonce that nobody gave out');
        },
        also: ['proof'],
      },
      'no nonce again': {
        async does(by) {
          const own = await courier(by);
          await ask(own);
          await ask(own);
        },
        also: ['proof'],
      },
    },
  },
  stolen: {
    async solve(by) {
      const own = await courier(by);
      await call(own, (await askTwice(own)).token);
    },
    nearMisses: {
      'a proof of the owner': { does: async by => void (await callProven(by)), also: [...done, 'use'] },
      'the word Bearer': {
        async does(by) {
          const { token } = await askTwice(await courier(by));
          await by.call('/api/parcels', { headers: { Authorization: `Bearer ${token}` } });
        },
        also: done,
        state: 'close',
        says: '`Bearer`',
      },
    },
  },
  elsewhere: {
    solve: async by => void (await callProven(by, { path: '/api/letters' })),
    nearMisses: {
      'the method is wrong': {
        does: async by => void (await callProven(by, { method: 'POST' })),
        also: done,
        state: 'close',
      },
      'the right address': { does: async by => void (await callProven(by)), also: [...done, 'use'] },
    },
  },
  'own-key': {
    solve: async by => void (await callProven(by, {}, await courier(by))),
    nearMisses: {
      'the key of the owner': { does: async by => void (await callProven(by)), also: [...done, 'use'] },
      'an own key, and a different address': {
        does: async by => void (await callProven(by, { path: '/api/letters' }, await courier(by))),
        also: [...done, 'elsewhere'],
      },
    },
  },
  use: {
    solve: async by => void (await callProven(by)),
    nearMisses: {
      'the proof of a different key': {
        does: async by => void (await callProven(by, {}, await courier(by))),
        also: [...done, 'own-key'],
      },
      'no proof, as the thief': {
        async does(by) {
          const own = await courier(by);
          await call(own, (await askTwice(own)).token);
        },
        also: [...done, 'stolen'],
      },
      'a proof for another address': {
        does: async by => void (await callProven(by, { path: '/api/parcel' })),
        also: [...done, 'elsewhere'],
      },
    },
  },
};
