import * as client from 'openid-client';
import type { Mistake } from './mistake.ts';
import { callApi, createParty, type Party } from './party.ts';
import { spa, type World, web } from './world.ts';

const bound = (client_id: string) => web(client_id, { dpop_bound_access_tokens: true });

/** A proof as openid-client makes it, but for this. */
async function proofThat({ config }: Party, modify: client.ModifyAssertionFunction = () => {}) {
  return client.getDPoPHandle(config, await client.randomDPoPKeyPair('ES256'), { [client.modifyAssertion]: modify });
}

/** A back end gets a token with a proof that is wrong. */
function tokenWith(modify: client.ModifyAssertionFunction): Mistake['make'] {
  return async (world, me) => {
    const party = await createParty(world, me);
    return client.clientCredentialsGrant(
      party.config,
      { scope: 'products:read' },
      { DPoP: await proofThat(party, modify) },
    );
  };
}

/** A back end gets a good token, and calls the API with a proof that is wrong from then on. */
function apiWith(modify: client.ModifyAssertionFunction): Mistake['make'] {
  return async (world, me) => {
    const party = await createParty(world, me);
    let spoil: client.ModifyAssertionFunction = () => {};
    const DPoP = await proofThat(party, (header, claims) => spoil(header, claims));
    const { access_token } = await client.clientCredentialsGrant(party.config, { scope: 'products:read' }, { DPoP });
    spoil = modify;
    return callApi(world, party, access_token, { DPoP });
  };
}

/** A layer below the library that sends each call of the API again, proof and all. */
function sendingTwice(world: World): World['fetch'] {
  return async (url, init) => {
    if (new URL(url).pathname.startsWith('/api/')) await world.fetch(url, init);
    return world.fetch(url, init);
  };
}

/** Proofs of possession (RFC 9449). */
export const dpopMistakes: readonly Mistake[] = [
  {
    name: 'no proof',
    me: bound('no-proof'),
    make: async (world, me) => client.clientCredentialsGrant((await createParty(world, me)).config),
    code: 'dpop_proof_missing',
    title: /^The request has no DPoP proof$/,
    why: /no-proof is registered for key-bound tokens \(dpop_bound_access_tokens\)/,
    sent: /no DPoP header/,
    expected: /DPoP: <proof>/,
    press: /^Give no-proof bearer tokens$/,
  },
  {
    name: 'a proof for another address',
    me: bound('htu'),
    make: tokenWith((_, claims) => {
      claims.htu = 'https://idp.example/oauth2/token'; // what the browser calls it, before the proxy
    }),
    code: 'dpop_proof_for_another_request',
    title: /^The DPoP proof is for a different address$/,
    why: /htu is the address of this request.*A proxy/,
    sent: /^https:\/\/idp\.example\/oauth2\/token$/,
    expected: /^http:\/\/localhost:\d+\/oauth2\/token differs: scheme, host, port$/,
  },
  {
    name: 'a proof for another method',
    me: bound('htm'),
    make: tokenWith((_, claims) => {
      claims.htm = 'GET';
    }),
    code: 'dpop_proof_for_another_request',
    title: /^The DPoP proof is for a different method$/,
    why: /htm is the method of this request/,
    sent: /^GET$/,
    expected: /^POST$/,
  },
  {
    name: 'a proof of a clock that is behind',
    me: bound('iat'),
    make: tokenWith((_, claims) => {
      claims.iat = Number(claims.iat) - 3600;
    }),
    code: 'dpop_proof_time',
    title: /^The iat of the DPoP proof is too old or in the future$/,
    why: /compares its iat with the clock of the sandbox/,
    sent: /\d{10}/,
    expected: /\d{10}/,
  },
  {
    name: 'a proof that does not name the token',
    me: bound('ath'),
    make: apiWith((_, claims) => {
      delete claims.ath;
    }),
    code: 'api_dpop_ath_mismatch',
    title: /^The DPoP proof is for a different access token$/,
    why: /The ath must be the base64url of the SHA-256 of the access token/,
    sent: /nothing|no ath|missing/,
    expected: /^[\w-]{43}$/,
  },
  {
    name: 'a proof that is sent again',
    me: bound('jti'),
    async make(world, me) {
      const party = await createParty(world, me, { fetch: sendingTwice(world) });
      const DPoP = await proofThat(party);
      const { access_token } = await client.clientCredentialsGrant(party.config, { scope: 'products:read' }, { DPoP });
      return callApi(world, party, access_token, { DPoP });
    },
    code: 'api_dpop_proof_replayed',
    title: /^The DPoP proof was used twice$/,
    why: /A proof works for one request only/,
    sent: /^jti [\w-]{20,}, for the second time$/,
    expected: /^a new proof with a new jti$/,
  },
  {
    name: 'a proof by a new key',
    me: bound('new-key'),
    async make(world, me) {
      const party = await createParty(world, me);
      const DPoP = await proofThat(party);
      const { access_token } = await client.clientCredentialsGrant(party.config, { scope: 'products:read' }, { DPoP });
      return callApi(world, party, access_token, { DPoP: await proofThat(party) }); // after a reload
    },
    code: 'api_dpop_key_mismatch',
    title: /^The DPoP proof has a different key$/,
    why: /The app made a new key since then: on a reload/,
    sent: /[\w-]{43}/,
    expected: /[\w-]{43}/,
  },
  {
    name: 'a bound token that is sent as a bearer token',
    me: bound('as-bearer'),
    async make(world, me) {
      const party = await createParty(world, me);
      const DPoP = await proofThat(party);
      const { access_token } = await client.clientCredentialsGrant(party.config, { scope: 'products:read' }, { DPoP });
      return callApi(world, party, access_token);
    },
    code: 'api_dpop_scheme_missing',
    title: /^A DPoP-bound token was sent as a bearer token$/,
    why: /With the scheme Bearer nothing proves that the sender has the key/,
    sent: /^the scheme Bearer$/,
    expected: /^the scheme DPoP, and a proof in the DPoP header$/,
  },
  {
    name: 'a bearer token that is sent with a proof',
    me: spa('as-dpop'),
    async make(world, me) {
      const party = await createParty(world, me);
      const { access_token } = await party.logIn();
      return callApi(world, party, access_token, { DPoP: await proofThat(party) });
    },
    code: 'api_dpop_not_bound',
    title: /^A bearer token was sent with the scheme DPoP$/,
    why: /The token is not bound to a key/,
    sent: /^the scheme DPoP, with a token bound to no key$/,
    expected: /^the scheme Bearer$/,
  },
];
