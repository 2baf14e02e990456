import { afterEach, describe, expect, it } from 'vitest';
import type { ExaminationRun } from '../../../src/extensions/examine/runs/run.ts';
import { connectSandbox, createSandbox, type Sandbox, type SandboxConfig } from '../../../src/index.ts';
import { observes } from '../../observed.ts';
import { careful, createCarefulClient } from './careful-client.ts';
import { openLogoutApp } from './careful-logout.ts';
import { served } from './served.ts';

// An examination as a run of a sandbox that is used over its control API.

const started: Sandbox[] = [];
afterEach(async () => {
  await Promise.all(started.splice(0).map(sandbox => sandbox.stop()));
});

async function running(config: SandboxConfig = {}) {
  const sandbox = await createSandbox({ clients: [careful], ...config });
  started.push(sandbox);
  async function call(method: string, path: string, body?: object) {
    const sent = { method, headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) };
    const response = await fetch(`${sandbox.url}/_sandbox/examinations${path}`, sent);
    return { status: response.status, body: await response.json() };
  }
  const run = async (method: string, path: string, body?: object) =>
    (await call(method, path, body)).body as ExaminationRun;
  /** The run, when it waits for a sign-in or is over. */
  async function settled(id: string): Promise<ExaminationRun> {
    let now = await run('GET', `/${id}`);
    while (now.state === 'running' && now.waiting.length === 0)
      now = await run('GET', `/${id}/wait?after=${now.version}&timeout=20`);
    return now;
  }
  const listed = async (path: string) => (await fetch(`${sandbox.url}/_sandbox/${path}`)).json();
  return { sandbox, call, run, settled, listed };
}

const few = ['nonce-invalid', 'valid-aud-as-array'];

