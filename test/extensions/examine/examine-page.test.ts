import { afterEach, describe, expect, it } from 'vitest';
import { planNamed } from '../../../src/extensions/examine/plans/index.ts';
import { createSandbox, type Sandbox } from '../../../src/index.ts';
import { careful, createCarefulClient } from './careful-client.ts';
import { served } from './served.ts';

const started: Sandbox[] = [];
afterEach(async () => {
  await Promise.all(started.splice(0).map(sandbox => sandbox.stop()));
});

async function opened() {
  const sandbox = await createSandbox({ clients: [{ ...careful, client_id: 'careful' }] });
  started.push(sandbox);
  const examine = `${sandbox.url}/dashboard/examine`;
  const read = async (url: string) => (await fetch(url)).text();
  const send = (url: string, form: Readonly<Record<string, string>>) =>
    fetch(url, {
      method: 'POST',
      redirect: 'manual',
      headers: { origin: sandbox.url },
      body: new URLSearchParams(form),
    });
  /** Where a form leads. */
  const sent = async (url: string, form: Readonly<Record<string, string>>) =>
    new URL((await send(url, form)).headers.get('location') ?? '', url).href;
  const begun = async (form: Readonly<Record<string, string>>) => (await sent(examine, form)).replace(/\?.*/, '');
  /** The page of a run, when it waits for a sign-in, or is over. */
  async function settled(page: string): Promise<string> {
    await expect.poll(() => read(page)).toMatch(/examine-now|status (ok|err|warn|)"[^>]*examine-state/);
    return read(page);
  }
  return { sandbox, examine, read, send, sent, begun, settled };
}

const hand = { plan: 'oauth-bcp', how: 'hand', url: 'http://localhost:7999/start' };

describe('the page Examine', () => {
  it('asks what the app shows, module by module, and has the result to download', async () => {
    const { sandbox, examine, send, begun, settled, read } = await opened();
    const page = await begun(hand);
    const signIn = createCarefulClient('invalid-state');
    const count = planNamed('oauth-bcp').modules.length;
    let html = await settled(page);
    expect(html).toContain('<a href="http://localhost:7999/start" target="_blank"');
    expect(html).toMatch(/Now: Nothing is wrong.*The app uses.*examine-issuer">http:\/\/localhost:\d+<\/code>/s);
    for (; html.includes('examine-now'); html = await settled(page)) {
      await sandbox.nextLogin({ sub: 'alice', action: 'approve' });
      const believed = await signIn(sandbox).catch(() => false);
      const [, id = ''] = /name="signIn" value="([^"]+)"/.exec(html) ?? [];
      await send(`${page}/answer`, { signIn: id, believed: believed ? 'yes' : 'no' });
    }
    expect(html).toMatch(new RegExp(`failed</span>.*${count} of ${count} modules: 1 failed`, 's'));
    expect(html).toMatch(/<details class="plain" id="module-invalid-state" open>/);
    const [request = ''] = /\/dashboard\/requests\/req_\w+/.exec(html) ?? [];
    expect((await fetch(sandbox.url + request)).status).toBe(200);
    const json = await fetch(`${page}/json`);
    expect(json.headers.get('content-disposition')).toContain('attachment');
    expect(await json.json()).toMatchObject({ plan: 'oauth-bcp', issuers: 'first', summary: { fail: 1 } });
    for (const format of ['html', 'junit', 'markdown', 'sarif', 'badge', 'certificate'])
      expect([format, (await fetch(`${page}/${format}`)).status]).toEqual([format, 200]);
    expect((await fetch(`${page}/exe`)).status).toBe(404);
    expect(await read(examine)).toMatch(/examine-run.*OAuth 2\.0 security/s);
    expect(await sandbox.faults.list()).toEqual([]);
  });

  it('gives an app that can be told one a new issuer for each module, and stops', async () => {
    const { sandbox, sent, begun, settled } = await opened();
    const page = await begun({ ...hand, own: 'on' });
    expect(await settled(page)).toMatch(/Give the app.*examine-issuer">http:\/\/localhost:\d+\/i\/[^<]+<\/code>/s);
    expect(await settled(await sent(`${page}/stop`, {}))).toContain('You stopped it.');
    expect(await settled(await sent(`${page}/answer`, { signIn: 'test-1', believed: 'yes' }))).toContain(
      'That sign-in no longer waits.',
    );
    expect((await (await fetch(`${sandbox.url}/_sandbox/issuers`)).json()).issuers).toEqual([]);
  });

  it('provokes what the report has not seen', async () => {
    const { sandbox, examine, sent, settled, read } = await opened();
    await sandbox.nextLogin({ sub: 'alice', action: 'approve' });
    await createCarefulClient()(sandbox);
    const report = await read(`${sandbox.url}/dashboard/report`);
    expect(report).toContain(
      'href="/dashboard/examine?check=state_compared" data-testid="check-examine">Provoke it</a>',
    );
    expect(report).not.toContain('check=pkce_s256'); // it was seen
    const form = await read(`${examine}?check=state_compared`);
    expect(form).toMatch(/<option value="oauth-bcp" selected>/);
    const [, modules = ''] = /name="modules" value="([^"]+)"/.exec(form) ?? [];
    const page = await sent(examine, { ...hand, modules });
    expect(await settled(page)).toMatch(/0 of 3 modules.*another state.*no state/s);
    for (const check of ['', 'unknown', '__proto__'])
      expect(await read(`${examine}?check=${check}`)).not.toContain('name="modules"');
  });

  it('walks through an app, and says why it cannot be examined', async () => {
    const app = await served({ '/login': async () => 'Nobody is <here>' });
    const { begun, settled } = await opened();
    const page = await begun({ plan: 'oauth-bcp', how: 'walk', url: `${app}/login`, signedIn: 'Sign out' });
    expect(await settled(page)).toMatch(/not possible.*The app cannot sign in where nothing is wrong/s);
  });

  it.each([
    [{ how: 'walk' }, ['Expected the address that begins a sign-in.', 'Expected a text that only']],
    [{ how: 'hand', url: 'javascript:alert(1)' }, ['expected an http or https address']],
    [{ how: 'hand', plan: 'none' }, ['none was sent']],
  ])('says what is wrong with %j', async (form, sentences) => {
    const { examine, send } = await opened();
    const refused = await send(examine, { plan: 'oauth-bcp', ...form });
    expect(refused.status).toBe(400);
    const html = await refused.text();
    for (const sentence of sentences) expect(html).toContain(sentence);
  });

  it('is found from a client, whose address it knows, and from the report', async () => {
    const { sandbox, examine, read } = await opened();
    const client = await read(`${sandbox.url}/dashboard/clients/careful`);
    expect(client).toContain('/dashboard/examine?client=careful');
    expect(await read(`${examine}?client=careful`)).toContain('value="http://localhost:7999"');
    expect(await read(`${sandbox.url}/dashboard/report`)).toContain('href="/dashboard/examine"');
    expect((await fetch(`${examine}/exam_none`)).status).toBe(404);
  });
});
