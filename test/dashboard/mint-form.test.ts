import { afterEach, describe, expect, it } from 'vitest';
import { createSandbox, type Sandbox } from '../../src/index.ts';
import type { SandboxConfig } from '../../src/sandbox/config/sandbox-config.ts';
import { defectNames } from '../../src/server/faults/fault-names.ts';

let sandbox: Sandbox;
afterEach(() => sandbox.stop());

async function start(config: SandboxConfig = {}): Promise<void> {
  sandbox = await createSandbox(config);
}
const page = async (path: string) => (await fetch(`${sandbox.url}/dashboard${path}`)).text();
const send = (fields: Readonly<Record<string, string>>) =>
  fetch(`${sandbox.url}/dashboard/tokens`, {
    ...{ method: 'POST', redirect: 'manual', body: new URLSearchParams(fields) },
    headers: { Origin: sandbox.url },
  });

describe('the form that mints a token', () => {
  it('offers clients, users and every defect with its sentence', async () => {
    await start();
    const html = await page('/tokens');
    expect(html).toContain('data-testid="mint"');
    for (const name of ['frontend', 'alice', ...defectNames]) expect(html).toContain(`<option value="${name}"`);
    expect(html).toContain('The token expired an hour ago (RFC 7519 §4.1.4).');
  });

  it('leads to the page of the token, which says that it was minted', async () => {
    await start();
    const unset = { type: 'access', scope: '', lifetime: '' };
    const { status, headers } = await send({ ...unset, client: 'frontend', user: 'alice', defect: 'wrong_issuer' });
    expect(status).toBe(303);
    const [issued] = sandbox.events.latestIssued(1);
    expect(issued).toMatchObject({ minted: true, defect: 'wrong_issuer', sub: 'alice' });
    expect(headers.get('location')).toBe(`/dashboard/tokens/${issued?.tokenId}`);
    const html = await page(`/tokens/${issued?.tokenId}`);
    expect(html).toContain('data-testid="token-mark">minted: wrong_issuer</span>');
    expect(html).toContain('Set by the call that minted it');
    expect(html).toContain('None (minted in the sandbox)');
    expect(await page('/tokens/list')).toContain('>minted: wrong_issuer</span>');
  });

  it('has a page for a token with any defect', async () => {
    await start();
    for (const defect of defectNames) {
      const type = defect === 'wrong_nonce' ? 'id' : 'access';
      const { tokenId } = await sandbox.issueToken({ client: 'frontend', user: 'alice', type, defect });
      const answer = await fetch(`${sandbox.url}/dashboard/tokens/${tokenId}`);
      expect([defect, answer.status]).toEqual([defect, 200]);
      expect(await answer.text()).toContain(`minted: ${defect}`);
    }
  });

  it.each([
    ['short', { lifetime: 10 }],
    ['expired', { defect: 'expired' }],
    ['admin', { roles: ['admin'] }],
    ['audience', { defect: 'wrong_audience' }],
  ])('mints with the preset %s for the user who is chosen', async (preset, expected) => {
    await start();
    expect((await send({ client: 'frontend', user: 'bob', type: 'access', preset })).status).toBe(303);
    const [issued] = sandbox.events.latestIssued(1);
    const { roles } = JSON.parse(Buffer.from(issued?.token.split('.')[1] ?? '', 'base64url').toString());
    const lifetime = (issued?.exp ?? 0) - (issued?.iat ?? 0);
    expect(issued).toMatchObject({ sub: 'bob', client_id: 'frontend' });
    expect({ ...issued, lifetime, roles }).toMatchObject(expected);
  });

  it('proposes a user, so that nobody mints for the client by mistake', async () => {
    await start();
    expect(await page('/tokens')).toMatch(/name="user" [^>]*value="alice"/);
  });

  it('takes a lifetime in seconds', async () => {
    await start();
    await send({ client: 'sensor', lifetime: '-5' });
    const [issued] = sandbox.events.latestIssued(1);
    expect((issued?.exp ?? 0) - sandbox.clock()).toBeLessThanOrEqual(-5);
  });

  it('comes back with what was typed, and what is wrong with it', async () => {
    await start();
    const answer = await send({
      client: 'frontend',
      user: 'ali"cia',
      type: 'id',
      lifetime: 'long',
      defect: 'tampered',
    });
    expect(answer.status).toBe(400);
    const html = await answer.text();
    expect(html).toContain('<details class="menu mint" open>');
    expect(html).toContain(
      'lifetime: expected whole seconds, at most ten years in either direction, such as 90, 90s, 5m, 8h or 1d.',
    );
    expect(html).toContain('value="ali&#34;cia"');
    expect(html).toContain('<option value="tampered" selected>');
    expect(sandbox.events.count('token.issued')).toBe(0);
  });

  it('names the client that may have been meant', async () => {
    await start();
    expect(await (await send({ client: 'fronted' })).text()).toContain('did you mean frontend?');
  });

  it('is not there where nothing may be changed', async () => {
    await start({ dashboard: 'readonly' });
    expect(await page('/tokens')).not.toContain('data-testid="mint"');
    expect((await send({ client: 'frontend' })).status).toBe(403);
    expect(sandbox.events.count('token.issued')).toBe(0);
  });
});
