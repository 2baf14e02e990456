import { createHash } from 'node:crypto';
import * as client from 'openid-client';
import type { Mistake } from './mistake.ts';
import { createParty, signIn } from './party.ts';
import { spa, web } from './world.ts';

const challengeSent = /^[\w-]{43}$/;

/** A login whose code is redeemed with what `lose` makes of the verifier. */
function verifierThat(lose: (verifier: string) => string): Mistake['make'] {
  return async (world, me) => {
    const party = await createParty(world, me);
    const { url, checks } = await party.begin();
    const pkceCodeVerifier = lose(checks.pkceCodeVerifier ?? '');
    return party.finish(await signIn(world, url), { ...checks, pkceCodeVerifier });
  };
}

/** A login whose challenge is what `make` makes of the verifier. */
function challengeOf(make: (verifier: string) => string): Mistake['make'] {
  return async (world, me) => {
    const party = await createParty(world, me);
    const pkceCodeVerifier = client.randomPKCECodeVerifier();
    const { url, checks } = await party.begin({ code_challenge: make(pkceCodeVerifier) });
    return party.finish(await signIn(world, url), { ...checks, pkceCodeVerifier });
  };
}

const sha256 = (text: string | Buffer) => createHash('sha256').update(text);

/** PKCE that was left out, lost or made wrong (RFC 7636). */
export const pkceMistakes: readonly Mistake[] = [
  {
    name: 'no PKCE',
    me: spa('without-pkce'),
    make: async (world, me) => (await createParty(world, me)).logIn({ code_challenge: '', code_challenge_method: '' }),
    code: 'pkce_missing',
    title: /^without-pkce must use PKCE, and the request has no code_challenge$/,
    why: /Without PKCE, anybody who obtains the code can redeem it/,
    sent: /^nothing$/,
    expected: /code_challenge with code_challenge_method S256/,
  },
  {
    name: 'plain PKCE',
    me: spa('plain-pkce'),
    make: async (world, me) => (await createParty(world, me)).logIn({ code_challenge_method: 'plain' }),
    code: 'pkce_method_unsupported',
    title: /^The code_challenge_method is not S256$/,
    why: /With plain, or without a method, the challenge is the verifier itself/,
    sent: /^plain$/,
    expected: /^S256$/,
  },
  {
    name: 'a challenge in hex',
    me: spa('hex-challenge'),
    make: challengeOf(verifier => sha256(verifier).digest('hex')),
    code: 'parameter_malformed',
    title: /^The code_challenge is not a SHA-256 in base64url$/,
    why: /64 hexadecimal digits/,
    sent: /^[0-9a-f]{64}$/,
    expected: /^43 characters/,
  },
  {
    name: 'a challenge in padded base64',
    me: spa('padded-challenge'),
    make: challengeOf(verifier => sha256(verifier).digest('base64')),
    code: 'parameter_malformed',
    title: /^The code_challenge is not a SHA-256 in base64url$/,
    why: /ends in padding \(=\)|is standard base64\. Replace \+ by -/,
    sent: /^[\w+/]{43}=$/,
    expected: /without = at the end$/,
  },
  {
    name: 'a challenge that was not hashed',
    me: spa('unhashed'),
    make: challengeOf(verifier => verifier),
    code: 'pkce_mismatch',
    title: /^The code_verifier is the code_challenge itself$/,
    why: /The app did not hash the verifier/,
    sent: /^[\w-]{43} {2}of a verifier with 43 characters$/,
    expected: challengeSent,
  },
  {
    name: 'a challenge of bytes and not of text',
    me: spa('bytes-hashed'),
    make: challengeOf(verifier => sha256(Buffer.from(verifier, 'base64url')).digest('base64url')),
    code: 'pkce_mismatch',
    title: /^The code_verifier was hashed as bytes instead of text$/,
    why: /The app hashed the random bytes/,
    sent: /^[\w-]{43} {2}of a verifier with 43 characters$/,
    expected: challengeSent,
  },
  {
    name: 'a lost verifier',
    me: spa('lost-verifier'),
    make: verifierThat(() => ''),
    code: 'pkce_missing',
    title: /^The code_verifier of lost-verifier is (empty|missing)$/,
    why: /lost between the start of the sign-in and the callback/,
    sent: /^47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU {2}the SHA-256 of nothing$/,
    expected: challengeSent,
  },
  {
    name: 'a verifier that was not set',
    me: spa('undefined-verifier'),
    make: verifierThat(() => String(undefined)),
    code: 'pkce_mismatch',
    title: /^The code_verifier is the word undefined$/,
    why: /its variable was not set/,
    sent: /of a verifier with 9 characters$/,
    expected: challengeSent,
  },
  {
    name: 'the verifier of another login',
    me: spa('double-start'),
    async make(world, me) {
      const party = await createParty(world, me);
      const first = await party.begin();
      const second = await party.begin(); // in another tab, where it takes the place of the first in the storage
      const landed = await signIn(world, first.url);
      await signIn(world, second.url);
      return party.finish(landed, { ...first.checks, pkceCodeVerifier: second.checks.pkceCodeVerifier ?? '' });
    },
    code: 'pkce_mismatch',
    title: /^The code_verifier belongs to a different sign-in$/,
    why: /Two tabs, or a sign-in that starts twice, store both verifiers under one name/,
    sent: /^[\w-]{43} {2}of a verifier with 43 characters$/,
    expected: challengeSent,
  },
  {
    name: 'a verifier that is made anew at the callback',
    me: spa('new-verifier'),
    make: verifierThat(() => client.randomPKCECodeVerifier()),
    code: 'pkce_mismatch',
    title: /^The code_verifier belongs to a different sign-in$/,
    why: /its hash is not the challenge this sign-in started with/,
    sent: /^[\w-]{43} {2}of a verifier with 43 characters$/,
    expected: challengeSent,
    likely: true,
  },
];

