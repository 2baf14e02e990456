import * as client from 'openid-client';
import { makeClientKey } from '../../support/keys-server.ts';
import type { Mistake } from './mistake.ts';
import { createParty } from './party.ts';
import { secret, signer, signingKey, spa, web } from './world.ts';

/** A back end gets a token for itself, and proves who it is like this. */
function tokenWith(auth: client.ClientAuth): Mistake['make'] {
  return async (world, me) =>
    client.clientCredentialsGrant((await createParty(world, me, { auth })).config, { scope: 'products:read' });
}

/** Secrets, and the ways to send them (RFC 6749 §2.3.1). */
export const secretMistakes: readonly Mistake[] = [
  {
    name: 'another secret',
    me: web('other-secret'),
    make: tokenWith(client.ClientSecretBasic('of-the-other-stage')),
    code: 'client_secret_wrong',
    title: /^The client_secret of other-secret is wrong$/,
    why: /is not the registered one\. The lengths differ/,
    sent: /^18 characters$/,
    expected: /^the registered secret, 11 characters$/,
  },
  {
    name: 'a secret with a line break',
    me: web('line-break'),
    make: tokenWith(client.ClientSecretBasic(`${secret}\n`)),
    code: 'client_secret_wrong',
    title: /^The client_secret of line-break is wrong$/,
    why: /The sent secret has a line break after it/,
    sent: /^12 characters, with a line break after it$/,
    expected: /^the registered secret, 11 characters$/,
  },
  {
    name: 'a secret that is form-encoded by the app, and by the library again',
    me: web('encoded-twice'),
    make: tokenWith(client.ClientSecretBasic(encodeURIComponent(secret))),
    code: 'client_secret_wrong',
    title: /^The client_secret of encoded-twice is wrong$/,
    why: /percent-encoded twice/,
    sent: /^\d+ characters, percent-encoded twice$/,
    expected: /^the registered secret, 11 characters$/,
  },
  {
    name: 'the secret of another client',
    me: web('mixed-up', { token_endpoint_auth_method: 'client_secret_post' }),
    others: [web('its-neighbour', { client_secret: 'a-secret-of-the-neighbour' })],
    make: tokenWith(client.ClientSecretPost('a-secret-of-the-neighbour')),
    code: 'client_secret_wrong',
    title: /^The client_secret of mixed-up is wrong$/,
    why: /This is the secret of its-neighbour/,
    sent: /^25 characters, the secret of its-neighbour$/,
    expected: /^the registered secret, 11 characters$/,
  },
  {
    name: 'a secret that is not set',
    me: web('no-variable'),
    make: tokenWith(client.ClientSecretBasic(String(undefined))),
    code: 'client_secret_wrong',
    title: /^The client_secret of no-variable is wrong$/,
    why: /sent a placeholder because its variable is not set/,
    sent: /^9 characters, a placeholder instead of a secret$/,
    expected: /^the registered secret, 11 characters$/,
  },
  {
    name: 'client_secret_post where client_secret_basic is registered',
    me: web('post-for-basic'),
    make: tokenWith(client.ClientSecretPost(secret)),
    code: 'authentication_method_not_registered',
    title: /^post-for-basic is not registered for client_secret_post$/,
    why: /must use its registered authentication method/,
    sent: /^client_secret_post$/,
    expected: /^client_secret_basic$/,
    press: /^Allow client_secret_post for post-for-basic$/,
  },
  {
    name: 'client_secret_basic where client_secret_post is registered',
    me: web('basic-for-post', { token_endpoint_auth_method: 'client_secret_post' }),
    make: tokenWith(client.ClientSecretBasic(secret)),
    code: 'authentication_method_not_registered',
    title: /^basic-for-post is not registered for client_secret_basic$/,
    why: /must use its registered authentication method/,
    sent: /^client_secret_basic$/,
    expected: /^client_secret_post$/,
    press: /^Allow client_secret_basic for basic-for-post$/,
  },
  {
    name: 'no secret',
    me: web('secretless'),
    make: tokenWith(client.None()),
    code: 'client_secret_missing',
    title: /^secretless did not authenticate$/,
    why: /registered with client_secret_basic, but the request has no client authentication/,
    sent: /^none$/,
    expected: /^client_secret_basic$/,
  },
  {
    name: 'a secret of a public client',
    me: spa('public-secret'),
    make: async (world, me) => (await createParty(world, me, { auth: client.ClientSecretPost('whatever') })).logIn(),
    code: 'client_is_public',
    title: /^public-secret is a public client and has no secret$/,
    why: /cannot keep a secret, so none is registered/,
    sent: /^client_secret_post$/,
    expected: /^none$/,
  },
  {
    name: 'introspection with a wrong secret',
    me: web('resource-server'),
    async make(world, me) {
      const { config } = await createParty(world, me, { auth: client.ClientSecretBasic('P&SS W0RD+1') });
      return client.tokenIntrospection(config, 'eyJ');
    },
    code: 'client_secret_wrong',
    title: /^The client_secret of resource-server is wrong$/,
    why: /differs only in upper and lower case/,
    sent: /^11 characters, with different upper and lower case$/,
    expected: /^the registered secret, 11 characters$/,
  },
];

const stranger = await makeClientKey('ES256', { kid: 'key-of-yesterday', alg: 'ES256' });

/** A client assertion that is right but for this. */
const assertion = (modify: client.ModifyAssertionFunction = () => {}) =>
  client.PrivateKeyJwt({ key: signingKey.privateKey, kid: 'key-1' }, { [client.modifyAssertion]: modify });

/** Client assertions (RFC 7523 §3). */
export const assertionMistakes: readonly Mistake[] = [
  {
    name: 'an assertion for another server',
    me: signer('assertion-aud'),
    make: tokenWith(
      assertion((_, claims) => {
        claims.aud = 'https://idp.example/oauth2/token';
      }),
    ),
    code: 'client_assertion_audience_mismatch',
    title: /^The client_assertion is for a different server$/,
    why: /The aud must name this server/,
    sent: /^https:\/\/idp\.example\/oauth2\/token$/,
    expected: /^http:\/\/localhost:\d+.*differs: scheme, host, port/,
  },
  {
    name: 'an assertion that has expired',
    me: signer('assertion-exp'),
    make: tokenWith(
      assertion((_, claims) => {
        claims.exp = Number(claims.iat) - 600;
      }),
    ),
    code: 'client_assertion_expired',
    title: /^The client_assertion has expired$/,
    why: /The exp of the JWT is over/,
    sent: /^exp \d{10}, now is \d{10}$/,
    expected: /^a fresh one$/,
  },
  {
    name: 'an assertion by a key that is not published',
    me: signer('assertion-key'),
    make: tokenWith(client.PrivateKeyJwt({ key: stranger.privateKey, kid: 'key-of-yesterday' })),
    code: 'client_assertion_key_unknown',
    title: /^The signing key of the client_assertion is not published by assertion-key$/,
    why: /The kid and alg of the header must match a key in the jwks/,
    sent: /^alg ES256, kid key-of-yesterday$/,
    expected: /^alg ES256, kid key-1$/,
  },
];
