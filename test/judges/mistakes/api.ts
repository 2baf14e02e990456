import * as oauth from 'oauth4webapi';
import { clientCredentialsGrant } from 'openid-client';
import type { Mistake } from './mistake.ts';
import { callApi, createParty } from './party.ts';
import { createWorld, secret, spa, type World, web } from './world.ts';

/** A login, and a call of the sample backend with what `choose` makes of its tokens. */
function callWith(choose: (tokens: oauth.TokenEndpointResponse, world: World) => string): Mistake['make'] {
  return async (world, me) => {
    const party = await createParty(world, me);
    const tokens = await party.logIn();
    return callApi(world, await createParty(world, me), choose(tokens, world));
  };
}

const header = (authorization?: string): Mistake['make'] => {
  const headers: Record<string, string> = authorization === undefined ? {} : { authorization };
  return ({ url, fetch }) => fetch(`${url}/api/products`, { headers });
};

const seed = 'the same keys';

/** A token of another sandbox with the same keys: the container has another name than the browser uses. */
async function fromAnotherIssuer(world: World, me: Mistake['me']) {
  await using other = await createWorld({ seed, issuer: 'http://idp:9000', clients: [me], allowedHosts: 'idp' });
  const as = { issuer: 'http://idp:9000', token_endpoint: `${other.url}/oauth2/token` };
  const proof = oauth.ClientSecretBasic(secret);
  const insecure = { [oauth.allowInsecureRequests]: true };
  const scope = { scope: 'products:read' };
  const answer = await oauth.clientCredentialsGrantRequest(as, { client_id: me.client_id }, proof, scope, insecure);
  const { access_token } = await oauth.processClientCredentialsResponse(as, { client_id: me.client_id }, answer);
  return callApi(world, await createParty(world, me), access_token);
}

/** Access tokens at the sample backend (RFC 6750, RFC 9068). */
export const apiMistakes: readonly Mistake[] = [
  {
    name: 'no token',
    me: spa('no-token'),
    make: header(),
    code: 'api_token_missing',
    title: /^The request has no access token$/,
    why: /the request has no Authorization header/,
    sent: /^no Authorization header$/,
    expected: /^Authorization: Bearer <access token>$/,
  },
  {
    name: 'another scheme than Bearer',
    me: spa('scheme-token'),
    make: header('Token xyz'),
    code: 'api_scheme_not_bearer',
    title: /^The scheme of the Authorization header is Token instead of Bearer$/,
    why: /reads a token only after the word Bearer/,
    sent: /Token/,
    expected: /^Authorization: Bearer <access token>$/,
  },
  {
    name: 'a token that is not there yet',
    me: spa('token-undefined'),
    make: async (world, me) => callApi(world, await createParty(world, me), String(undefined)),
    code: 'api_token_malformed',
    title: /^The app sent the word undefined as a token$/,
    why: /The variable of the token was not set/,
    sent: /the word undefined/,
    expected: /JWT/,
  },
  {
    name: 'a token in the address',
    me: spa('token-in-query'),
    make: async (world, me) => {
      const { access_token } = await (await createParty(world, me)).logIn();
      return world.fetch(`${world.url}/api/products?${new URLSearchParams({ access_token })}`);
    },
    code: 'api_token_in_query',
    title: /^The access token is in the query of the address$/,
    why: /Logs and histories store addresses/,
    sent: /access_token/,
    expected: /^Authorization: Bearer <access token>$/,
  },
  {
    name: 'a token that has expired',
    me: spa('stale'),
    make: callWith(({ access_token }, world) => {
      world.pass(400);
      return access_token;
    }),
    code: 'api_token_expired',
    title: /^The access token of stale has expired$/,
    why: /A token is refused after its exp/,
    sent: /exp \d{10}/,
    expected: /now/,
    press: /^Set the access token lifetime of stale to 1 hour$/,
  },
  {
    name: 'a token that was changed',
    me: spa('forged'),
    make: callWith(({ access_token }) => {
      const [head, , signature] = access_token.split('.');
      return `${head}.${Buffer.from('{"sub":"admin"}').toString('base64url')}.${signature}`;
    }),
    code: 'api_signature_invalid',
    title: /^The signature of the token does not match$/,
    why: /changed after it was signed/,
    sent: /does not match the header and payload/,
    expected: /kid/,
  },
  {
    name: 'the ID token',
    me: spa('id-token'),
    make: callWith(({ id_token = '' }) => id_token),
    code: 'api_id_token_sent',
    title: /^The app sent the ID token to the API instead of the access token$/,
    why: /tells the app who signed in, and gives no access/,
    sent: /an ID token/,
    expected: /the access token/,
  },
  {
    name: 'an opaque token at an API that reads it itself',
    me: spa('opaque', { access_token_format: 'opaque' }),
    make: callWith(({ access_token }) => access_token),
    code: 'api_token_opaque',
    title: /^The token is not a JWT$/,
    why: /The token has 1 part; expected a signed JWT of three/,
    sent: /^1 part, 43 characters$/,
    expected: /^a signed JWT of three parts$/,
  },
  {
    name: 'a token without the scope',
    me: spa('less-scope'),
    make: async (world, me) => {
      const party = await createParty(world, me);
      return callApi(world, party, (await party.logIn({ scope: 'openid' })).access_token);
    },
    code: 'api_scope_insufficient',
    title: /^The token of less-scope does not have the scope products:read$/,
    why: /did not request the scope, or the user did not grant it/,
    sent: /^openid$/,
    expected: /^products:read$/,
  },
  {
    name: 'a token for another API',
    me: spa('other-api'),
    settings: { apiAudience: 'https://api.example/' },
    make: callWith(({ access_token }) => access_token),
    code: 'api_audience_mismatch',
    title: /^The token of other-api is for a different API$/,
    why: /The aud of a token names the APIs that may accept it, and this API is not among them/,
    sent: /^other-api$/,
    expected: /^https:\/\/api\.example\/$/,
    press: /^Add https:\/\/api\.example\/ to the audience of other-api$/,
  },
  {
    name: 'a token of another issuer',
    me: web('two-names'),
    settings: { seed },
    make: fromAnotherIssuer,
    code: 'api_issuer_mismatch',
    title: /^The token is from a different issuer$/,
    why: /A server with two names.* looks like two issuers/,
    sent: /^http:\/\/idp:9000$/,
    expected: /^http:\/\/localhost:\d+ differs: host, port$/,
  },
  {
    name: 'a token from before the last start',
    me: web('restarted'),
    async make(world, me) {
      await using before = await createWorld({ clients: [me] });
      const { config } = await createParty(before, me);
      const { access_token } = await clientCredentialsGrant(config, { scope: 'products:read' });
      return await callApi(world, await createParty(world, me), access_token); // before the other world ends
    },
    code: 'api_key_unknown',
    title: /^The server does not have the signing key of the token$/,
    why: /Each start makes new keys/,
    sent: /^[\w-]+$/,
    expected: /^[\w-]+$/,
    likely: true,
  },
];
