import { afterEach, describe, expect, it } from 'vitest';
import { decodeJwt } from '../../../src/base/text/jwt.ts';
import { createSandbox, type Sandbox } from '../../../src/index.ts';
import type { SandboxConfig } from '../../../src/sandbox/config/sandbox-config.ts';

let sandbox: Sandbox;
afterEach(() => sandbox.stop());

async function start(config: SandboxConfig = {}): Promise<void> {
  sandbox = await createSandbox(config);
}
const sign = (claims: object | string, header: object = { typ: 'at+jwt' }) =>
  fetch(`${sandbox.url}/dashboard/decode/sign`, {
    method: 'POST',
    headers: { Origin: sandbox.url },
    body: new URLSearchParams({
      claims: typeof claims === 'string' ? claims : JSON.stringify(claims),
      header: JSON.stringify(header),
    }),
  });
const claimsOf = (token: string) => decodeJwt(token)?.claims ?? {};
const newest = () => sandbox.events.latestIssued(1)[0];

describe('edited claims', () => {
  it('are signed as they are, with a new jti, and the token is marked as minted', async () => {
    await start();
    const { token } = await sandbox.issueToken({ client: 'frontend', user: 'alice' });
    const { jti, acr: _, amr: __, ...rest } = claimsOf(token);
    const edited = { ...rest, roles: ['owner'], tenant: { id: 7 } };
    const html = await (await sign({ ...edited, jti })).text();
    const issued = newest();
    const { jti: fresh, ...signed } = claimsOf(issued?.token ?? '');
    expect(signed).toEqual(edited);
    expect(fresh).not.toBe(jti);
    expect(issued).toMatchObject({ minted: true, tokenType: 'access', client_id: 'frontend', sub: 'alice' });
    expect(html).toContain('signature RS256, verified with key');
  });

  it('of an ID token make an ID token', async () => {
    await start();
    const now = Math.floor(sandbox.clock());
    const claims = { iss: sandbox.issuer, sub: 'alice', aud: 'frontend', nonce: 'n', iat: now, exp: now + 60 };
    await sign(claims, { typ: 'JWT' });
    expect(newest()).toMatchObject({ tokenType: 'id', exp: now + 60 });
    const { jti: _, ...signed } = claimsOf(newest()?.token ?? '');
    expect(signed).toEqual(claims);
  });

  it('come back with the problem where they are not JSON', async () => {
    await start();
    const answer = await sign('{"sub": alice}');
    expect(answer.status).toBe(400);
    const html = await answer.text();
    expect(html).toContain('The claims must be a JSON object');
    expect(html).toContain('{&#34;sub&#34;: alice}</textarea>');
    expect(sandbox.events.count('token.issued')).toBe(0);
  });

  it('cannot be signed where the dashboard only shows', async () => {
    await start({ dashboard: 'readonly' });
    expect((await sign({ sub: 'alice' })).status).toBe(403);
    const body = new URLSearchParams({ token: '{"sub":"alice"}' });
    const html = await (await fetch(`${sandbox.url}/dashboard/decode`, { method: 'POST', body })).text();
    expect(html).not.toContain('data-testid="decode-edit"');
  });
});
