import { afterEach, describe, expect, it } from 'vitest';
import { createSandbox, type Sandbox } from '../../../../src/index.ts';
import type { SandboxConfig } from '../../../../src/sandbox/config/sandbox-config.ts';
import { observes } from '../../../observed.ts';
import { operations } from '../../../support/tables.ts';

let sandbox: Sandbox;
afterEach(() => sandbox.stop());

async function start(config: SandboxConfig = {}): Promise<void> {
  sandbox = await createSandbox(config);
}
const call = (path: string, init: RequestInit = {}) => fetch(`${sandbox.url}/_sandbox${path}`, init);
const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  call(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });

describe('the guard of the control API', () => {
  it('answers an unknown path with the nearest', async () => {
    await start();
    const response = await call('/nextlogin');
    expect(response.status).toBe(404);
    expect(response.headers.get('content-type')).toBe('application/problem+json');
    expect(await response.json()).toMatchObject({
      ...{
        status: 404,
        reason: 'path_unknown',
        sent: '/_sandbox/nextlogin',
        expected: '/_sandbox/next-login',
      },
    });
  });

  it('answers another method with what is allowed', async () => {
    await start();
    const response = await call('/next-login', { method: 'DELETE' });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST']);
  });

  it('refuses a page of another site, and shares nothing with it', async () => {
    await start();
    const response = await post('/next-login', { sub: 'alice' }, { origin: 'https://evil.example' });
    expect(response.status).toBe(403);
    expect([...response.headers.keys()].filter(name => name.startsWith('access-control-'))).toEqual([]);
    expect((await post('/next-login', { sub: 'alice' }, { origin: sandbox.url })).status).toBe(201);
  });

  it('asks for CONTROL_TOKEN at every issuer, and where the dashboard only shows', async () => {
    await start({ controlToken: 'open-sesame', dashboard: 'readonly', issuers: { tenant: {} } });
    const users = async (at: string, headers: Record<string, string> = {}) =>
      (await fetch(`${sandbox.url}${at}/_sandbox/users`, { headers })).status;
    const authorization = 'Bearer open-sesame';
    expect([await users(''), await users('/tenant')]).toEqual([401, 401]);
    expect([await users('', { authorization }), await users('/tenant', { authorization })]).toEqual([200, 200]);
    expect((await post('/users', { sub: 'tess' }, { authorization })).status).toBe(201);
    const { issuer } = await sandbox.createIssuer();
    const at = new URL(issuer).pathname;
    expect([await users(at), await users(at, { authorization })]).toEqual([401, 200]);
  });

  it('asks for CONTROL_TOKEN before it looks at anything, at every path but that of its document', async () => {
    await start({ controlToken: 'open-sesame', issuers: { tenant: {} } });
    const { issuer } = await sandbox.createIssuer();
    const open: string[] = [];
    for (const { method, path, isOpen } of [...operations, { method: 'GET', path: '/nothing', isOpen: false }]) {
      if (isOpen) open.push(path);
      for (const at of ['', '/tenant', new URL(issuer).pathname]) {
        const url = `${sandbox.url}${at}/_sandbox${path.replaceAll(/\{\w+\}/g, 'x')}`;
        const { status } = await fetch(url, { method });
        expect([method, url, status]).toEqual([method, url, isOpen ? 200 : 401]);
      }
    }
    expect(open).toEqual(['/openapi.json']);
  });

  it('refuses what is no JSON, is compressed, or is too much', async () => {
    await start();
    const send = async (type: string, body: string, more: Record<string, string> = {}) =>
      (await call('/users', { method: 'POST', headers: { 'content-type': type, ...more }, body })).status;
    expect(await send('application/x-www-form-urlencoded', 'sub=tess')).toBe(415);
    expect(await send('text/plain', '{"sub":"tess"}')).toBe(415);
    expect(await send('application/json', '{"sub":"tess"}', { 'content-encoding': 'gzip' })).toBe(415);
    expect(await send('application/json', '{"sub":')).toBe(400);
    expect(await send('application/json', `{"sub":"${'x'.repeat(1_100_000)}"}`)).toBe(413);
    expect(await send('application/json', '{"sub":"tess","__proto__":{"isAdmin":true}}')).toBe(201);
  });

  it('says that a body is nested too deep, and not that it is no JSON', async () => {
    await start();
    const body = `{"sub":"tess","claims":{"deep":${'['.repeat(30)}${']'.repeat(30)}}}`;
    const headers = { 'content-type': 'application/json' };
    const response = await call('/users', { method: 'POST', headers, body });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      detail: 'the body is nested too deep',
      sent: 'more than 20 levels',
      expected: 'at most 20 levels of lists and objects',
    });
  });

  it('answers HEAD where it answers GET', async () => {
    await start();
    const response = await call('/users', { method: 'HEAD' });
    expect([response.status, await response.text()]).toEqual([200, '']);
  });

  it('asks for CONTROL_TOKEN where it is set, tells nobody what was sent, and keeps nothing of it', async () => {
    observes('setting controlToken');
    await start({ controlToken: 'open-sesame' });
    const without = await post('/next-login', { sub: 'alice' });
    expect([without.status, without.headers.get('www-authenticate')]).toEqual([401, 'Bearer realm="grantbox control"']);
    const wrong = await post('/next-login', { sub: 'alice' }, { authorization: 'Bearer open-barley' });
    expect(wrong.status).toBe(401);
    expect(await wrong.text()).not.toContain('barley');
    expect((await post('/next-login', { sub: 'alice' }, { authorization: 'Bearer open-sesame' })).status).toBe(201);
    await sandbox.events.waitFor('request.completed', ({ status }) => status === 201);
    const { events } = (await (
      await call('/events?exchange=true', { headers: { authorization: 'Bearer open-sesame' } })
    ).json()) as { events: unknown[] };
    expect(JSON.stringify(events)).toContain('/_sandbox/next-login');
    expect(JSON.stringify(events)).not.toMatch(/sesame|barley/);
  });
});