describe('an examination over the control API', () => {
  it('waits for somebody who signs in with the issuer that it names, and judges what they say', async () => {
    observes('operation startExamination', 'operation getExamination', 'operation waitForExamination');
    observes('operation answerExamination', 'operation listExaminations');
    const { run, call, settled, listed } = await running();
    const begun = await run('POST', '', { driver: 'asked', modules: few, user: 'alice' });
    expect(begun).toMatchObject({ state: 'running', plan: 'relying-party', of: 3, modules: [] });
    const believing = createCarefulClient('nonce-invalid');
    const issuers = new Set<string>();
    let now = await settled(begun.id);
    for (; now.state === 'running'; now = await settled(begun.id)) {
      const [{ issuer, id } = { issuer: '', id: '' }] = now.waiting;
      issuers.add(issuer);
      const believed = await believing({ issuer }).catch(() => false);
      expect((await call('POST', `/${begun.id}/answer`, { believed, said: 'by hand' })).status).toBe(200);
      expect((await call('POST', `/${begun.id}/answer`, { signIn: id, believed })).status).toBe(404);
    }
    expect(now).toMatchObject({ state: 'done', waiting: [], result: { verdict: 'fail', issuers: 'own' } });
    expect(now.modules.map(({ id, verdict, said }) => [id, verdict, said])).toEqual([
      ['test', 'pass', 'by hand'],
      ['nonce-invalid', 'fail', 'by hand'],
      ['valid-aud-as-array', 'pass', 'by hand'],
    ]);
    expect(issuers.size).toBe(3);
    expect((await listed('issuers')).issuers).toEqual([]);
    expect((await listed('examinations')).examinations).toEqual([now]);
  });

  it('leaves no issuer and no fault behind when it is stopped', async () => {
    observes('operation stopExamination');
    const { run, call, settled, listed } = await running();
    const begun = await run('POST', '', { driver: 'asked', modules: few, issuers: 'first', user: 'alice' });
    const { waiting } = await settled(begun.id);
    const issuer = waiting[0]?.issuer ?? '';
    await createCarefulClient()({ issuer });
    await call('POST', `/${begun.id}/answer`, { believed: true });
    expect((await settled(begun.id)).waiting).toMatchObject([{ module: 'nonce-invalid', issuer }]);
    expect((await listed('faults')).faults).toHaveLength(1);
    expect(await run('DELETE', `/${begun.id}`)).toMatchObject({
      ...{ state: 'stopped', waiting: [], error: { message: 'Somebody stopped it.' } },
      modules: [{ id: 'test', verdict: 'pass' }],
    });
    expect((await listed('faults')).faults).toEqual([]);
    expect((await listed('issuers')).issuers).toEqual([]);
  });

  it('takes turns with another one at the first issuer, and can be stopped while it waits', async () => {
    const { run, settled } = await running();
    const atFirst = { driver: 'asked', modules: few, issuers: 'first', user: 'alice' };
    const one = await run('POST', '', atFirst);
    expect((await settled(one.id)).waiting).toMatchObject([{ module: 'test' }]);
    const other = await run('POST', '', atFirst);
    expect(await run('GET', `/${other.id}/wait?after=${other.version}&timeout=0`)).toMatchObject({ waiting: [] });
    expect(await run('DELETE', `/${other.id}`)).toMatchObject({ state: 'stopped', modules: [] });
    const third = await run('POST', '', atFirst);
    await run('DELETE', `/${one.id}`);
    expect((await settled(third.id)).waiting).toMatchObject([{ module: 'test' }]);
  });

  it('ends by itself when nobody looks at it and answers', async () => {
    const { run, sandbox } = await running();
    const begun = await run('POST', '', { driver: 'asked', seconds: 1 });
    await sandbox.events.waitFor('issuer.ended');
    const { state, error } = await run('GET', `/${begun.id}`);
    expect([state, error?.message]).toEqual(['stopped', 'Nobody answered in time.']);
  });

  it('walks through an app by itself', async () => {
    const app = await served({ '/login': async () => 'Nobody is here' });
    const { run, settled } = await running();
    const begun = await run('POST', '', { driver: { walk: { url: `${app}/login`, signedIn: 'Sign out' } } });
    const { state, error } = await settled(begun.id);
    expect([state, error?.name]).toEqual(['failed', 'BaselineFailed']);
    expect(error?.message).toContain('It sent no request to the issuer that it was told');
  });

  it('walks to no address that OUTBOUND does not allow', async () => {
    const { run, settled } = await running();
    const begun = await run('POST', '', { driver: { walk: { url: 'http://169.254.169.254/', signedIn: 'x' } } });
    expect((await settled(begun.id)).error?.message).toContain('169.254.169.254 is not called');
  });

  it.each([
    [{ driver: { command: 'touch /tmp/x' } }, 'driver'],
    [{ driver: { walk: { url: 'file:///etc/passwd', signedIn: 'root' } } }, 'driver.walk.url'],
    [{ driver: 'asked', plan: 'relying-part' }, 'plan'],
    [{ driver: 'asked', modules: ['nonce-invalit'] }, 'modules'],
    [{ driver: 'asked', seconds: 0 }, 'seconds'],
  ])('refuses %j', async (body, member) => {
    const { call } = await running();
    const refused = await call('POST', '', body);
    expect([refused.status, refused.body.errors[0].member]).toEqual([400, member]);
  });

  it('runs three at a time at the most, and none where requests are not recorded', async () => {
    const { call } = await running();
    const statuses = [];
    for (let count = 0; count < 4; count++) statuses.push((await call('POST', '', { driver: 'asked' })).status);
    expect(statuses).toEqual([201, 201, 201, 503]);
    const blind = await running({ recording: false });
    expect(await blind.call('POST', '', { driver: 'asked' })).toMatchObject({
      status: 400,
      body: { errors: [{ sent: 'RECORDING=off' }] },
    });
  });
});

