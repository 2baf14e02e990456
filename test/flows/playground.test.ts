import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Sandbox } from '../../src/index.ts';
import { type Agent, createAgent, decode, type Visit } from '../support/agent.ts';
import { createSandbox } from '../support/bundle.ts';

let sandbox: Sandbox;
let agent: Agent;

beforeAll(async () => {
  sandbox = await createSandbox();
});
beforeEach(async () => {
  await sandbox.reset();
  agent = createAgent(sandbox.url);
});
afterAll(() => sandbox.stop());

const open = (path: string) => agent.open(`${sandbox.url}/playground/${path}`);

/** The page of a grant, whose client is registered first where there is none. */
async function begin(grant: string): Promise<Visit> {
  const page = await open(grant);
  return page.html.includes('playground-add-client') ? agent.submit(page, 'playground-add-client') : page;
}

/** Sends the form with the values it shows, and answers with the page of the answer. */
const send = (page: Visit, typed: Readonly<Record<string, string>> = {}) =>
  agent.submit(page, 'playground-send', typed);
const next = (page: Visit) => agent.submit(page, 'playground-next');
const refuse = async (page: Visit, how: 'remove' | 'wrong', name: string) =>
  send(await agent.submit(page, 'playground-send', { [how]: name, keep: '1' }).then(() => open(grantOf(page))));
const grantOf = ({ url }: Visit) => url.pathname.split('/').at(-1) ?? '';

function visitAddress({ html }: Visit): string {
  const [, href = ''] = /<a class="button primary" href="([^"]*)"/.exec(html) ?? [];
  return decode(href);
}

/** Logs in as Bob at the server, and comes back by the callback. */
async function logIn(page: Visit): Promise<Visit> {
  const at = await agent.open(visitAddress(page));
  const back = at.html.includes('login-user-bob') ? await agent.submit(at, 'login-user-bob') : at;
  return back.html.includes('consent-allow') ? agent.submit(back, 'consent-allow') : back;
}

const outcome = ({ html }: Visit) => /<h2 id="answer">([^<]*)<span class="tag (\w+)"/.exec(html)?.slice(1).join(' ');

describe('the playground', () => {
  it('lists every grant, and tells why two were removed', async () => {
    const { html } = await agent.open(`${sandbox.url}/playground`);
    for (const grant of ['code', 'client-credentials', 'refresh', 'device', 'exchange', 'ciba', 'par', 'dpop'])
      expect(html).toContain(`href="/playground/${grant}"`);
    expect(html).toContain('Removed in OAuth 2.1');
  });

  it('runs client credentials with real requests, which are marked and keep no secret of the mark', async () => {
    const given = await send(await begin('client-credentials'));
    expect(outcome(given)).toBe('HTTP 200  ok');
    const looked = await send(await next(given));
    expect(decode(looked.html).replaceAll(/<[^>]+>/g, '')).toContain('"active": true');
    const asked = sandbox.events.latest('request.completed', 10).filter(({ by }) => by === 'playground');
    expect(asked.map(({ endpoint }) => endpoint)).toEqual(['introspect', 'token']);
    for (const { exchange } of asked) expect(exchange.requestHeaders).toContain('sandbox-playground\n***');
  });

  it('runs the code with PKCE, and its two strings meet', async () => {
    const arrived = await logIn(await begin('code'));
    expect(arrived.url.pathname).toBe('/playground/code');
    expect(arrived.html).toContain('same state');
    const given = await send(await next(arrived), { prediction: 'accepted' });
    expect(given.html).toContain('Your prediction was right.');
    expect(given.html).toContain('they meet');
    expect((await send(await next(given))).html).toContain('bob');
  });

  it('explains the refusal of a wrong verifier, and shows that the strings differ', async () => {
    await open('code?step=2&wrong=code_verifier');
    const given = await send(await next(await logIn(await open('code'))), { prediction: 'accepted' });
    expect(outcome(given)).toBe('HTTP 400  bad');
    expect(given.html).toContain('Your prediction was wrong.');
    expect(given.html).toContain('they differ');
    expect(given.html).toContain('data-testid="problem-why"');
    expect(given.html).toMatch(/\/dashboard\/problems\/req_/);
  });

  it('describes a starting state in its address', async () => {
    const { html, url } = await open('client-credentials?client=sensor&step=1&remove=scope&wrong=grant_type');
    expect(url.search).toBe('');
    expect(html).toContain('removed: it is not sent');
    expect(html).toContain('step=1&amp;remove=scope&amp;wrong=grant_type');
    expect(outcome(await send({ html, url, status: 200 }))).toBe('HTTP 400  bad');
  });

  it('sends what the learner typed, and starts over', async () => {
    const page = await begin('client-credentials');
    const refused = await send(page, { 'value.grant_type': 'mine', 'was.grant_type': 'client_credentials' });
    expect(refused.html).toContain('unsupported_grant_type');
    const again = await agent.submit(refused, 'playground-restart');
    expect(again.html).not.toContain('unsupported_grant_type');
  });

  it('rotates a refresh token, and shows what its second use does', async () => {
    const given = await send(await next(await logIn(await begin('refresh'))));
    const refreshed = await send(await next(given));
    expect(outcome(refreshed)).toBe('HTTP 200  ok');
    expect(outcome(await send(await next(refreshed)))).toBe('HTTP 400  bad');
  });

  it('pushes a request', async () => {
    const pushed = await send(await begin('par'));
    expect(outcome(pushed)).toBe('HTTP 201  ok');
    expect(outcome(await send(await next(await logIn(await next(pushed)))))).toBe('HTTP 200  ok');
  });

  it('binds tokens by DPoP, and refuses a call without a proof', async () => {
    const given = await send(await next(await logIn(await begin('dpop'))));
    expect(given.html.replaceAll('&#34;', '"')).toContain('DPoP');
    expect(outcome(await send(await next(given)))).toBe('HTTP 200  ok');
    expect(outcome(await refuse(await open('dpop'), 'remove', 'DPoP'))).toBe('HTTP 401  bad');
  });

  it('introspects and revokes', async () => {
    let page = await send(await begin('introspection'));
    for (let steps = 0; steps < 3; steps++) page = await send(await next(page));
    expect(decode(page.html).replaceAll(/<[^>]+>/g, '')).toContain('"active": false');
  });

  it('exchanges a token', async () => {
    expect(outcome(await send(await next(await send(await begin('exchange')))))).toBe('HTTP 200  ok');
  });

  it.each(['device', 'ciba'])('refuses to give tokens of %s before the user decided', async grant => {
    const asked = await send(await begin(grant));
    expect(outcome(asked)).toBe('HTTP 200  ok');
    const early = await send(await next(await next(asked)));
    expect(early.html).toContain('authorization_pending');
  });

  it('leads to the logout of the server', async () => {
    const given = await send(await next(await logIn(await begin('logout'))));
    const page = await next(given);
    expect(visitAddress(page)).toContain('/connect/logout?id_token_hint=ey');
    expect((await agent.open(visitAddress(page))).status).toBe(200);
    expect(sandbox.events.latest('session.ended', 1)).toHaveLength(1);
  });

  it('is not there with LESSONS=off', async () => {
    const without = await createSandbox({ lessons: false });
    try {
      expect((await fetch(`${without.url}/playground`)).status).toBe(404);
      expect(await (await fetch(`${without.url}/dashboard`)).text()).not.toContain('nav-playground');
    } finally {
      await without.stop();
    }
  });
});
