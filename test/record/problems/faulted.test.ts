import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createSandbox, type Sandbox } from '../../../src/index.ts';
import { detectors } from '../../../src/record/problems/detectors/index.ts';
import { createProblemIndex } from '../../../src/record/problems/problem-index.ts';
import { answer, authorizeQuery, get, login, post, redeem, signIn, type Tokens } from '../../support/wire.ts';
import { knownOf } from './support.ts';

let sandbox: Sandbox;
let url: string;
beforeAll(async () => {
  sandbox = await createSandbox({ signingAlg: 'ES256' });
  ({ url } = sandbox);
});
afterAll(() => sandbox.stop());
beforeEach(() => sandbox.reset());

/** Why anything was refused that counts as a problem, when all requests are over. */
async function problems(): Promise<readonly string[]> {
  const { events } = sandbox;
  const isOver = ({ requestId }: { readonly requestId: string }) =>
    events.ofRequest(requestId).some(({ type }) => type === 'request.completed');
  await expect.poll(() => events.latest('error.returned', 100).every(isOver)).toBe(true);
  const index = createProblemIndex({ ...knownOf(events), clock: () => sandbox.clock() }, detectors);
  return index.latest(100).flatMap(({ kind, reason }) => (kind === 'refusal' ? [reason] : []));
}

const refusals = () => sandbox.events.latest('error.returned', 100).map(({ reason }) => reason);
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const api = (token: string) => get(`${url}/api/products`, bearer(token));
const scope = 'openid profile products:read';

describe('what follows from a fault is no problem', () => {
  it.each([
    ['expired', 'api_token_expired'],
    ['missing_claim', 'api_claim_malformed'],
    ['bad_signature', 'api_signature_invalid'],
    ['unknown_kid', 'api_key_unknown'],
    ['alg_none', 'api_token_unsigned'],
    ['opaque_access_token', 'api_token_opaque'],
  ])('a token that %s bent, and that the sample backend refuses', async (fault, reason) => {
    await sandbox.faults.arm({ fault });
    const { access_token } = await signIn(url, 'alice', { scope });
    expect((await api(access_token)).status).toBe(401);
    expect(refusals()).toEqual([reason]);
    expect(await problems()).toEqual([]);
  });

  it('and its page says that it was on purpose, as that of a minted one does', async () => {
    await sandbox.faults.arm({ fault: 'expired' });
    const { access_token } = await signIn(url, 'alice', { scope });
    const page = async (token: string) => {
      const refused = await api(token);
      return (await get(`${url}/dashboard/problems/${refused.headers.get('x-request-id')}`)).text();
    };
    expect(await page(access_token)).toContain('the fault <code>expired</code> changed this token when it was issued');
    const minted = await sandbox.issueToken({ client: 'frontend', user: 'alice', defect: 'expired' });
    expect(await page(minted.token)).toContain('this token was minted with the defect <code>expired</code>');
    expect(await page('x')).not.toContain('On purpose');
    expect(await problems()).toEqual(['api_token_opaque']);
  });

  it('the same at UserInfo', async () => {
    await sandbox.faults.arm({ fault: 'wrong_key' });
    const { access_token } = await signIn(url);
    expect((await get(`${url}/userinfo`, bearer(access_token))).status).toBe(401);
    expect(refusals()).toHaveLength(1);
    expect(await problems()).toEqual([]);
  });

  it('a code that was never issued', async () => {
    const cookie = await login(url);
    await sandbox.faults.arm({ fault: 'wrong_code' });
    const code = (await answer(url, cookie)).get('code') ?? '';
    expect((await redeem(url, code)).status).toBe(400);
    expect(refusals()).toEqual(['code_expired_or_unknown']);
    expect(await problems()).toEqual([]);
  });

  it('the second try with a code whose first had no answer, and what that revoked', async () => {
    const cookie = await login(url);
    const code = (await answer(url, cookie)).get('code') ?? '';
    await sandbox.faults.arm({ fault: 'connection_dropped' });
    await expect(redeem(url, code)).rejects.toThrow();
    expect((await redeem(url, code)).status).toBe(400);
    expect(refusals()).toEqual(['code_replayed']);
    const [issued] = sandbox.events.latest('token.issued', 10).filter(({ tokenType }) => tokenType === 'access');
    expect((await get(`${url}/userinfo`, bearer(issued?.token ?? ''))).status).toBe(401);
    expect(refusals()).toContain('access_token_revoked');
    expect(await problems()).toEqual([]);
  });

  it('the second call of a callback that was sent twice', async () => {
    const cookie = await login(url);
    await sandbox.faults.arm({ fault: 'double_redirect' });
    const page = await (await get(`${url}/oauth2/authorize?${authorizeQuery()}`, { cookie })).text();
    const code = /<a href="[^"]*[?;]code=([^&"]+)/.exec(page)?.[1] ?? '';
    expect((await redeem(url, code)).status).toBe(200);
    expect((await redeem(url, code)).status).toBe(400);
    expect(await problems()).toEqual([]);
  });
});

describe('what a fault has not caused is one', () => {
  it('with a token that came late', async () => {
    await sandbox.faults.arm({ fault: 'slow', seconds: 0 });
    const { access_token } = await signIn(url, 'alice', { scope: 'openid' });
    expect((await api(access_token)).status).toBe(403);
    expect(await problems()).toEqual(['api_scope_insufficient']);
  });

  it('with the other token of an answer', async () => {
    await sandbox.faults.arm({ fault: 'expired', token: 'id' });
    const { access_token } = await signIn(url, 'alice', { scope: 'openid' });
    expect((await api(access_token)).status).toBe(403);
    expect(await problems()).toEqual(['api_scope_insufficient']);
  });

  it('with a code of a login that met a fault, which is redeemed wrongly', async () => {
    const cookie = await login(url);
    await sandbox.faults.arm({ fault: 'wrong_state' });
    const code = (await answer(url, cookie)).get('code') ?? '';
    expect((await redeem(url, code, { code_verifier: 'x'.repeat(43) })).status).toBe(400);
    expect(await problems()).toEqual(['pkce_mismatch']);
  });

  it('after all faults are over', async () => {
    await sandbox.faults.arm({ fault: 'unavailable' });
    expect((await post(`${url}/oauth2/token`, {})).status).toBe(503);
    const tokens: Tokens = await signIn(url, 'alice', { scope });
    expect((await api(`${tokens.access_token}x`)).status).toBe(401);
    expect(await problems()).toEqual(['api_token_malformed']);
  });
});
