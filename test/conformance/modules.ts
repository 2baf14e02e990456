import { decodeProtectedHeader } from 'jose';
import { describe, expect, it } from 'vitest';
import type { SandboxConfig, UserEntry } from '../../src/index.ts';
import { s256 } from '../../src/protocol/requests/pkce.ts';
import { get, post, verifier } from '../support/wire.ts';
import { checkSecret, checkTokenError, checkTokenResponse, checkUserInfo } from './checks.ts';

import { callback, errorPage, finish, judge, longState, type Party, unsigned } from './party.ts';

/** Claims of each scope (OIDC Core §5.4). */
const scopeClaims = {
  profile: [
    ...['name', 'family_name', 'given_name', 'middle_name', 'nickname', 'preferred_username', 'profile', 'picture'],
    ...['website', 'gender', 'birthdate', 'zoneinfo', 'locale', 'updated_at'],
  ],
  email: ['email', 'email_verified'],
  address: ['address'],
  phone: ['phone_number', 'phone_number_verified'],
} as const;
const profileClaims: readonly string[] = Object.values(scopeClaims).flat();

/** Somebody who has every standard claim, as the suite's accounts have. */
const alice: UserEntry = {
  sub: 'alice',
  claims: {
    ...{ name: 'Alice Archer', given_name: 'Alice', family_name: 'Archer', middle_name: 'Ann', nickname: 'Al' },
    ...{ preferred_username: 'alice', profile: 'https://people.example/alice', website: 'https://alice.example' },
    ...{ picture: 'https://people.example/alice.png', gender: 'female', birthdate: '1985-04-12', locale: 'en-GB' },
    ...{ zoneinfo: 'Europe/London', updated_at: 1_735_689_600, email: 'alice@example.com', email_verified: true },
    ...{ phone_number: '+44 20 7946 0101', phone_number_verified: true },
    address: {
      formatted: '1 Orchard Lane\nLondon',
      street_address: '1 Orchard Lane',
      locality: 'London',
      country: 'GB',
    },
  },
};

/** The clients a certification with static registration brings. */
export const staticClients: SandboxConfig = {
  users: [alice, { sub: 'bob' }],
  clients: (['client_secret_basic', 'client_secret_post'] as const).map(method => ({
    client_id: method,
    client_secret: `secret of ${method} with more than 32 characters`,
    token_endpoint_auth_method: method,
    grant_types: ['authorization_code', 'implicit', 'refresh_token'],
    response_types: ['code', 'id_token', 'id_token token', 'code id_token', 'code token', 'code id_token token'],
    redirect_uris: [callback, `${callback}/second`],
    post_logout_redirect_uris: ['https://rp.example/signed-out'],
    scope: 'openid profile email address phone offline_access',
  })),
};

export interface Plan {
  /** With client_secret_basic. */
  readonly party: () => Party;
  /** With client_secret_post. */
  readonly other: () => Party;
  readonly response_type: string;
  readonly response_mode?: 'form_post';
}

/**
 * The modules that the basic, the implicit, the hybrid and the form post plans have in common: the same questions, by one
 * response type and one response mode. None of them sends PKCE but the one that asks for it.
 */