/** Codes that are not good, or not any more (RFC 6749 §4.1.2). */
export const codeMistakes: readonly Mistake[] = [
  {
    name: 'a code that is redeemed twice',
    me: spa('twice'),
    async make(world, me) {
      const party = await createParty(world, me);
      const { url, checks } = await party.begin();
      const landed = await signIn(world, url);
      // React in StrictMode runs the effect of the callback page two times
      await party.finish(landed, checks);
      return party.finish(landed, checks);
    },
    code: 'code_replayed',
    title: /^The code of twice was used twice, [\d.]+ m?s apart$/,
    why: /The same program used it [\d.]+ m?s before, in req_\w+\. The callback ran twice/,
    sent: /^used again in req_\w+/,
    expected: /^used before in req_\w+/,
    likely: true,
  },
  {
    name: 'a code that has expired',
    me: spa('slow'),
    async make(world, me) {
      const { url, checks } = await (await createParty(world, me)).begin();
      const landed = await signIn(world, url);
      world.pass(90); // at a breakpoint
      return (await createParty(world, me)).finish(landed, checks);
    },
    code: 'code_expired_or_unknown',
    title: /^The code of slow had expired$/,
    why: /The code was 9\d s old, and codes expire after 60 s/,
    sent: /^a code that is 9\d s old$/,
    expected: /^a code that is at most 60 s old$/,
  },
  {
    name: 'a code that was cut',
    me: spa('cut-code'),
    async make(world, me) {
      const party = await createParty(world, me);
      const { url, checks } = await party.begin();
      const landed = await signIn(world, url);
      landed.searchParams.set('code', landed.searchParams.get('code')?.slice(0, 20) ?? '');
      return party.finish(landed, checks);
    },
    code: 'code_expired_or_unknown',
    title: /^The code is unknown$/,
    why: /The app sent only the beginning of a code/,
    sent: /^a code with 20 characters$/,
    expected: /^a code that this server issued$/,
    likely: true,
  },
  {
    name: 'a code of another client',
    me: web('back-end'),
    others: [web('front-end')],
    async make(world, me) {
      const front = await createParty(world, web('front-end'));
      const { url, checks } = await front.begin();
      const landed = await signIn(world, url);
      return (await createParty(world, me)).finish(landed, checks);
    },
    code: 'code_of_another_client',
    title: /^back-end sent a code that was issued to a different client$/,
    why: /only for the client that started the sign-in, which was front-end/,
    sent: /^back-end$/,
    expected: /^front-end$/,
  },
];
