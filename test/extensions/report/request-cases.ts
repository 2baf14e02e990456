import { randomUUID } from 'node:crypto';
import type { Sandbox } from '../../../src/index.ts';
import { asBank, key } from '../../conformance/everything.ts';
import { asserted } from '../../support/assertions.ts';
import * as script from '../../support/flow-scripts.ts';
import { answer, authorizeQuery, get, login, post, redeem } from '../../support/wire.ts';
import { type Case, fresh, logIn, pass, settle } from './world.ts';

const code = async (url: string) => {
  const { verifier, parameters } = fresh();
  return { code: (await script.walkToCode(url, parameters)).code, code_verifier: verifier };
};
const remote = (path: string) => ({ client_id: 'remote', redirect_uri: path, scope: 'openid', ...fresh().parameters });

/** The status of the answer to a client with a key that asks for a token of its own. */
export async function assertionFor(url: string, sandbox: Sandbox, aud: string): Promise<number> {
  const exp = sandbox.clock() + 60;
  const claims = { iss: 'signer', sub: 'signer', aud, exp, jti: randomUUID() };
  const proof = await asserted(key.privateKey, { alg: 'ES256' }, claims);
  const answer = await post(`${url}/oauth2/token`, { grant_type: 'client_credentials', ...proof });
  await settle(answer);
  return answer.status;
}

