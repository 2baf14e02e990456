import type { Mistake } from './mistake.ts';
import { createParty, signIn } from './party.ts';
import { spa, web } from './world.ts';

/** A login that is answered at an address which is not the registered one. */
function wrongAddress(
  name: string,
  id: string,
  redirect_uri: string,
  words: Pick<Mistake, 'why' | 'expected'>,
): Mistake {
  return {
    name,
    me: spa(id),
    make: async (world, me) => (await createParty(world, me)).logIn({ redirect_uri }),
    code: 'redirect_uri_not_registered',
    title: new RegExp(`^The redirect_uri is not registered for ${id}$`),
    sent: new RegExp(`^${redirect_uri.replace(/[.?]/g, '\\$&')}$`),
    press: new RegExp(`^Add this URI to ${id} and continue the sign-in$`),
    ...words,
  };
}

/** Redirect URIs and clients that are not the registered ones. */
export const addressMistakes: readonly Mistake[] = [
  wrongAddress('another port', 'port', 'http://localhost:3001/callback', {
    why: /The ports differ\. A development server moves to the next port/,
    expected: /^http:\/\/localhost:3000\/callback differs: port$/,
  }),
  wrongAddress('a slash at the end', 'slash', 'http://localhost:3000/callback/', {
    why: /Only one of the two ends in a slash/,
    expected: /^http:\/\/localhost:3000\/callback differs: slash at the end$/,
  }),
  wrongAddress('127.0.0.1 for localhost', 'loopback', 'http://127.0.0.1:3000/callback', {
    why: /127\.0\.0\.1 and localhost are different hosts/,
    expected: /^http:\/\/localhost:3000\/callback differs: host$/,
  }),
  wrongAddress('https for http', 'scheme', 'https://localhost:3000/callback', {
    why: /http and https are different addresses/,
    expected: /^http:\/\/localhost:3000\/callback differs: scheme$/,
  }),
  wrongAddress('a capital letter', 'capital', 'http://localhost:3000/Callback', {
    why: /Upper and lower case count/,
    expected: /^http:\/\/localhost:3000\/callback differs: case$/,
  }),
  wrongAddress('another path', 'path', 'http://localhost:3000/auth/callback', {
    why: /The paths differ/,
    expected: /^http:\/\/localhost:3000\/callback differs: path$/,
  }),
  {
    ...wrongAddress('a query of its own', 'query', 'http://localhost:3000/callback?tenant=a', {
      why: /The query is part of the address/,
      expected: /^http:\/\/localhost:3000\/callback differs: query$/,
    }),
    // the library takes the query off, so the app gives it the address (openid-client, customFetch)
    async make(world, me) {
      const redirect_uri = 'http://localhost:3000/callback?tenant=a';
      const call: typeof world.fetch = (url, init) => {
        if (init?.body instanceof URLSearchParams) init.body.set('redirect_uri', redirect_uri);
        return world.fetch(url, init);
      };
      return (await createParty(world, me, { fetch: call })).logIn({ redirect_uri });
    },
  },
  {
    name: 'no redirect_uri where two are registered',
    me: spa('two', { redirect_uris: ['http://localhost:3000/callback', 'http://localhost:3000/other'] }),
    make: async (world, me) => (await createParty(world, me)).logIn({ redirect_uri: '' }),
    code: 'redirect_uri_missing',
    title: /^The redirect_uri is missing$/,
    why: /does not guess where to send the response/,
    sent: /^nothing$/,
    expected: /^http:\/\/localhost:3000\/other/,
  },
  {
    name: 'the address of another client',
    me: spa('stranger'),
    others: [spa('owner', { redirect_uris: ['http://localhost:4444/callback'] })],
    make: async (world, me) => (await createParty(world, me)).logIn({ redirect_uri: 'http://localhost:4444/callback' }),
    code: 'redirect_uri_not_registered',
    title: /^The redirect_uri is not registered for stranger$/,
    why: /The address is registered for owner\. Is the client_id right\?/,
    sent: /^http:\/\/localhost:4444\/callback$/,
    expected: /^http:\/\/localhost:3000\/callback differs: port$/,
    press: /^Add this URI to stranger and continue the sign-in$/,
  },
  {
    name: 'a mistyped client_id',
    me: spa('storefront'),
    make: async (world, me) => (await createParty(world, { ...me, client_id: 'storefrnt' }, { alg: 'RS256' })).logIn(),
    code: 'client_unknown',
    title: /^Unknown client storefrnt$/,
    why: /are compared character by character/,
    sent: /^storefrnt$/,
    expected: /^storefront$/,
    press: /^Create the client storefrnt and continue the sign-in$/,
  },
  {
    name: 'another redirect_uri at the token endpoint',
    me: web('token-address'),
    async make(world, me) {
      const party = await createParty(world, me);
      const { url, checks } = await party.begin();
      const landed = await signIn(world, url);
      landed.hostname = '127.0.0.1'; // the app was opened there, and asks the browser where it is
      return party.finish(landed, checks);
    },
    code: 'redirect_uri_mismatch',
    title: /^The token request of token-address and its sign-in have different redirect_uris$/,
    why: /issued for one address and redeemed with a different one\. 127\.0\.0\.1 and localhost are different hosts/,
    sent: /^http:\/\/127\.0\.0\.1:3000\/callback$/,
    expected: /^http:\/\/localhost:3000\/callback differs: host$/,
  },
];
