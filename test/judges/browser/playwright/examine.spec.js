import { test as base, expect } from 'grantbox/playwright';

const redirect_uri = 'http://localhost:5173/callback';

/** An app that reads the address of its callback, where nobody listens. It compares `state` if it is careful. */
function signInTo(isCareful) {
  return async ({ page, issuer }) => {
    const callback = page.waitForRequest(`${redirect_uri}?*`);
    const state = String(Math.random());
    const query = { response_type: 'code', client_id: 'app', redirect_uri, scope: 'openid', state };
    const pkce = { code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM', code_challenge_method: 'S256' };
    await page.goto(`${issuer}/oauth2/authorize?${new URLSearchParams({ ...query, ...pkce })}`).catch(String);
    const response = new URL((await callback).url()).searchParams;
    if (isCareful && response.get('state') !== state) throw new Error('the state is another one');
    const code = { code: response.get('code'), code_verifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk' };
    const body = new URLSearchParams({ grant_type: 'authorization_code', client_id: 'app', redirect_uri, ...code });
    return (await fetch(`${issuer}/oauth2/token`, { method: 'POST', body })).ok;
  };
}

const test = base.extend({ issuerConfig: { users: [{ sub: 'tess' }] } });
const options = { plan: 'oauth-bcp', user: 'tess', modules: ['invalid-state', 'pkce'] };

test('a careful app passes', async ({ examine }) => {
  const { summary, issuers } = await examine({ ...options, login: signInTo(true) });
  expect([summary.pass, issuers]).toEqual([3, 'own']);
});

test('a careless app fails', async ({ examine }) => {
  await examine({ ...options, login: signInTo(false) });
});

test('a careless app passes where that is known', async ({ examine }) => {
  const { verdict } = await examine({ ...options, login: signInTo(false), known: ['invalid-state'] });
  expect(verdict).toBe('fail');
});

test('an app that says nothing cannot be examined', async ({ examine }) => {
  await examine({ ...options, login: async () => undefined });
});