/** What is asked of the authorization endpoint, what becomes of the code, and who asks. */
export const requestCases: readonly Case[] = [
  {
    id: 'redirect_uri_exact',
    client: 'frontend',
    bad: url =>
      settle(get(`${url}/oauth2/authorize?${authorizeQuery({ redirect_uri: 'http://localhost:5173/callback/' })}`)),
    why: /redirect_uri_not_registered/,
    good: url => logIn(url),
  },
  {
    id: 'redirect_uri_exact',
    client: 'frontend',
    async bad(url) {
      const given = await code(url);
      await settle(redeem(url, given.code, { ...given, redirect_uri: 'http://localhost:5173/other' }));
    },
    why: /redirect_uri_mismatch/,
    good: url => logIn(url),
  },
  {
    id: 'redirect_uri_repeated',
    client: 'frontend',
    verdict: 'warn',
    async bad(url) {
      const given = await code(url);
      await settle(redeem(url, given.code, { ...given, redirect_uri: '' }));
    },
    why: /1 code came without the redirect_uri/,
    good: url => logIn(url),
  },
  {
    id: 'redirect_uri_https',
    client: 'remote',
    verdict: 'warn',
    bad: url => script.walkToCode(url, remote('http://app.example/callback')),
    why: /plain http address/,
    good: url => script.walkToCode(url, remote('https://app.example/callback')),
  },
  {
    id: 'no_implicit',
    client: 'shop',
    bad: url => script.walkFrontChannel(url, 'id_token token'),
    why: /access token in the (callback )?URL/,
    good: url => script.walkFrontChannel(url, 'code id_token'),
  },
  {
    id: 'code_redeemed',
    client: 'frontend',
    verdict: 'warn',
    async bad(url) {
      await code(url);
      pass(21);
    },
    why: /never redeemed/,
    async good(url) {
      await logIn(url);
      pass(21);
    },
  },
  {
    id: 'code_once',
    client: 'frontend',
    async bad(url) {
      const given = await code(url);
      for (let n = 0; n < 2; n++) await settle(redeem(url, given.code, given));
    },
    why: /code_replayed/,
    good: url => logIn(url),
  },
  {
    id: 'code_in_time',
    client: 'frontend',
    async bad(url) {
      const given = await code(url);
      pass(61);
      await settle(redeem(url, given.code, given));
    },
    why: /code_expired_or_unknown/,
    good: url => logIn(url),
  },
  {
    id: 'no_redirect_loop',
    client: 'frontend',
    verdict: 'warn',
    async bad(url) {
      const cookie = await login(url);
      for (let n = 0; n < 4; n++) {
        const { verifier, parameters } = fresh();
        const given = (await answer(url, cookie, parameters)).get('code') ?? '';
        await settle(redeem(url, given, { code_verifier: verifier }));
        pass(1);
      }
    },
    why: /does not keep its session/,
    good: url => logIn(url),
  },
  {
    id: 'no_secret_in_url',
    client: 'bank',
    bad: url =>
      settle(
        post(`${url}/oauth2/token?client_id=bank&client_secret=bank-secret`, { grant_type: 'client_credentials' }),
      ),
    why: /client_secret in the URL/,
    good: url => settle(script.clientCredentials(url)),
  },
  {
    id: 'public_without_secret',
    client: 'frontend',
    async bad(url) {
      const given = await code(url);
      await settle(redeem(url, given.code, { ...given, client_secret: 'from-the-bundle' }));
    },
    why: /the client is public/,
    good: url => logIn(url),
  },
  {
    id: 'client_authentication',
    client: 'bank',
    bad: url =>
      settle(script.tokenRequest(url, { grant_type: 'client_credentials' }, `Basic ${btoa('bank:wrong-secret')}`)),
    why: /client_secret_wrong/,
    good: url => settle(script.clientCredentials(url)),
  },
  {
    id: 'no_password_grant',
    client: 'bank',
    bad: url => settle(script.password(url)),
    why: /grant_type=password/,
    good: url => settle(script.clientCredentials(url)),
  },
  {
    id: 'assertion_audience',
    client: 'signer',
    verdict: 'warn',
    bad: (url, sandbox) => assertionFor(url, sandbox, `${sandbox.issuer}/oauth2/token`),
    why: /1 assertion had an aud other than/,
    good: (url, sandbox) => assertionFor(url, sandbox, sandbox.issuer),
  },
  {
    id: 'parameters_known',
    client: 'bank',
    verdict: 'warn',
    bad: url => settle(script.tokenRequest(url, { grant_type: 'client_credentials', audeince: 'x' }, asBank)),
    why: /audeince/,
    good: url => settle(script.clientCredentials(url)),
  },
  {
    id: 'polls_patiently',
    client: 'frontend',
    verdict: 'warn',
    async bad(url) {
      const { device_code } = await script.startDevice(url);
      for (let n = 0; n < 2; n++) await settle(script.pollDevice(url, device_code));
    },
    why: /polled_too_fast/,
    async good(url) {
      const { device_code } = await script.startDevice(url);
      await settle(script.pollDevice(url, device_code));
      pass(6);
      await settle(script.pollDevice(url, device_code));
    },
  },
  {
    id: 'no_other_refusal',
    client: 'frontend',
    verdict: 'warn',
    bad: url => settle(get(`${url}/oauth2/authorize?${authorizeQuery({ prompt: 'nonsense', ...fresh().parameters })}`)),
    why: /prompt_invalid/,
    // asked on purpose, to learn whether somebody is logged in
    good: url => settle(get(`${url}/oauth2/authorize?${authorizeQuery({ prompt: 'none', ...fresh().parameters })}`)),
  },
  {
    id: 'logout_hint',
    client: 'frontend',
    verdict: 'warn',
    bad: url => settle(get(`${url}/connect/logout?client_id=frontend`)),
    why: /without id_token_hint/,
    async good(url) {
      const { id_token } = await logIn(url);
      await settle(get(`${url}/connect/logout?${new URLSearchParams({ id_token_hint: id_token })}`));
    },
  },
  {
    id: 'logout_hint',
    client: 'frontend',
    async bad(url) {
      const query = { client_id: 'frontend', post_logout_redirect_uri: 'http://localhost:5173/elsewhere' };
      await settle(get(`${url}/connect/logout?${new URLSearchParams(query)}`));
    },
    why: /post_logout_redirect_uri_mismatch/,
    async good(url) {
      const { id_token } = await logIn(url);
      await settle(get(`${url}/connect/logout?${new URLSearchParams({ id_token_hint: id_token })}`));
    },
  },
];
