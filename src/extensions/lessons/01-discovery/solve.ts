import type { LessonSolver, Participant } from '../solver.ts';

const metadata = '/.well-known/openid-configuration';

const open = async (by: Participant, path: string) => void (await by.call(path));

export const solver: LessonSolver = {
  metadata: {
    solve: by => open(by, metadata),
    nearMisses: {
      'a typo in the address': { does: by => open(by, '/.well-known/openid-configration') },
      'the keys, at a guessed address': { does: by => open(by, '/oauth2/jwks') },
    },
  },
  keys: {
    async solve(by) {
      await open(by, metadata);
      await open(by, '/oauth2/jwks');
    },
    nearMisses: {
      'the keys at a guessed address, and then the metadata': {
        async does(by) {
          await open(by, '/oauth2/jwks');
          await open(by, metadata);
        },
        also: ['metadata'],
      },
      'a typo in the address of the keys': {
        async does(by) {
          await open(by, metadata);
          await open(by, '/oauth2/jwk');
        },
        also: ['metadata'],
        says: 'jwks_uri',
      },
    },
  },
  door: {
    solve: async by => void (await by.call('/oauth2/token', { form: {} })),
    nearMisses: {
      'a typo in the address': { does: async by => void (await by.call('/token', { form: {} })) },
      'a GET': { does: by => open(by, '/oauth2/token'), says: 'takes a POST' },
      'a JSON body': { does: async by => void (await by.call('/oauth2/token', { json: {} })), says: 'not JSON' },
      'a form that is not empty': {
        does: async by => void (await by.call('/oauth2/token', { form: { grant_type: 'client_credentials' } })),
        says: 'not empty',
      },
    },
  },
};
