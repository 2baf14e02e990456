import { SignJWT } from 'jose';
import * as client from 'openid-client';
import type { Mistake } from './mistake.ts';
import { createParty } from './party.ts';
import { callback, signingKey, spa, web } from './world.ts';

const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code';
const bearerGrant = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
const exchangeGrant = 'urn:ietf:params:oauth:grant-type:token-exchange';

/** What is asked of the token endpoint, and how. */
export const tokenRequestMistakes: readonly Mistake[] = [
  {
    name: 'a JSON body',
    me: web('json-body'),
    async make(world, me) {
      // an interceptor that sends JSON, as axios does by itself
      const call: typeof world.fetch = (url, init) => {
        const body = JSON.stringify(Object.fromEntries(init?.body as URLSearchParams));
        return world.fetch(url, { ...init, body, headers: { ...init?.headers, 'content-type': 'application/json' } });
      };
      return client.clientCredentialsGrant((await createParty(world, me, { fetch: call })).config);
    },
    code: 'content_type_unsupported',
    title: /^The body is JSON instead of a form$/,
    why: /Libraries such as axios send JSON by default/,
    sent: /application\/json/,
    expected: /application\/x-www-form-urlencoded/,
  },
  {
    name: 'a GET at the token endpoint',
    me: web('get-token'),
    make: ({ url, fetch }) => fetch(`${url}/oauth2/token?grant_type=client_credentials&client_id=get-token`),
    code: 'method_not_allowed',
    title: /^\/oauth2\/token does not accept GET$/,
    why: /only the methods of the Allow header/,
    sent: /^GET$/,
    expected: /^POST$/,
  },
  {
    name: 'a mistyped grant',
    me: web('typo-grant'),
    make: async (world, me) =>
      client.genericGrantRequest((await createParty(world, me)).config, 'client_credential', {}),
    code: 'grant_type_unsupported',
    title: /^Unknown grant type client_credential$/,
    why: /compared character by character/,
    sent: /^client_credential$/,
    expected: /^client_credentials$/,
  },
  {
    name: 'a grant that is not enabled for the client',
    me: web('no-grant', { grant_types: ['authorization_code'] }),
    make: async (world, me) => client.clientCredentialsGrant((await createParty(world, me)).config),
    code: 'grant_type_not_registered',
    title: /^no-grant is not registered for the grant client_credentials$/,
    why: /may use only its registered grants/,
    sent: /^client_credentials$/,
    expected: /^authorization_code$/,
    press: /^Enable client_credentials for no-grant$/,
  },
  {
    name: 'a device that polls too often',
    me: spa('tv', { grant_types: [deviceGrant] }),
    async make(world, me) {
      const { config } = await createParty(world, me);
      const { device_code } = await client.initiateDeviceAuthorization(config, { scope: 'openid' });
      const poll = () => client.genericGrantRequest(config, deviceGrant, { device_code });
      await poll().catch(() => undefined);
      await poll();
    },
    code: 'polled_too_fast',
    title: /^tv polls too often$/,
    why: /five seconds more after each slow_down/,
    sent: /^a poll [\d.]+ m?s after/,
    expected: /^5 s between polls/,
  },
  {
    name: 'a JWT of an issuer that is not trusted',
    me: web('jwt-bearer', { grant_types: [bearerGrant] }),
    async make(world, me) {
      const assertion = await new SignJWT({ sub: 'alice', iss: 'https://ci.example', aud: world.sandbox.issuer })
        .setProtectedHeader({ alg: 'ES256', kid: 'key-1' })
        .setIssuedAt()
        .setExpirationTime('1m')
        .sign(signingKey.privateKey);
      return client.genericGrantRequest((await createParty(world, me)).config, bearerGrant, { assertion });
    },
    settings: { trustedIssuers: { 'https://ci.example.com': { jwks: { keys: [{ ...signingKey.publicJwk }] } } } },
    code: 'assertion_issuer_untrusted',
    title: /^The issuer of the JWT is not trusted here$/,
    why: /lists the trusted issuers with their keys/,
    sent: /^https:\/\/ci\.example$/,
    expected: /^https:\/\/ci\.example\.com differs: host$/,
  },
  {
    name: 'an API by its address as audience',
    me: web('exchanger', { grant_types: [exchangeGrant, 'client_credentials'] }),
    async make(world, me) {
      const { config } = await createParty(world, me);
      const { access_token } = await client.clientCredentialsGrant(config, { scope: 'products:read' });
      return client.genericGrantRequest(config, exchangeGrant, {
        subject_token: access_token,
        subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
        audience: 'https://orders.example/',
      });
    },
    code: 'audience_unknown',
    title: /^Unknown audience https:\/\/orders\.example\/$/,
    why: /For the address of an API use resource/,
    sent: /^https:\/\/orders\.example\/$/,
    expected: /\w/,
  },
  {
    name: 'a registration with an address nobody can be sent to',
    me: spa('registrar'),
    async make(world) {
      const options = {
        execute: [client.allowInsecureRequests],
        [client.customFetch]: (url: string, init: object) => world.fetch(url, init),
      };
      const metadata = { redirect_uris: [`${callback}#done`], token_endpoint_auth_method: 'none' };
      return client.dynamicClientRegistration(new URL(world.sandbox.issuer), metadata, undefined, options);
    },
    code: 'redirect_uri_unusable',
    title: /^The redirect URI cannot be registered$/,
    why: /fragment.*must belong to the client alone/,
    sent: /callback#done/,
    expected: /fragment/,
  },
];