export function commonModules(plan: Plan): void {
  const form = {
    response_type: plan.response_type,
    ...(plan.response_mode === undefined ? {} : { response_mode: plan.response_mode }),
  };
  const parts = plan.response_type.split(' ');
  const bringsAccess = plan.response_type !== 'id_token';
  const logIn: Party['logIn'] = (parameters, options) => plan.party().logIn({ ...form, ...parameters }, options);
  const ask: Party['authorize'] = (parameters, options) => plan.party().authorize({ ...form, ...parameters }, options);
  const op = () => plan.party().op;

  describe('oidcc-server', () => {
    it('ends at tokens and UserInfo, and the ID token has no claim nobody asked for', async () => {
      const { idToken, accessTokens } = await logIn();
      expect(accessTokens).toHaveLength(parts.filter(part => part !== 'id_token').length);
      expect(Object.keys(idToken).filter(name => profileClaims.includes(name))).toEqual([]);
      if (parts.includes('code')) expect(idToken.at_hash).toMatch(/./);
    });
  });

  describe('oidcc-server-client-secret-post', () => {
    it('ends at tokens and UserInfo with the secret in the body', async () => {
      const { idToken } = await plan.other().logIn(form);
      expect(idToken).toMatchObject({ aud: 'client_secret_post', sub: 'alice' });
    });
  });

  describe('oidcc-response-type-missing', () => {
    it('is told that response_type is missing', async () => {
      const { parameters } = await ask({ response_type: '' });
      expect(parameters.get('error')).toBe('invalid_request');
    });
  });

  describe('oidcc-idtoken-signature', () => {
    it('finds the kid of the header among the keys, and RS256 where nothing is registered', async () => {
      const { answer, tokens } = await logIn();
      const idTokens = [answer.parameters.get('id_token'), tokens?.id_token].flatMap(each => each ?? []);
      expect(idTokens).not.toEqual([]);
      for (const each of idTokens)
        expect(decodeProtectedHeader(each)).toMatchObject({ alg: 'RS256', kid: expect.stringMatching(/./) });
    });
  });

  describe('oidcc-idtoken-unsigned', () => {
    it('is not offered, and so nobody can ask for it', () => {
      expect(op().metadata.id_token_signing_alg_values_supported).not.toContain('none');
    });
  });

  if (bringsAccess) userInfoModules(plan.party, () => logIn());

  if (parts.includes('id_token')) {
    describe('oidcc-ensure-request-without-nonce-fails', () => {
      it('is invalid_request, since an ID token in the front channel is tied to its request by the nonce', async () => {
        const { parameters } = await ask({ nonce: '' });
        expect(parameters.get('error')).toBe('invalid_request');
      });
    });
  } else {
    describe('oidcc-ensure-request-without-nonce-succeeds-for-code-flow', () => {
      it('has an ID token without nonce', async () => {
        const { idToken } = await logIn({ nonce: '' });
        expect(idToken).not.toHaveProperty('nonce');
      });
    });
  }

  describe.each<[string, keyof typeof scopeClaims]>([
    ['oidcc-scope-profile', 'profile'],
    ['oidcc-scope-email', 'email'],
    ['oidcc-scope-address', 'address'],
    ['oidcc-scope-phone', 'phone'],
  ])('%s', (_module, scope) => {
    it('releases the claims of the scope at UserInfo, or in an ID token that is all there is', async () => {
      const { idToken, claims } = await logIn({ scope: `openid ${scope}` });
      const isOwn = (name: string) => scopeClaims[scope].some(own => own === name);
      expect(Object.keys(claims)).toEqual(expect.arrayContaining([...scopeClaims[scope]]));
      expect(Object.keys(claims).filter(name => profileClaims.includes(name) && !isOwn(name))).toEqual([]);
      if (bringsAccess) expect(Object.keys(idToken).filter(name => profileClaims.includes(name))).toEqual([]);
    });
  });

  describe('oidcc-scope-all', () => {
    it('releases the claims of all scopes together', async () => {
      const { claims } = await logIn({ scope: `openid ${Object.keys(scopeClaims).join(' ')}` });
      expect(Object.keys(claims)).toEqual(expect.arrayContaining([...profileClaims]));
    });
  });

  describe('oidcc-ensure-other-scope-order-succeeds, oidcc-alternate-happy-flow', () => {
    it('takes openid as the last scope, and the parameters in any order', async () => {
      const { query } = plan.party().request({ ...form, scope: 'email openid' });
      const turned = new URLSearchParams([...query].reverse());
      const url = new URL(`${op().metadata.authorization_endpoint}?${turned}`);
      const { claims } = await finish(plan.party(), await plan.party().follow(url, turned));
      expect(claims).toMatchObject({ email: 'alice@example.com' });
    });
  });

  describe.each([
    ['oidcc-display-page', 'page'],
    ['oidcc-display-popup', 'popup'],
  ])('%s', (_module, display) => {
    it('is no reason to refuse', async () => {
      expect((await logIn({ display })).answer.page).toMatchObject({ status: 200 });
    });
  });

  describe('oidcc-prompt-login', () => {
    it('asks again, and auth_time moves on', async () => {
      const first = await logIn({ max_age: '10000' });
      op().pass(2);
      const again = await logIn({ prompt: 'login' }, { agent: first.answer.agent });
      expect(again.answer.page?.html).toContain('login-user-alice');
      expect(again.idToken.auth_time).toBeGreaterThan(Number(first.idToken.auth_time));
    });
  });

  describe('oidcc-prompt-none-not-logged-in', () => {
    it('is login_required, without a page, with the whole state of 128 characters', async () => {
      const state = longState();
      const { page, parameters } = await ask({ prompt: 'none', state });
      expect(page).toBeUndefined();
      expect(state).toHaveLength(128);
      expect(parameters.get('error')).toBe('login_required');
    });
  });

  describe('oidcc-prompt-none-logged-in', () => {
    it('is answered silently for the same login', async () => {
      const first = await logIn();
      op().pass(2);
      const silent = await logIn({ prompt: 'none' }, { agent: first.answer.agent });
      expect(silent.answer.page).toBeUndefined();
      const { sub, auth_time } = first.idToken;
      expect(silent.idToken).toMatchObject({ sub, auth_time });
    });
  });

  describe('oidcc-id-token-hint', () => {
    it('is answered silently for the user of the hint, and for nobody else', async () => {
      const first = await logIn();
      const { agent } = first.answer;
      const id_token_hint = first.tokens?.id_token ?? first.answer.parameters.get('id_token') ?? '';
      const silent = await logIn({ prompt: 'none', id_token_hint }, { agent });
      expect(silent.answer.page).toBeUndefined();
      expect(silent.idToken).toMatchObject({ sub: first.idToken.sub, auth_time: first.idToken.auth_time });
      const bob = await ask({ prompt: 'login' }, { agent, user: 'bob' });
      expect(bob.parameters.has('error')).toBe(false);
      const other = await ask({ prompt: 'none', id_token_hint }, { agent });
      expect(other.parameters.get('error')).toBe('login_required');
    });
  });

  describe('oidcc-max-age-1', () => {
    it('asks again when the login is older', async () => {
      const first = await logIn({ max_age: '1' });
      op().pass(2);
      const again = await logIn({ max_age: '1' }, { agent: first.answer.agent });
      expect(again.answer.page?.html).toContain('login-user-alice');
      expect(again.idToken.auth_time).toBe(op().now());
      expect(again.idToken.auth_time).toBeGreaterThan(Number(first.idToken.auth_time));
    });
  });

  describe('oidcc-max-age-10000', () => {
    it('does not ask when the login is younger, and says when it was', async () => {
      const first = await logIn({ max_age: '10000' });
      op().pass(2);
      const silent = await logIn({ max_age: '10000' }, { agent: first.answer.agent });
      expect(silent.answer.page).toBeUndefined();
      expect(silent.idToken.auth_time).toBe(op().now() - 2);
      expect(first.idToken.auth_time).toBe(silent.idToken.auth_time);
    });
  });

  describe.each<[string, Readonly<Record<string, string>>]>([
    ['oidcc-ensure-request-with-unknown-parameter-succeeds', { extra: 'foobar' }],
    ['oidcc-login-hint', { login_hint: 'bob' }],
    ['oidcc-ui-locales', { ui_locales: 'se de en' }],
    ['oidcc-claims-locales', { claims_locales: 'se de en' }],
  ])('%s', (_module, parameters) => {
    it('is taken without an error', async () => {
      expect((await logIn(parameters)).idToken.sub).toBe('alice');
    });
  });

  describe('oidcc-ensure-request-with-acr-values-succeeds', () => {
    it('logs in, and says which of the values it was', async () => {
      const { idToken } = await logIn({ acr_values: 'urn:one urn:two' });
      expect(['urn:one', 'urn:two']).toContain(idToken.acr);
    });
  });

  describe('oidcc-ensure-registered-redirect-uri', () => {
    it.each(['https://evil.example/callback', `${callback}/other`, `${callback}?added=1`])(
      'shows %s an error page and redirects nowhere',
      async redirect_uri => {
        const { url } = plan.party().request({ ...form, redirect_uri });
        expect(await errorPage(op().agent(), url)).toBe('invalid_request');
      },
    );
  });

  describe('oidcc-ensure-post-request-succeeds', () => {
    it('takes the request as a form, and knows the login it already has', async () => {
      const first = await logIn({}, { isPosted: true });
      expect(first.answer.page).toMatchObject({ status: 200 });
      const again = await logIn({ prompt: 'none' }, { agent: first.answer.agent, isPosted: true });
      expect(again.idToken.auth_time).toBe(first.idToken.auth_time);
    });
  });

  describe('oidcc-unsigned-request-object-supported-correctly-or-rejected-as-unsupported', () => {
    it('is request_not_supported, and never ignored', async () => {
      const { query } = plan.party().request(form);
      const { parameters } = await ask({
        state: query.get('state') ?? '',
        request: unsigned(Object.fromEntries(query)),
      });
      expect(parameters.get('error')).toBe('request_not_supported');
      expect(op().metadata.request_object_signing_alg_values_supported).not.toContain('none');
    });
  });

  describe('oidcc-claims-essential', () => {
    it('releases a claim that is asked for at UserInfo, there and not in the ID token', async () => {
      const { idToken, claims } = await logIn({ claims: JSON.stringify({ userinfo: { name: { essential: true } } }) });
      if (bringsAccess) expect(claims.name).toBe('Alice Archer');
      expect(idToken).not.toHaveProperty('name');
    });
  });

  describe('oidcc-ensure-request-with-valid-pkce-succeeds', () => {
    it('takes a challenge, and its verifier', async () => {
      const pkce = { code_challenge: s256(verifier), code_challenge_method: 'S256' };
      const answer = await ask(pkce);
      expect(answer.parameters.has('error')).toBe(false);
      if (!parts.includes('code')) return;
      expect(await checkTokenError(await redeemRaw(plan.party(), answer.parameters))).toBe('invalid_grant');
      expect((await plan.party().redeem(answer, { code_verifier: verifier })).idToken.sub).toBe('alice');
    });
  });

  if (parts.includes('code')) codeModules(plan, logIn);
}

