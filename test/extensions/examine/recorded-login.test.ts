import { afterEach, describe, expect, it } from 'vitest';
import { recordedForms, replayOf, type SignInRecord } from '../../../src/extensions/examine/drive/recorded-login.ts';
import type { ExaminationRun } from '../../../src/extensions/examine/runs/run.ts';
import { requestsSince } from '../../../src/extensions/examine/stage.ts';
import { createSandbox, type Sandbox, type SandboxConfig } from '../../../src/index.ts';
import { careful } from './careful-client.ts';
import { servedWebApp } from './web-app.ts';

// An app without scripts, whose user signs in on the real pages of the sandbox.

const started: Sandbox[] = [];
afterEach(async () => {
  await Promise.all(started.splice(0).map(sandbox => sandbox.stop()));
});

async function opened(config: SandboxConfig = {}) {
  let issuer = '';
  const app = await servedWebApp(() => issuer, { scope: 'openid email' });
  const client = { ...careful, redirect_uris: [`${app}/callback`], require_consent: true };
  const sandbox = await createSandbox({ clients: [client], ...config });
  started.push(sandbox);
  issuer = sandbox.url;
  const examine = `${issuer}/dashboard/examine`;
  const send = (path: string, form: Readonly<Record<string, string>>, cookie = '') =>
    fetch(new URL(path, issuer), {
      ...{ method: 'POST', redirect: 'manual', headers: { origin: issuer, cookie } },
      body: new URLSearchParams(form),
    });
  /** Signs in as a person does: on the sign-in page, and on the consent page. Returns the forms that were sent. */
  async function signIn(login: Readonly<Record<string, string>>): Promise<void> {
    const begun = await fetch(`${app}/login`, { redirect: 'manual' });
    const authorize = new URL(begun.headers.get('location') ?? '');
    const signedIn = await send(`/login${authorize.search}`, login);
    const cookie = signedIn.headers.getSetCookie().map(each => each.replace(/;.*/, ''));
    const html = await (await fetch(authorize, { headers: { cookie: cookie.join('; ') } })).text();
    const [, sid = ''] = /name="sid" value="([^"]+)"/.exec(html) ?? [];
    const [scope = ''] = /scope:email/.exec(html) ?? [];
    const allowed = await send(
      `/consent${authorize.search}`,
      { sid, [scope]: 'on', decision: 'allow' },
      cookie.join('; '),
    );
    expect(allowed.status).toBe(303);
  }
  async function examined(record: object): Promise<ExaminationRun> {
    const body = {
      plan: 'oauth-bcp',
      driver: { recorded: record },
      modules: ['invalid-state', 'invalid-authorization-response-iss'],
    };
    const headers = { 'Content-Type': 'application/json' };
    const asked = await fetch(`${issuer}/_sandbox/examinations`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
    expect(asked.status).toBe(201);
    let run: ExaminationRun = await asked.json();
    while (run.state === 'running')
      run = await (
        await fetch(`${issuer}/_sandbox/examinations/${run.id}/wait?after=${run.version}&timeout=20`)
      ).json();
    return run;
  }
  const record = (forms: SignInRecord['forms']) => ({
    ...{ format: 'grantbox-sign-in', version: 1, url: `${app}/login`, signedIn: 'Sign out', forms },
  });
  return { sandbox, app, examine, send, signIn, examined, record };
}

const alice = { action: 'login', sub: 'alice' };
const login = { page: '/login', fields: alice };
const consent = { page: '/consent', fields: { 'scope:email': 'on', decision: 'allow' } };

describe('a recorded sign-in', () => {
  it('has the forms of the newest sign-in, without what is of one visit', async () => {
    const { sandbox, signIn, send } = await opened();
    await signIn({ action: 'login', sub: 'bob' });
    await send('/login?client_id=careful', { action: 'search', search: 'al' });
    await signIn(alice);
    expect(recordedForms(requestsSince(sandbox, 0)).slice(-2)).toEqual([login, consent]);
    expect(recordedForms(requestsSince(sandbox, sandbox.events.lastId))).toEqual([]);
  });

  it('is replayed at the sign-in page and the consent page', async () => {
    const { examined, record } = await opened();
    const { state, driver, modules } = await examined(record([login, consent]));
    expect([state, driver, modules.map(({ id, verdict }) => [id, verdict])]).toEqual([
      'done',
      'recorded',
      [
        ['test', 'pass'],
        ['invalid-state', 'pass'],
        ['invalid-authorization-response-iss', 'fail'],
      ],
    ]);
  });

  it('says so when it does not fit any more', async () => {
    const { examined, record } = await opened();
    const { state, error } = await examined(record([login]));
    expect(state).toBe('failed');
    expect(error?.message).toContain(
      'The record does not fit any more: the page /consent has none of the forms that were recorded (/login with action, sub). Record the sign-in again.',
    );
  });

  it('never has a password: its user is signed in without a click', async () => {
    const { sandbox, signIn, examined, record } = await opened({ loginMode: 'password' });
    await signIn({ action: 'login', username: 'alice', password: 'secret-of-alice' });
    const forms = recordedForms(requestsSince(sandbox, 0));
    expect(forms).toEqual([{ page: '/login', fields: { action: 'login', username: 'alice' } }, consent]);
    expect((await examined(record(forms))).modules[0]).toMatchObject({ id: 'test', verdict: 'pass' });
  });
});

