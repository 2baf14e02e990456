import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Sandbox } from '../../src/index.ts';
import { type Agent, createAgent, decode, type Visit } from '../support/agent.ts';
import { createSandbox } from '../support/bundle.ts';
import { textOfElement } from '../support/snippets.ts';

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

/** The address that its button leads to, which its command has, too. */
function visitAddress({ html }: Visit): string {
  return /http[^' ]*/.exec(textOfElement(html, 'play-curl'))?.[0] ?? '';
}

/** Logs in as Bob at the server, and comes back by the callback. */
async function logIn(page: Visit): Promise<Visit> {
  const at = await agent.submit(page, 'playground-visit');
  const back = at.html.includes('login-user-bob') ? await agent.submit(at, 'login-user-bob') : at;
  return back.html.includes('consent-allow') ? agent.submit(back, 'consent-allow') : back;
}

const textOf = ({ html }: Visit, id: string) =>
  decode(new RegExp(`data-testid="${id}"[^>]*>(.*?)</(?:p|form)>`, 's').exec(html)?.[1] ?? '')
    .replaceAll(/<[^>]+>/g, '')
    .replaceAll(/\s+/g, ' ');

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
    expect(given.html).toContain('Your guess was right.');
    expect(given.html).toContain('they meet');
    expect((await send(await next(given))).html).toContain('bob');
  });

  it('explains the refusal of a wrong verifier, and shows that the strings differ', async () => {
    await open('code?step=2&wrong=code_verifier');
    const given = await send(await next(await logIn(await open('code'))), { prediction: 'accepted' });
    expect(outcome(given)).toBe('HTTP 400  bad');
    expect(given.html).toContain('Your guess was wrong.');
    expect(given.html).toContain('they differ');
    expect(given.html).toContain('data-testid="problem-why"');
    expect(given.html).toMatch(/\/dashboard\/problems\/req_/);
  });

  it('shows that the strings differ where the challenge was wrong, which the server keeps', async () => {
    await open('code?step=1&wrong=code_challenge');
    const arrived = await logIn(await open('code'));
    expect(arrived.html).toContain('they differ');
    const given = await send(await next(arrived));
    expect(outcome(given)).toBe('HTTP 400  bad');
    expect(given.html).toContain('they differ');
  });

  it.each(['client_id', 'redirect_uri'])('explains the error page of the server for a wrong %s', async name => {
    const refused = await agent.submit(await open(`code?step=1&wrong=${name}`), 'playground-visit', {
      prediction: 'caller',
    });
    expect([refused.status, refused.url.pathname]).toEqual([400, '/oauth2/authorize']);
    const back = await open('code');
    expect(outcome(back)).toBe('HTTP 400, an error page of the server  bad');
    expect(back.html).toContain('Your guess was right.');
    expect(back.html).toContain('data-testid="problem-why"');
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

  it.each(['device', 'ciba'])('gives the tokens of %s once the user has approved', async grant => {
    const asked = await send(await begin(grant));
    const approve = await next(asked);
    let at = await agent.open(visitAddress(approve));
    for (const button of ['login-user-alice', 'device-continue', 'device-allow', 'approval-allow']) {
      if (at.html.includes(`"${button}"`)) at = await agent.submit(at, button);
    }
    const given = await send(await next(approve));
    expect(outcome(given)).toBe('HTTP 200  ok');
    expect(given.html).toContain('access_token');
  });

  it.each([
    ['code', 2, 'wrong', 'code', 'invalid_grant'],
    ['refresh', 3, 'wrong', 'refresh_token', 'invalid_grant'],
    ['par', 1, 'wrong', 'response_type', 'unsupported_response_type'],
    ['dpop', 2, 'wrong', 'DPoP', 'invalid_dpop_proof'],
    ['userinfo', 3, 'wrong', 'Authorization', 'invalid_token'],
    ['logout', 4, 'remove', 'Authorization', 'Bearer'],
    ['client-credentials', 1, 'wrong', 'Authorization', 'invalid_client'],
    ['introspection', 3, 'remove', 'token', 'invalid_request'],
    ['exchange', 2, 'wrong', 'subject_token_type', 'invalid_request'],
    ['device', 3, 'wrong', 'device_code', 'invalid_grant'],
    ['ciba', 1, 'wrong', 'login_hint', 'unknown_user_id'],
  ] as const)('refuses %s where step %d has a mistake: %s %s', async (grant, number, how, name, error) => {
    await begin(grant);
    let page = await open(`${grant}?step=${number}&${how}=${name}`);
    for (let step = 1; step < number; step++) {
      if (page.html.includes('playground-send')) page = await send(page);
      else if (visitAddress(page).includes('/authorize?')) page = await logIn(page);
      page = await next(page);
    }
    const refused = await send(page);
    expect(outcome(refused)).toMatch(/^HTTP 40[01] {2}bad$/);
    expect(decode(refused.html)).toContain(error);
    expect(refused.html).toContain('data-testid="playground-explain"');
  });

  it("follows a sign-in to the redirect URI of the learner's own app", async () => {
    const own = 'http://localhost:3000/callback';
    const page = await agent.submit(await open('code?client=frontend'), 'playground-choose', {
      'answer-to': 'app',
      redirect: own,
    });
    expect(page.html).toContain('playground-own-redirect');
    const arrived = await logIn(page);
    expect(arrived.url.href).toMatch(/^http:\/\/localhost:3000\/callback\?code=/);
    const followed = await open('code');
    expect(followed.html).toContain(`${own} received`);
    expect(followed.html).toContain('same state');
    expect(decode(followed.html)).toContain(`redirect=${encodeURIComponent(own)}`);
    expect(outcome(await send(await next(followed)))).toBe('HTTP 200  ok');
  });

  it('sends no browser to a redirect URI that is not registered, or not on this machine', async () => {
    const redirect_uris = ['http://localhost:1/callback', 'https://app.example/'];
    await sandbox.clients.patch('frontend', { redirect_uris, loopback_redirects: false });
    for (const uri of ['http://localhost:1/other', 'https://app.example/']) {
      const { html } = await open(`code?client=frontend&redirect=${encodeURIComponent(uri)}`);
      expect(html).not.toContain('playground-own-redirect');
      expect(html).toContain('playground-refused-redirect');
    }
  });

  it('describes all changes in its address, but not what is of the moment', async () => {
    const typed = { 'value.scope': 'a b', 'was.scope': '', keep: '1' };
    await agent.submit(await begin('code'), 'playground-keep', typed);
    const second = await agent.submit(await agent.submit(await open('code'), 'playground-step-2'), 'playground-send', {
      'value.code': 'mine',
      'was.code': '',
      wrong: 'code_verifier',
    });
    const address = decode(/http[^<"]*\/playground\/code\?[^<"]*/.exec(second.html)?.[0] ?? '');
    expect(new URL(address).search).toMatch(/&step=1&set\.scope=a\+b&step=2&wrong=code_verifier$/);
    agent = createAgent(sandbox.url);
    const elsewhere = await agent.open(address);
    expect(elsewhere.html).toContain('value="a b"');
    expect(elsewhere.html.match(/tag mid">changed/g)).toHaveLength(2);
  });

  it('leads to the logout of the server', async () => {
    const given = await send(await next(await logIn(await begin('logout'))));
    const page = await next(given);
    expect(visitAddress(page)).toContain('/connect/logout?id_token_hint=ey');
    expect((await agent.open(visitAddress(page))).status).toBe(200);
    expect(sandbox.events.latest('session.ended', 1)).toHaveLength(1);
  });

  it.each(['catalogue-service-secret-jwt', 'catalogue-service-key'])('signs assertions as %s', async client => {
    const ready = await createSandbox({ catalogue: true });
    try {
      agent = createAgent(ready.url);
      const page = await agent.open(`${ready.url}/playground/client-credentials?client=${client}`);
      expect(page.html).toContain('client-assertion-type:jwt-bearer');
      expect(outcome(await send(page))).toBe('HTTP 200  ok');
      const wrong = await agent.open(
        `${ready.url}/playground/client-credentials?client=${client}&step=1&wrong=client_assertion`,
      );
      expect(outcome(await send(wrong))).toBe('HTTP 401  bad');
    } finally {
      await ready.stop();
    }
  });

  it('runs a ready client that the sandbox does not have in an issuer of the visitor', async () => {
    const chosen = await agent.submit(await open('code'), 'playground-choose', { client: 'catalogue-spa' });
    const issuer = chosen.url.href.replace('/playground/code', '');
    expect(issuer).toMatch(/\/i\/[\w]+$/);
    expect(textOf(chosen, 'playground-issuer')).toContain(`Requests go to ${issuer}.`);
    expect(chosen.html).toContain(`href="${issuer}/dashboard"`);
    const address = decode(/http[^<"]*\/playground\/code\?[^<"]*/.exec(chosen.html)?.[0] ?? '');
    expect(address).toBe(`${sandbox.issuer}/playground/code?client=catalogue-spa&user=alice&scope=openid+profile`);
    const given = await send(await next(await logIn(chosen)));
    expect(outcome(given)).toBe('HTTP 200  ok');
    expect(given.html).toContain('they meet');
    expect((await agent.open(address)).url.href).toBe(chosen.url.href);
    expect(sandbox.events.latest('issuer.created', 10).filter(event => event.issuer === issuer)).toHaveLength(1);
  });

  it('asks before it creates an issuer for a shared address, and keeps the changes of the address', async () => {
    const query = 'client=catalogue-service&step=1&wrong=Authorization';
    const shared = await open(`client-credentials?${query}`);
    expect(shared.url.pathname).toBe('/playground/client-credentials');
    const own = await agent.submit(shared, 'playground-open-issuer');
    expect(own.url.pathname).toMatch(/^\/i\//);
    expect(outcome(await send(own))).toBe('HTTP 401  bad');
  });

  it('tells what a ready client needs that no issuer of this sandbox can have', async () => {
    const page = await open('client-credentials?client=catalogue-service-mtls');
    expect(textOf(page, 'playground-missing')).toContain('It needs HTTPS: start with TLS=self-signed.');
    expect(page.html).not.toContain('playground-open-issuer');
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
