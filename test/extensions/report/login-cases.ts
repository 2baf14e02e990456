import type { Sandbox } from '../../../src/index.ts';
import * as script from '../../support/flow-scripts.ts';
import { answer, authorizeQuery, get, login, redeem } from '../../support/wire.ts';
import { type Case, fresh, logIn, noPkce, settle, shopLogIn } from './world.ts';

const random = () => fresh().parameters.state;

/** What ties the answer of a login to the browser and the client. */
export const loginCases: readonly Case[] = [
  {
    id: 'pkce_s256',
    client: 'frontend',
    bad: url => settle(get(`${url}/oauth2/authorize?${authorizeQuery(noPkce)}`)),
    why: /1 of 1 sign-in came without/,
    good: url => logIn(url),
  },
  {
    id: 'pkce_s256',
    client: 'frontend',
    bad: url => settle(get(`${url}/oauth2/authorize?${authorizeQuery({ code_challenge_method: 'plain' })}`)),
    why: /without an S256/,
    good: url => script.walkPushed(url, fresh().parameters),
  },
  {
    id: 'pkce_s256',
    client: 'shop',
    verdict: 'warn',
    bad: url => shopLogIn(url),
    why: /confidential client should/,
    good: url =>
      script.walkThroughConsent(url, 'consent-allow', { ...fresh().parameters, code_challenge_method: 'S256' }),
  },
  {
    id: 'pkce_verifier',
    client: 'frontend',
    async bad(url) {
      const { code } = await script.walkToCode(url, fresh().parameters);
      await settle(redeem(url, code));
    },
    why: /pkce_mismatch/,
    good: url => logIn(url),
  },
  {
    id: 'pkce_unique',
    client: 'frontend',
    async bad(url) {
      for (const state of [random(), random()]) await script.walkToCode(url, { state, nonce: random() });
    },
    why: /2 sign-ins share a code_challenge/,
    async good(url) {
      for (let n = 0; n < 2; n++) await logIn(url);
    },
  },
  {
    id: 'csrf_protection',
    client: 'shop',
    bad: url => shopLogIn(url, { state: '' }),
    why: /1 of 1 sign-in came without state, nonce and PKCE/,
    good: url => shopLogIn(url),
  },
  {
    id: 'state_random',
    client: 'shop',
    verdict: 'warn',
    bad: url => shopLogIn(url, { state: 'xyz123' }),
    why: /can be guessed/,
    good: url => shopLogIn(url, { state: random() }),
  },
  {
    id: 'state_unique',
    client: 'frontend',
    verdict: 'warn',
    async bad(url) {
      for (let n = 0; n < 2; n++) await logIn(url, { state: 'fixed' });
    },
    why: /PKCE protects/,
    async good(url) {
      for (let n = 0; n < 2; n++) await logIn(url);
    },
  },
  {
    id: 'state_unique',
    client: 'shop',
    async bad(url) {
      for (let n = 0; n < 2; n++) await shopLogIn(url, { state: 'fixed' });
    },
    why: /2 sign-ins share a state/,
    async good(url) {
      for (let n = 0; n < 2; n++) await shopLogIn(url, { state: random() });
    },
  },
  {
    id: 'state_compared',
    client: 'frontend',
    async bad(url, sandbox) {
      await sandbox.nextLogin({ sub: 'alice', action: 'wrong_state' });
      const { code } = await script.walkToCode(url, fresh().parameters);
      await settle(redeem(url, code));
    },
    why: /does not compare/,
    async good(url, sandbox) {
      await sandbox.nextLogin({ sub: 'alice', action: 'wrong_state' });
      await script.walkToCode(url, fresh().parameters);
    },
  },
  ...(['wrong_state', 'missing_state', 'wrong_iss', 'missing_iss'] as const).map((fault): Case => {
    const id = fault.endsWith('_iss') ? 'iss_compared' : 'state_compared';
    const deceive = async (url: string, sandbox: Sandbox) => {
      const { parameters, verifier } = fresh();
      const { agent } = await script.walkToCode(url, fresh().parameters);
      await sandbox.faults.arm({ fault, times: 1 });
      return { code: (await script.walkToCode(url, parameters, agent)).code, code_verifier: verifier };
    };
    return {
      ...{ id, client: 'frontend', good: deceive, why: /redeemed a code that came with a missing or different/ },
      async bad(url, sandbox) {
        const { code, code_verifier } = await deceive(url, sandbox);
        await settle(redeem(url, code, { code_verifier }));
      },
    };
  }),
  {
    id: 'nonce_sent',
    client: 'shop',
    verdict: 'warn',
    bad: url => shopLogIn(url),
    why: /without nonce and without PKCE/,
    good: url => shopLogIn(url, { nonce: random() }),
  },
  {
    id: 'nonce_sent',
    client: 'shop',
    bad: url =>
      settle(
        get(`${url}/oauth2/authorize?${authorizeQuery({ client_id: 'shop', ...noPkce, response_type: 'id_token' })}`),
      ),
    why: /requires a nonce/,
    good: url => script.walkFrontChannel(url, 'id_token'),
  },
  {
    id: 'nonce_unique',
    client: 'frontend',
    async bad(url) {
      for (let n = 0; n < 2; n++) await logIn(url, { nonce: 'fixed' });
    },
    why: /2 sign-ins share a nonce/,
    async good(url) {
      const cookie = await login(url);
      const { parameters } = fresh();
      // the same page, loaded again, is the same login
      for (let n = 0; n < 2; n++) await answer(url, cookie, parameters);
    },
  },
];