/** A login, whose refresh token is used by `use`. */
function refreshing(use: (config: client.Configuration, refreshToken: string) => Promise<unknown>): Mistake['make'] {
  return async (world, me) => {
    const party = await createParty(world, me);
    const { refresh_token = '' } = await party.logIn({ scope: 'openid offline_access' });
    return use(party.config, refresh_token);
  };
}

/** Refresh tokens (RFC 6749 §6). */
export const refreshMistakes: readonly Mistake[] = [
  {
    name: 'a refresh token that is used twice',
    me: spa('two-tabs'),
    make: refreshing(async (config, refreshToken) => {
      await client.refreshTokenGrant(config, refreshToken);
      await client.refreshTokenGrant(config, refreshToken);
    }),
    code: 'refresh_token_reused',
    title: /^The refresh token of two-tabs was used twice$/,
    why: /A refresh token works only once.*Two parts of the app, or two tabs, refreshed at the same moment/,
    sent: /^tok_\w+, used in req_\w+$/,
    expected: /^tok_\w+, the current one of this sign-in$/,
    likely: true,
    press: /^Let two-tabs reuse refresh tokens$/,
  },
  {
    name: 'a refresh token of another client',
    me: spa('refresh-thief'),
    others: [spa('refresh-owner')],
    async make(world, me) {
      const owner = await createParty(world, spa('refresh-owner'));
      const { refresh_token = '' } = await owner.logIn({ scope: 'openid offline_access' });
      return client.refreshTokenGrant((await createParty(world, me)).config, refresh_token);
    },
    code: 'refresh_token_of_another_client',
    title: /^refresh-thief sent a refresh token of a different client$/,
    why: /valid only for the client that it was issued to/,
    sent: /^refresh-thief$/,
    expected: /^refresh-owner$/,
  },
  {
    name: 'the access token in place of the refresh token',
    me: spa('wrong-variable'),
    async make(world, me) {
      const party = await createParty(world, me);
      const { access_token } = await party.logIn();
      return client.refreshTokenGrant(party.config, access_token);
    },
    code: 'refresh_token_expired_or_unknown',
    title: /^The app sent an access token as refresh_token$/,
    why: /renews tokens, not an access token/,
    sent: /^tok_\w+, an access token$/,
    expected: /^the refresh_token of the same response$/,
  },
  {
    name: 'more scope at a refresh',
    me: spa('wider'),
    make: refreshing((config, refreshToken) =>
      client.refreshTokenGrant(config, refreshToken, { scope: 'openid products:read' }),
    ),
    code: 'scope_widened',
    title: /^products:read was not granted before$/,
    why: /may request fewer scopes, but no new ones/,
    sent: /^openid products:read$/,
    expected: /^openid offline_access$/,
  },
];
