import { describe, expect, it } from 'vitest';
import { createSandbox, type Sandbox } from '../../src/index.ts';
import { describe as inWords } from '../../src/record/words/event-words.ts';
import type { SandboxConfig } from '../../src/sandbox/config/sandbox-config.ts';
import { get, post } from '../support/wire.ts';
import { createLog } from './running-dashboard.ts';

const issuer = 'http://localhost:9000/i/one';
const start = (config: SandboxConfig = {}) => createSandbox(config);
const settings = async ({ url }: Sandbox, at = '') => (await get(`${url}${at}/dashboard/settings`)).text();
const end = ({ url }: Sandbox, id: string) => post(`${url}/dashboard/settings/issuers`, { end: id }, { origin: url });

describe('the list of issuers made at run time', () => {
  it('says how one is made, where there is none', async () => {
    await using sandbox = await start();
    expect(await settings(sandbox)).toMatch(/settings-issuers-none".*POST \/_sandbox\/issuers/);
  });

  it('leads to the dashboard of each, the youngest first, and says how old it is', async () => {
    await using sandbox = await start();
    await sandbox.createIssuer({}, { id: 'elder' });
    await sandbox.createIssuer({}, { id: 'younger', lifetime: 7200 });
    const html = await settings(sandbox);
    const hrefs = [...html.matchAll(/href="([^"]+)" data-testid="settings-issuer-link"/g)].map(([, href]) => href);
    expect(hrefs).toEqual(['/i/younger/dashboard', '/i/elder/dashboard']);
    expect(html).toMatch(/\/i\/younger<\/a>.*created <time[^>]*>(just now|\d s ago)<.*ends <time[^>]*>in (1 h 59|2 h)/);
    expect((await get(`${sandbox.url}/i/younger/dashboard`)).status).toBe(200);
  });

  it('has no link to a dashboard that is off', async () => {
    await using sandbox = await start();
    await sandbox.createIssuer({ dashboard: 'off' }, { id: 'blind' });
    const html = await settings(sandbox);
    expect(html).toMatch(/settings-issuer"><span><span class="mono">http:\/\/localhost:\d+\/i\/blind</);
    expect(html).not.toContain('settings-issuer-link');
  });

  it('ends one by its button', async () => {
    await using sandbox = await start();
    const made = await sandbox.createIssuer({}, { id: 'over' });
    const answered = await end(sandbox, 'over');
    expect(answered.status).toBe(303);
    expect(await (await get(sandbox.url + answered.headers.get('location'))).text()).toContain(
      'Issuer over has ended.',
    );
    expect((await get(`${made.issuer}/health`)).status).toBe(410);
    expect(sandbox.events.latest('issuer.ended', 1)).toMatchObject([{ issuer: made.issuer, by: 'dashboard' }]);
    const again = await end(sandbox, 'over');
    expect(await (await get(sandbox.url + again.headers.get('location'))).text()).toContain('had already ended');
  });

  it('has no button where the dashboard only shows, and takes no form', async () => {
    await using sandbox = await start({ dashboard: 'readonly' });
    const made = await sandbox.createIssuer({}, { id: 'shown' });
    const html = await settings(sandbox);
    expect(html).toContain('settings-issuer-link');
    expect(html).not.toContain('settings-issuer-end');
    expect((await end(sandbox, 'shown')).status).toBe(403);
    expect((await get(`${made.issuer}/health`)).status).toBe(200);
  });

  it('is no page of an issuer that makes none', async () => {
    await using sandbox = await start({ issuers: { blue: {} } });
    expect(await settings(sandbox, '/blue')).not.toContain('run time');
  });

  it('shows fifty, and says how many more there are', async () => {
    await using sandbox = await start();
    await Promise.all(Array.from({ length: 52 }, () => sandbox.createIssuer()));
    const html = await settings(sandbox);
    expect(html.match(/data-testid="settings-issuer"/g)).toHaveLength(50);
    expect(html).toContain('2 older ones are not shown');
  });
});

it.each([
  [
    { type: 'issuer.created', issuer, expiresAt: 1_900_000_000, by: 'api' } as const,
    'An issuer was created',
    { issuer, 'expires at': '2030-03-17T17:46:40.000Z', by: 'the api' },
  ],
  [{ type: 'issuer.ended', issuer, by: 'dashboard' } as const, 'An issuer was ended', { issuer, by: 'the dashboard' }],
  [{ type: 'issuer.ended', issuer, by: 'lifetime' } as const, 'An issuer expired', { issuer }],
])('in words: %j', (fact, title, facts) => {
  expect(inWords(createLog().append(fact, 'sandbox'))).toEqual({ title, facts: Object.entries(facts) });
});
