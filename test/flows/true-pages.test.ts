import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Sandbox } from '../../src/index.ts';
import { everything } from '../conformance/everything.ts';
import { createSandbox } from '../support/bundle.ts';
import * as script from '../support/flow-scripts.ts';
import { get, redeem, verifier } from '../support/wire.ts';

let sandbox: Sandbox;

beforeEach(async () => {
  sandbox = await createSandbox(everything);
});
afterEach(() => sandbox.stop());

const html = { accept: 'text/html' };
const pageAt = async (path: string) => (await get(sandbox.url + path, html)).text();
const rows = (page: string, name: string) => page.split(`data-testid="${name}"`).length - 1;

describe.each(['entra', 'keycloak'] as const)('with PRESET=%s', preset => {
  it.each(['/dashboard', '/dashboard/tokens?q=alice', '/lessons', '/playground'])(
    '%s is that of the issuer',
    async path => {
      await using provider = await createSandbox({ preset: { name: preset } });
      const base = new URL(provider.issuer).pathname.replace(/\/$/, '');
      const answer = await get(provider.url + path, html);
      expect([answer.status, answer.headers.get('location')]).toEqual([302, base + path]);
      expect((await get(provider.url + base + path, html)).status).toBe(200);
    },
  );
});

describe('the address of nothing', () => {
  it('is no problem of an application if a person typed it', async () => {
    expect((await get(`${sandbox.url}/nothing-here`, html)).status).toBe(404);
    expect(rows(await pageAt('/dashboard/problems'), 'problem-row')).toBe(0);
    expect(await pageAt('/dashboard')).not.toContain('/nothing-here');
  });

  it('is one if a program asked, or a browser for a client', async () => {
    await get(`${sandbox.url}/nothing-here`);
    await get(`${sandbox.url}/nor-here?client_id=frontend`, html);
    expect(rows(await pageAt('/dashboard/problems'), 'problem-row')).toBe(2);
  });
});

describe('a flow', () => {
  it('says first that a step was refused, and then what it is for', async () => {
    const { code } = await script.walkToCode(sandbox.url);
    await redeem(sandbox.url, code, { code_verifier: `${verifier}x` });
    const location = (await get(`${sandbox.url}/dashboard/flows/latest`)).headers.get('location') ?? '';
    const step = (await pageAt(location))
      .split('data-testid="flow-step-')
      .find(each => each.includes('What this step does'));
    expect(step?.indexOf('<strong>Refused:</strong>')).toBeGreaterThan(0);
    expect(step?.indexOf('What this step does')).toBeGreaterThan(step?.indexOf('flow-refusal-') ?? 0);
    expect(step).not.toContain('Why:');
  });

  it('that met a fault is yellow, and no mistake of the application', async () => {
    await sandbox.faults.arm({ fault: 'unavailable', endpoint: 'token' });
    const { code } = await script.walkToCode(sandbox.url);
    expect((await redeem(sandbox.url, code)).status).toBe(503);
    expect(await pageAt('/dashboard/flows')).toContain('>Fault: 503<');
    const location = (await get(`${sandbox.url}/dashboard/flows/latest`)).headers.get('location') ?? '';
    expect(await pageAt(location)).toMatch(/<li class="[^"]*faulted"/);
    expect(await pageAt(location)).not.toMatch(/<li class="[^"]*refused"/);
    expect(await pageAt('/dashboard')).not.toContain('badge status err');
    expect(await pageAt('/dashboard/requests')).not.toContain('say refused');
  });

  it('that waits for a user has no problem', async () => {
    const device = await script.startDevice(sandbox.url);
    await script.pollDevice(sandbox.url, device.device_code);
    const page = await pageAt('/dashboard/requests');
    expect(page).toMatch(
      /<span class="st ">400<[\s\S]*<td [^>]*class="say normal"[^>]*>Pending: waits for someone to enter /,
    );
    expect(page).not.toContain('say refused');
    expect(await pageAt('/dashboard')).not.toContain('authorization_pending');
  });

  it('that logs out nobody says so', async () => {
    await get(`${sandbox.url}/connect/logout`, html);
    const page = await pageAt('/dashboard/flows');
    expect(page).toContain('>Nobody was signed in<');
    expect(page).not.toContain('badge status ok');
  });
});

it('the user of a minted token did not log in', async () => {
  const { tokenId } = await sandbox.issueToken({ client: 'frontend', user: 'alice', scope: 'openid' });
  const page = await pageAt(`/dashboard/tokens/${tokenId}`);
  expect(page).toContain('User alice, named when the token was minted');
  expect(page).not.toContain('who signed in');
});

it('new rows of a list are counted, also those that no longer fit into it', async () => {
  const { lastId } = sandbox.events;
  for (let n = 0; n < 100; n++) await script.clientCredentials(sandbox.url);
  const answer = await get(`${sandbox.url}/dashboard/api/v1/requests/rows?after=${lastId}`);
  expect([answer.headers.get('grantbox-more'), answer.headers.get('grantbox-count')]).toEqual(['true', '100']);
  const some = await get(`${sandbox.url}/dashboard/api/v1/requests/rows?after=${lastId}&q=status:400`);
  expect(some.headers.get('grantbox-count')).toBe('0');
  // a page that missed events asks for all rows, and for the number of those since its newest one
  const all = await get(`${sandbox.url}/dashboard/api/v1/requests/rows?after=&since=${lastId}`);
  expect(all.headers.get('grantbox-count')).toBe('100');
});
