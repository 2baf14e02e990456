import { afterAll, describe, expect, it } from 'vitest';
import { connectSandbox, createSandbox } from '../../../src/index.ts';
import { get, post } from '../../support/wire.ts';

const sandbox = await createSandbox({
  signingAlg: 'ES256',
  clients: [
    {
      client_id: 'machine',
      grant_types: ['client_credentials'],
      client_secret: 'machine-secret',
      access_token_lifetime: '8h',
      id_token_lifetime: '5m',
    },
  ],
});
afterAll(() => sandbox.stop());
const connected = await connectSandbox(sandbox.url);

async function control(method: string, path: string, body: object): Promise<{ status: number; json: object }> {
  const headers = { 'Content-Type': 'application/json' };
  const response = await fetch(`${sandbox.url}/_sandbox${path}`, { method, headers, body: JSON.stringify(body) });
  return { status: response.status, json: (await response.json()) as object };
}

async function offsetAfter(move: () => unknown): Promise<number> {
  sandbox.clock.reset();
  await move();
  return sandbox.clock.state().offset;
}

async function grant(headers: Record<string, string> = {}): Promise<Response> {
  const authorization = `Basic ${btoa('machine:machine-secret')}`;
  return post(`${sandbox.url}/oauth2/token`, { grant_type: 'client_credentials' }, { authorization, ...headers });
}

describe('a duration as settings take it', () => {
  it.each([
    ['the library', () => sandbox.clock.advance('5m')],
    ['a connected sandbox', () => connected.clock.advance('5m')],
    ['the control API', () => control('POST', '/clock', { advance: '5m' })],
    [
      'the page Clock',
      () => post(`${sandbox.url}/dashboard/clock`, { action: 'set', to: '5m' }, { origin: sandbox.url }),
    ],
  ])('moves the clock from %s', async (_, move) => {
    expect(await offsetAfter(move)).toBe(300);
  });

  it('moves the clock back, and to before the next expiry', async () => {
    expect(await offsetAfter(() => sandbox.clock.advance('-90s'))).toBe(-90);
    sandbox.clock.reset();
    sandbox.clock.freeze();
    await grant();
    const [next] = await sandbox.clock.next(1);
    await sandbox.clock.toBeforeNextExpiry({ seconds: '1m' });
    expect((next?.exp ?? 0) - sandbox.clock()).toBe(60);
    await control('POST', '/clock', { beforeNextExpiry: '30s' });
    expect((next?.exp ?? 0) - sandbox.clock()).toBe(30);
    sandbox.clock.reset();
  });

  it('is refused with what was said where it is none', async () => {
    expect(() => sandbox.clock.advance('soon')).toThrow(
      'clock.advance: expected seconds, or 90s, 5m, 8h, 1d, found the text "soon"',
    );
    await expect(sandbox.clock.toBeforeNextExpiry({ seconds: 'soon' })).rejects.toThrow(
      'clock.toBeforeNextExpiry: expected seconds, or 90s, 5m, 8h, 1d, found soon',
    );
    const { status, json } = await control('POST', '/clock', { advance: 'soon' });
    expect([status, json]).toMatchObject([400, { sent: '"soon"', expected: 'seconds, or 90s, 5m, 8h, 1d' }]);
  });

  it.each([
    ['the library', () => sandbox.faults.arm({ fault: 'unavailable', seconds: '1m', for: '5m' })],
    ['a connected sandbox', () => connected.faults.arm({ fault: 'unavailable', seconds: '1m', for: '5m' })],
    ['the control API', () => control('POST', '/faults', { fault: 'unavailable', seconds: '1m', for: '5m' })],
    [
      'the page Faults',
      () => {
        const form = { fault: 'unavailable', seconds: '1m', for: '5m' };
        return post(`${sandbox.url}/dashboard/faults`, form, { origin: sandbox.url });
      },
    ],
  ])('is how long a fault lasts, from %s', async (_, arm) => {
    await arm();
    const [armed] = await sandbox.faults.list();
    expect(armed).toMatchObject({ seconds: 60, for: 300 });
    expect((armed?.until ?? 0) - (armed?.armedAt ?? 0)).toBe(300);
    expect((await grant()).headers.get('Retry-After')).toBe('60');
    await sandbox.faults.clear();
  });

  it('is what the header Sandbox-Fault takes', async () => {
    const refused = await grant({ 'Sandbox-Fault': 'unavailable;seconds=1m' });
    expect([refused.status, refused.headers.get('Retry-After')]).toEqual([503, '60']);
    const wrong = await grant({ 'Sandbox-Fault': 'unavailable;seconds=2m' });
    expect(await wrong.json()).toMatchObject({
      error_description: expect.stringContaining(
        'seconds: found 2m, expected seconds, or 90s, 5m, 8h, 1d, 60 s at most',
      ),
    });
  });

  it('is the lifetime of tokens and issuers', async () => {
    expect(await (await grant()).json()).toMatchObject({ expires_in: 28_800 });
    expect(await sandbox.issueToken({ client: 'machine', lifetime: '5m' })).toMatchObject({ expires_in: 300 });
    await control('PATCH', '/clients/machine', { access_token_lifetime: '1m' });
    expect(await (await grant()).json()).toMatchObject({ expires_in: 60 });
    const { json } = await control('POST', '/issuers', { lifetime: '2h' });
    const { createdAt, expiresAt } = json as { createdAt: number; expiresAt: number };
    expect(expiresAt - createdAt).toBe(7200);
  });

  it('is how long somebody waits for an event', async () => {
    const waited = await get(`${sandbox.url}/_sandbox/events/wait?type=key.rotated&after=999999&timeout=0s`);
    expect(waited.status).toBe(204);
    const refused = await get(`${sandbox.url}/_sandbox/events/wait?timeout=2m`);
    expect(await refused.json()).toMatchObject({ expected: 'seconds, or 90s, 5m, 8h, 1d, from 0 s to 60 s' });
  });
});
