import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { findForm } from '../../../../src/base/text/html.ts';
import { grants } from '../../../../src/extensions/lessons/playground/grants.ts';
import { createSandbox, type Sandbox } from '../../../../src/index.ts';
import { type Agent, createAgent, decode, type Visit } from '../../../support/agent.ts';

let sandbox: Sandbox;
let agent: Agent;
beforeAll(async () => {
  sandbox = await createSandbox({ port: 0, logLevel: 'silent' });
});
beforeEach(() => {
  agent = createAgent(sandbox.url);
});
afterAll(() => sandbox.stop());

const open = (path: string) => agent.open(`${sandbox.url}/playground/${path}`);

/** The texts of the filled buttons. */
const filled = ({ html }: Visit) =>
  [...html.matchAll(/<button class="button primary"[^>]*>([\s\S]*?)<\/button>/g)].map(([, text = '']) =>
    decode(text.replace(/<[^>]+>/g, '')).trim(),
  );

const bar = ({ html }: Visit) => html.slice(html.indexOf('class="run-bar play-bar"'), html.indexOf('id="play-steps"'));
const textOf = (html: string) => decode(html.replace(/<[^>]+>/g, '')).replace(/\s+/g, ' ');

/** The page of a grant, whose client is registered first where there is none. */
async function begin(grant: string): Promise<Visit> {
  const page = await open(grant);
  return page.html.includes('playground-add-client') ? agent.submit(page, 'playground-add-client') : page;
}

/** Does the step, as far as this is possible without another screen. */
async function run(page: Visit): Promise<Visit> {
  if (page.html.includes('playground-send')) return agent.submit(page, 'playground-send');
  const at = await agent.submit(page, 'playground-visit');
  let back = at.html.includes('login-user-bob') ? await agent.submit(at, 'login-user-bob') : at;
  if (back.html.includes('consent-allow')) back = await agent.submit(back, 'consent-allow');
  return back.html.includes('playground-line') ? back : open(page.url.pathname.split('/').at(-1) ?? '');
}

