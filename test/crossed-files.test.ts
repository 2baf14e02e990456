import { Session } from 'node:inspector/promises';
import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { createSandbox, type Sandbox } from '../src/index.ts';
import { authorizationUrl } from './support/authorization-url.ts';

// Who reads how an answer comes about opens these files; coverage by V8 counts the functions that ran, and no time.

const profiler = new Session();
let sandbox: Sandbox;

beforeAll(async () => {
  profiler.connect();
  await profiler.post('Profiler.enable');
  await profiler.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
});
afterAll(() => profiler.disconnect());
beforeEach(async () => {
  sandbox = await createSandbox();
  onTestFinished(() => sandbox.stop());
});

/** The files of which a function with a name runs meanwhile: the one around a file, and those that read an export, have none. */
async function crossedBy(ask: () => Promise<void>): Promise<readonly string[]> {
  await profiler.post('Profiler.takePreciseCoverage');
  await ask();
  const { result } = await profiler.post('Profiler.takePreciseCoverage');
  return result
    .filter(({ functions }) => functions.some(({ functionName, ranges: [all] }) => functionName !== '' && all?.count))
    .flatMap(({ url }) => /\/src\/(.+\.ts)$/.exec(url)?.[1] ?? [])
    .sort();
}

/** The files that each of three requests crosses: a timer or a connection that ends may run during one of them. */
async function crossedByEach(ask: () => Promise<void>): Promise<readonly string[]> {
  await ask(); // loads what a first request loads
  await ask(); // by a connection that stays
  await sandbox.events.waitFor('request.completed', () => true);
  const [first, second, third] = [await crossedBy(ask), await crossedBy(ask), await crossedBy(ask)];
  return first.filter(file => second.includes(file) && third.includes(file));
}

async function open(address: string, title: string): Promise<void> {
  const answer = await fetch(address, { headers: { accept: 'text/html' } });
  expect(await answer.text()).toContain(title);
}

it('a client-credentials token request crosses at most 32 files', async () => {
  const crossed = await crossedByEach(async () => {
    const answer = await fetch(`${sandbox.issuer}/oauth2/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa('sensor:sensor-secret')}` },
      body: new URLSearchParams({ grant_type: 'client_credentials', scope: 'telemetry:write' }),
    });
    expect(await answer.json()).toMatchObject({ token_type: 'Bearer' });
  });
  expect(crossed).toContain('protocol/endpoints/token.ts');
  expect(crossed.length, crossed.join('\n')).toBeLessThanOrEqual(32);
});

it('the page Settings crosses at most 45 files, and looks for no problems', async () => {
  await open(authorizationUrl(sandbox, 'http://localhost:5173/callback'), 'Alice Archer');
  const crossed = await crossedByEach(() => open(`${sandbox.url}/dashboard/settings`, 'Settings'));
  expect(crossed).toContain('dashboard/shell.ts');
  expect(crossed.filter(file => /detectors|correlation/.test(file))).toEqual([]);
  expect(crossed.length, crossed.join('\n')).toBeLessThanOrEqual(45);
});

it('the first login page crosses at most 92 files', async () => {
  vi.resetModules(); // no file has loaded anything before
  const first = await (await import('../src/index.ts')).createSandbox();
  onTestFinished(() => first.stop());
  const crossed = await crossedBy(() =>
    open(authorizationUrl(first, 'http://localhost:5173/callback'), 'Alice Archer'),
  );
  expect(crossed).toContain('server/http/signin/user-cards.ts');
  expect(crossed.length, crossed.join('\n')).toBeLessThanOrEqual(92);
});