describe('the forms of a record', () => {
  const page = (fields: string) => `<form method="post" action="/i/x/login?a=1&amp;b=2">${fields}</form>`;
  const user = (sub: string) =>
    page(`<input type="hidden" name="action" value="login"><input type="hidden" name="sub" value="${sub}">`);
  const csrf = '<input type="hidden" name="csrf" value="of &quot;this&quot; visit">';

  it('are those of the page with the same hidden fields and buttons, and have its other hidden fields', () => {
    const fill = replayOf({ forms: [login] });
    const filled = fill(user('bob') + user('alice').replace('</form>', `${csrf}</form>`));
    expect([filled?.to, [...(filled?.form ?? [])]]).toEqual([
      '/i/x/login?a=1&b=2',
      [
        ['action', 'login'],
        ['sub', 'alice'],
        ['csrf', 'of "this" visit'],
      ],
    ]);
  });

  it('are taken in their order, and again by an app that begins a second sign-in', () => {
    const second = { page: '/login', fields: { action: 'login', sub: 'bob' } };
    const fill = replayOf({ forms: [login, second] });
    const subs = [1, 2, 3].map(() => fill(user('alice') + user('bob'))?.form.get('sub'));
    expect(subs).toEqual(['alice', 'bob', 'alice']);
  });

  it('leave a page alone that has no form of a sign-in', () => {
    expect(replayOf({ forms: [login] })('<form method="post" action="/demo-app/register"></form>')).toBeUndefined();
  });
});

describe('the page Record a sign-in', () => {
  it('shows what was recorded, has it to download, and examines with it', async () => {
    const { sandbox, app, examine, send, signIn } = await opened();
    const begun = await send(examine, { plan: 'oauth-bcp', how: 'record', url: `${app}/login` });
    const recording = new URL(begun.headers.get('location') ?? '', examine);
    expect(await (await fetch(recording)).text()).toContain(`<a href="${app}/login" target="_blank"`);
    const typed = { ...Object.fromEntries(recording.searchParams), signedIn: 'Sign out' };
    const early = await send(`${examine}/record`, { ...typed, signedIn: '' });
    expect(early.status).toBe(400);
    expect(await early.text()).toMatch(/Nothing was recorded.*Expected a text that only a signed-in page has/s);
    await signIn(alice);
    const html = await (await send(`${examine}/record`, typed)).text();
    const [, shown = ''] = /data-testid="examine-record">\n(.*?)<\/textarea>/s.exec(html) ?? [];
    const json = shown.replaceAll('&#34;', '"').replaceAll('&quot;', '"');
    const record = {
      format: 'grantbox-sign-in',
      version: 1,
      url: `${app}/login`,
      forms: [login, consent],
      signedIn: 'Sign out',
    };
    expect(JSON.parse(json)).toEqual(record);
    const file = await send(`${examine}/record/file`, { record: json });
    expect(file.headers.get('content-disposition')).toBe('attachment; filename="grantbox-sign-in.json"');
    expect(await file.json()).toEqual(record);
    const run = await send(`${examine}/record/examine`, { plan: 'oauth-bcp', record: json });
    const id = run.headers.get('location')?.split('/').at(-1);
    const shownRun = async () => (await fetch(`${sandbox.url}/_sandbox/examinations/${id}`)).json();
    expect(await shownRun()).toMatchObject({ driver: 'recorded', plan: 'oauth-bcp' });
    await expect.poll(async () => (await shownRun()).modules[0]).toMatchObject({ id: 'test', verdict: 'pass' });
    await send(`${examine}/${id}/stop`, {});
  });

  it('takes no other JSON, and links to no other address than http', async () => {
    const { examine, send } = await opened();
    const refused = await send(`${examine}/record/examine`, { plan: 'oauth-bcp', record: '{"format":"har"}' });
    expect(refused.status).toBe(400);
    expect(await refused.text()).toContain('this is no recorded sign-in: ');
    const html = await (await fetch(`${examine}/record?url=javascript:alert(1)`)).text();
    expect(html).not.toContain('href="javascript:');
    const begun = await send(examine, { plan: 'oauth-bcp', how: 'record', url: 'javascript:alert(1)' });
    expect([begun.status, await begun.text()]).toEqual([
      400,
      expect.stringContaining('Expected the http or https address'),
    ]);
  });
});