describe('the page of a grant', () => {
  it.each(grants.map(({ id, steps }) => [id, steps.length] as const))(
    'has one filled button at each step, before and after it, and it leads on: %s',
    async (grant, steps) => {
      let page = await begin(grant);
      for (let number = 1; number <= steps; number++) {
        expect(page.html).toContain(`<h2 id="request">${number}. `);
        expect(filled(page)).toEqual([expect.stringMatching(/^(Send the request|Go to the server)$/)]);
        page = await run(page);
        expect(filled(page)).toHaveLength(1);
        const isDone = /<h2 id="answer">[^<]*<span class="tag ok"/.test(page.html) && number < steps;
        expect(filled(page)[0]?.startsWith('Next: ')).toBe(isDone);
        if (number < steps)
          page = await agent.submit(page, isDone ? 'playground-next' : `playground-step-${number + 1}`);
      }
    },
  );

  it('names its request in a bar below the title, with a button that sends it and its parameters', async () => {
    const page = await begin('code');
    expect(page.html.indexOf('</h1>')).toBeLessThan(page.html.indexOf('class="run-bar play-bar"'));
    expect(textOf(bar(page))).toMatch(/GET \/oauth2\/authorize .*Go to the server Copy as curl/);
    const form = findForm(page.html, 'playground-visit');
    expect(form?.fields).toMatchObject({ leave: '1', 'was.response_type': 'code' });
    expect(page.html).toMatch(/<pre id="play-curl"[^>]*>curl /);
  });

  it('says that the endpoint of a step is switched off', async () => {
    const without = await createSandbox({ port: 0, logLevel: 'silent', features: { par: false } });
    const { html } = await createAgent(without.url).open(`${without.url}/playground/par`);
    await without.stop();
    expect(html).toContain('This server does not offer the endpoint of this step');
    expect(html).not.toContain('playground-send');
  });

  it('has a line for each parameter, and its explanation without scripts', async () => {
    const { html } = await begin('code');
    const lines = [...html.matchAll(/<li class="play-field">([\s\S]*?)<\/li>/g)].map(([, line = '']) => textOf(line));
    expect(lines).toHaveLength(9);
    expect(lines[0]).toBe(
      ' response_type Asks for a code, and for no token in the address. RFC 6749 §4.1.1 From: always the same for this grant. Remove response_type Wrong value for response_type ',
    );
    expect(html.match(/<details>\s*<summary><code id="name-/g)).toHaveLength(9);
  });

  it('puts right a parameter that was removed, wrong or typed', async () => {
    let page = await begin('code');
    const typed = { 'value.scope': 'mine', 'was.scope': 'openid profile' };
    const changes: readonly Readonly<Record<string, string>>[] = [{ remove: 'scope' }, { wrong: 'scope' }, typed];
    for (const change of changes) {
      page = await agent.submit(page, 'playground-keep', change);
      expect(page.html).toContain('class="tag mid">changed');
      page = await agent.submit(page, 'playground-keep', { restore: 'scope' });
      expect(page.html).not.toContain('playground-restore');
      expect(page.html).not.toContain('class="tag mid">changed');
    }
  });

  it('says what an earlier step must give, but not of a value that was emptied', async () => {
    const first = await agent.submit(await begin('code'), 'playground-step-2');
    expect(textOf(first.html)).toContain('Do the steps before this one first: they give code.');
    const emptied = { 'value.code_verifier': '', 'was.code_verifier': 'x', 'value.code': 'mine', 'was.code': '' };
    const page = await agent.submit(first, 'playground-keep', emptied);
    expect(page.html).not.toContain('Do the steps before');
  });

  it('asks for a guess, which is optional and can be taken back', async () => {
    const page = await begin('client-credentials');
    expect(bar(page)).toContain('Your guess (optional)');
    const plain = await agent.submit(page, 'playground-send', { prediction: '' });
    expect(plain.html).not.toContain('playground-verdict');
    const guessed = await agent.submit(plain, 'playground-send', { prediction: 'request' });
    expect(guessed.html).toContain('Your guess was wrong.');
    const without = await agent.submit(guessed, 'playground-send', { prediction: '' });
    expect(without.html).not.toContain('playground-verdict');
  });
});

describe('the question where the answer goes', () => {
  const toApp = (page: Visit, redirect: string) =>
    agent.submit(page, 'playground-choose', { 'answer-to': 'app', redirect });

  it('has two choices, and begins with this page', async () => {
    const { html } = await open('code?client=frontend');
    const [, question = ''] = /data-testid="playground-answer-to">([\s\S]*?)<\/div>/.exec(html) ?? [];
    expect(textOf(question).trim()).toMatch(/^Send the response to: this page my app at$/);
    expect(question).toMatch(/value="page" checked> this page/);
    expect(question).toContain('value="http://localhost:3000/callback"');
  });

  it('takes any address on this machine that the client allows', async () => {
    const page = await toApp(await open('code?client=frontend'), ' http://localhost:5174/back ');
    expect(page.html).toMatch(/value="app" checked> my app at/);
    expect(textOf(page.html)).toContain('The response goes to your app, at http://localhost:5174/back.');
    const visit = await agent.submit(page, 'playground-visit');
    expect((await agent.submit(visit, 'login-user-bob')).url.href).toMatch(/^http:\/\/localhost:5174\/back\?code=/);
  });

  it.each(['https://app.example/', 'javascript:alert(1)', 'myapp://localhost/back', 'nothing'])(
    'tells that an answer does not go to %s',
    async address => {
      const page = await toApp(await open('code?client=frontend'), address);
      expect(page.html).toMatch(/value="page" checked> this page/);
      expect(textOf(page.html)).toContain(`${address} is not a redirect URI of frontend on this machine`);
      expect(page.html).toContain('href="/dashboard/clients/frontend"');
      const again = await agent.submit(page, 'playground-choose', { 'answer-to': 'page', redirect: address });
      expect(again.html).not.toContain('playground-refused-redirect');
    },
  );

  it('is not asked where the answer comes back by itself', async () => {
    expect((await begin('client-credentials')).html).not.toContain('Send the response to');
  });
});