function redeemRaw(party: Party, parameters: URLSearchParams): Promise<Response> {
  const code = parameters.get('code') ?? '';
  return party.ask({ grant_type: 'authorization_code', code, redirect_uri: callback });
}

function userInfoModules(party: () => Party, logIn: () => ReturnType<Party['logIn']>): void {
  const endpoint = () => party().op.metadata.userinfo_endpoint;
  describe.each<[string, (token: string) => Promise<Response>]>([
    ['oidcc-userinfo-get', token => get(endpoint(), { authorization: `Bearer ${token}` })],
    ['oidcc-userinfo-post-header', token => post(endpoint(), {}, { authorization: `Bearer ${token}` })],
    ['oidcc-userinfo-post-body', token => post(endpoint(), { access_token: token })],
  ])('%s', (_module, send) => {
    it('answers to the access token', async () => {
      const { accessTokens, idToken } = await logIn();
      for (const token of accessTokens) await checkUserInfo(await send(token), idToken.sub ?? '');
    });
  });
}

/** What is asked where there is a code to redeem. */
function codeModules({ party }: Plan, logIn: Party['logIn']): void {
  describe.each<[string, number]>([
    ['oidcc-codereuse', 0],
    ['oidcc-codereuse-30seconds', 30],
  ])('%s', (_module, seconds) => {
    it('is invalid_grant the second time, and ends what the first time gave', async () => {
      const { answer, accessTokens, tokens } = await logIn();
      party().op.pass(seconds);
      expect(await checkTokenError(await redeemRaw(party(), answer.parameters))).toBe('invalid_grant');
      const { userinfo_endpoint } = party().op.metadata;
      for (const token of accessTokens)
        expect((await get(userinfo_endpoint, { authorization: `Bearer ${token}` })).status).toBe(401);
      const refresh = { grant_type: 'refresh_token', refresh_token: tokens?.refresh_token ?? '' };
      expect(await checkTokenError(await party().ask(refresh))).toBe('invalid_grant');
    });
  });

  describe('oidcc-refresh-token', () => {
    it('gives an ID token of the same login, with an iat of its own', async () => {
      const { tokens, idToken } = await logIn({ scope: 'openid offline_access', max_age: '10000' });
      party().op.pass(5);
      const refreshed = await checkTokenResponse(await party().ask(refreshOf(tokens?.refresh_token)));
      checkSecret(refreshed.refresh_token ?? '');
      const renewed = await judge(party(), refreshed.id_token);
      const { iss, sub, aud, azp, auth_time } = idToken;
      expect(renewed).toMatchObject({ iss, sub, aud, azp, auth_time });
      expect(renewed.iat).toBe(party().op.now());
      await party().userInfo(refreshed.access_token, sub);
    });

    it('is of no use to another client', async () => {
      const { tokens } = await logIn();
      const form = refreshOf(tokens?.refresh_token);
      const [client_id, client_secret] = [
        'client_secret_post',
        'secret of client_secret_post with more than 32 characters',
      ];
      const response = await post(party().op.metadata.token_endpoint, { ...form, client_id, client_secret });
      expect(await checkTokenError(response)).toBe('invalid_grant');
      await checkTokenResponse(await party().ask(form));
    });
  });
}

function refreshOf(refresh_token = '') {
  return { grant_type: 'refresh_token', refresh_token };
}