describe('connectSandbox(…).examine', () => {
  it('gives the same as in this process', async () => {
    const { sandbox, listed } = await running();
    const plan = { plan: 'relying-party', modules: [...few, 'invalid-iss'], user: 'alice' };
    const told: [string, number, number][] = [];
    const connected = await connectSandbox(sandbox.url);
    const there = await connected.examine({
      ...plan,
      login: createCarefulClient('invalid-iss'),
      onResult: ({ id }, { done, of }) => told.push([id, done, of]),
    });
    const here = await sandbox.examine({ ...plan, login: createCarefulClient('invalid-iss') });
    const alike = ({ createdAt: _, modules, ...result }: typeof here) => ({
      ...result,
      modules: modules.map(({ seconds: _s, requests, ...each }) => ({
        ...each,
        requests: requests.map(({ requestId: _r, path, ...request }) => ({
          ...request,
          path: path.replace(/^\/i\/[^/]+/, ''),
        })),
      })),
    });
    expect(alike(there)).toEqual(alike(here));
    expect(there.verdict).toBe('fail');
    expect(told.map(([, done, of]) => [done, of])).toEqual([
      [1, 4],
      [2, 4],
      [3, 4],
      [4, 4],
    ]);
    expect(told[0]?.[0]).toBe('test');
    expect((await listed('issuers')).issuers).toEqual([]);
  });

  it('signs out and looks again here, for the plan logout', async () => {
    const app = await openLogoutApp();
    const { sandbox } = await running({ clients: [app.entry] });
    const there = await connectSandbox(sandbox.url);
    const { modules } = await there.examine({ plan: 'logout', user: 'alice', ...app.create() });
    await app.close();
    expect(modules.length).toBeGreaterThan(5);
    expect(modules.filter(({ verdict }) => verdict !== 'pass')).toEqual([]);
  });

  it('calls an API from here, with tokens of the sandbox', async () => {
    const { sandbox } = await running();
    let calls = 0;
    const url = await served({ '/bikes': async () => `${++calls} bikes` });
    const api = { url: `${url}/bikes` };
    const { modules } = await (await connectSandbox(sandbox.url)).examine({ api, modules: ['expired'] });
    expect([calls, modules.map(({ id, verdict }) => [id, verdict])]).toEqual([
      2,
      [
        ['good', 'pass'],
        ['expired', 'fail'],
      ],
    ]);
  });

  it('throws what sandbox.examine throws', async () => {
    const { sandbox } = await running();
    const there = await connectSandbox(sandbox.url);
    const login = async () => false;
    const outcomes = async (options: object) =>
      Promise.all([sandbox, there].map(each => each.examine({ login, ...options }).catch(({ name }: Error) => name)));
    expect(await outcomes({})).toEqual(['BaselineFailed', 'BaselineFailed']);
    expect(await outcomes({ plan: 'relying-part' })).toEqual(['TypeError', 'TypeError']);
    expect(await outcomes({ user: 'nobody' })).toEqual(['TypeError', 'TypeError']);
  });

  it('tells the login that its time is up, and stops the run when its own signal aborts', async () => {
    const { sandbox, listed } = await running();
    const there = await connectSandbox(sandbox.url);
    const over = new AbortController();
    const login = async () => {
      over.abort(new Error('enough'));
      return true;
    };
    const stopped = there.examine({ login, signal: over.signal });
    await expect(stopped).rejects.toThrow('enough');
    const late = there.examine({
      seconds: 1,
      login: ({ signal }) => new Promise(resolve => signal.addEventListener('abort', () => resolve(false))),
    });
    await expect(late).rejects.toThrow('cannot sign in where nothing is wrong');
    expect((await listed('issuers')).issuers).toEqual([]);
  });

  it('keeps no listener for each module of a long plan', async () => {
    const { sandbox } = await running();
    const there = await connectSandbox(sandbox.url);
    const warnings: Error[] = [];
    const keep = (warning: Error) => warnings.push(warning);
    process.on('warning', keep);
    const signIn = createCarefulClient();
    const login = () => signIn(sandbox); // it knows the first issuer alone
    const { issuers, modules } = await there.examine({ login, plan: 'oauth-bcp', user: 'alice' });
    process.off('warning', keep);
    expect(issuers).toBe('first');
    expect(modules.length).toBeGreaterThan(11); // the eleventh would warn
    expect(warnings.filter(({ name }) => name === 'MaxListenersExceededWarning')).toEqual([]);
  });
});
