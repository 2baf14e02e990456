import * as script from '../../support/flow-scripts.ts';
import { get, redeem, type Tokens } from '../../support/wire.ts';
import { bearer, boundLogIn, type Case, fresh, logIn, logInAndCall, pass, scope, settle } from './world.ts';

const offline = { scope: `${scope} offline_access` };

/** What is done with tokens. */
export const tokenCases: readonly Case[] = [
  {
    id: 'refresh_rotated',
    client: 'frontend',
    async bad(url) {
      const { refresh_token } = await logIn(url, offline);
      for (let n = 0; n < 2; n++) await settle(script.refresh(url, refresh_token));
    },
    why: /refresh_token_reused/,
    async good(url) {
      const { refresh_token } = await logIn(url, offline);
      const next = await script.jsonOf<Tokens>(await script.refresh(url, refresh_token));
      await settle(script.refresh(url, next.refresh_token));
    },
  },
  {
    id: 'refresh_when_due',
    client: 'frontend',
    verdict: 'warn',
    async bad(url) {
      let { refresh_token } = await logIn(url, offline);
      for (let n = 0; n < 4; n++) {
        pass(2);
        ({ refresh_token } = await script.jsonOf<Tokens>(await script.refresh(url, refresh_token)));
      }
    },
    why: /refreshes tokens too early/,
    async good(url) {
      const { refresh_token } = await logIn(url, offline);
      pass(110);
      await settle(script.refresh(url, refresh_token));
    },
  },
  {
    id: 'no_token_in_url',
    client: 'frontend',
    async bad(url) {
      const { access_token } = await logIn(url);
      await settle(get(`${url}/api/products?access_token=${access_token}`));
    },
    why: /access token in the (callback )?URL/,
    good: url => logInAndCall(url),
  },
  {
    id: 'no_token_in_url',
    client: 'frontend',
    async bad(url) {
      const { access_token } = await logIn(url);
      await settle(get(`${url}/userinfo?access_token=${access_token}`));
    },
    why: /1 call had/,
    async good(url) {
      const { access_token } = await logIn(url);
      await settle(get(`${url}/userinfo`, bearer(access_token)));
    },
  },
  {
    id: 'access_token_for_api',
    client: 'frontend',
    async bad(url) {
      const { id_token } = await logIn(url);
      await settle(get(`${url}/api/products`, bearer(id_token)));
    },
    why: /an ID token/,
    good: url => logInAndCall(url),
  },
  {
    id: 'access_token_for_api',
    client: 'frontend',
    async bad(url) {
      const { refresh_token } = await logIn(url, offline);
      await settle(get(`${url}/userinfo`, bearer(refresh_token)));
    },
    why: /a refresh token/,
    good: url => logInAndCall(url),
  },
  {
    id: 'no_expired_token',
    client: 'frontend',
    verdict: 'warn',
    async bad(url) {
      const { access_token } = await logIn(url);
      pass(125);
      for (let n = 0; n < 3; n++) await settle(get(`${url}/api/products`, bearer(access_token)));
    },
    why: /expired token/,
    async good(url) {
      const { access_token } = await logIn(url);
      pass(125);
      await settle(get(`${url}/api/products`, bearer(access_token)));
    },
  },
  {
    id: 'audience',
    client: 'frontend',
    async bad(url) {
      const { verifier, parameters } = fresh();
      const resource = 'https://other.example/api';
      const { code } = await script.walkToCode(url, { scope, resource, ...parameters });
      const form = { code_verifier: verifier, resource };
      const tokens = await script.jsonOf<Tokens>(await redeem(url, code, form));
      await settle(get(`${url}/api/products`, bearer(tokens.access_token)));
    },
    why: /audience_mismatch|resource_invalid/,
    good: url => logInAndCall(url),
  },
  {
    id: 'resource_known',
    client: 'frontend',
    verdict: 'warn',
    bad: url => logIn(url, { resource: 'https://other.example/api' }),
    why: /Nobody configured https:\/\/other\.example\/api/,
    good: (url, { issuer }) => logIn(url, { resource: `${issuer}/api` }),
  },
  {
    id: 'scope',
    client: 'frontend',
    verdict: 'warn',
    bad: url => script.walkToCode(url, { scope: 'openid products:delete' }),
    why: /scope_not_registered/,
    good: url => logInAndCall(url),
  },
  {
    id: 'sender_constrained',
    client: 'frontend',
    async bad(url) {
      const { access_token } = await boundLogIn(url);
      await settle(get(`${url}/api/products`, bearer(access_token)));
    },
    why: /dpop/,
    good: url => boundLogIn(url),
  },
];
