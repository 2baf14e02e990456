import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { logIn } from '../../../src/extensions/lessons/bike-shop.ts';
import { createParticipant } from '../../../src/extensions/lessons/trial/participant.ts';
import { createSandbox, type Sandbox } from '../../../src/index.ts';
import { type Agent, createAgent } from '../../support/agent.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await createSandbox({ port: 0, logLevel: 'silent' });
});
afterAll(() => sandbox.stop());

const start = async (agent: Agent, id: string) =>
  agent.submit(await agent.open(`${sandbox.url}/lessons/${id}`), 'lesson-begin');
const open = (agent: Agent, id: string) => agent.open(`${sandbox.url}/lessons/${id}`);
const issuerOn = (html: string) => /data-lesson-issuer="([^"]+)"/.exec(html)?.[1] ?? '';

describe('the breakpoint of a lesson', () => {
  it('holds the redirect of a login, shows where it leads, and lets it continue', async () => {
    const agent = createAgent(sandbox.url);
    const set = await agent.submit(await start(agent, 'code-pkce'), 'lesson-hold');
    expect(set.html).toContain('is held here');
    const code = logIn(createParticipant(issuerOn(set.html), 'code-pkce'));
    const held = async () => (await open(agent, 'code-pkce')).html;
    await expect.poll(held).toContain('data-testid="lesson-continue"');
    expect(await held()).toMatch(/http:\/\/localhost:3000\/callback\?code=/);
    const on = await agent.submit(await open(agent, 'code-pkce'), 'lesson-continue');
    expect(await code).not.toBe('');
    expect(on.html).not.toContain('data-testid="lesson-continue"');
  });

  it('can be taken away', async () => {
    const agent = createAgent(sandbox.url);
    const set = await agent.submit(await start(agent, 'code-pkce'), 'lesson-hold');
    expect((await agent.submit(set, 'lesson-hold')).html).not.toContain('is held here');
  });

  it('shows an answer that somebody else holds, in a lesson that offers no breakpoint', async () => {
    const agent = createAgent(sandbox.url);
    const { html } = await start(agent, 'discovery');
    expect(html).not.toContain('data-testid="lesson-breakpoint"');
    const issuer = issuerOn(html);
    await fetch(`${issuer}/_sandbox/breakpoints`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: '{"endpoint":"jwks"}',
    });
    const answer = fetch(`${issuer}/oauth2/jwks`);
    const page = async () => (await open(agent, 'discovery')).html;
    await expect.poll(page).toContain('data-testid="lesson-continue"');
    await agent.submit(await open(agent, 'discovery'), 'lesson-continue');
    expect((await answer).status).toBe(200);
  });
});

describe('the page that calls an API', () => {
  async function serve(listener: RequestListener) {
    const server = createServer(listener).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    return { url: `http://localhost:${port}/bikes`, close: () => server.close() };
  }
  const probe = async (agent: Agent, url: string) =>
    agent.submit(await open(agent, 'api'), 'lesson-probe-tokens', { url, what: 'tokens' });

  it('fills the table: an API that accepts everything passes one row', async () => {
    const agent = createAgent(sandbox.url);
    await start(agent, 'api');
    const paths: (string | undefined)[] = [];
    const api = await serve((req, res) => {
      paths.push(req.url);
      res.end('a bike');
    });
    const { html } = await probe(agent, api.url.replace('http://', ''));
    api.close();
    expect(paths).toEqual(Array(7).fill('/bikes'));
    expect(html.match(/<span class="tag ok">Passed/g)).toHaveLength(1);
    expect(html.match(/must refuse this token with 401, and answered 200/g)).toHaveLength(6);
    expect(html).toContain(`value="${api.url}"`);
  });

  it('calls this machine only, and an API that is not there once', async () => {
    const agent = createAgent(sandbox.url);
    await start(agent, 'api');
    const far = await probe(agent, 'http://169.254.169.254/latest');
    expect(far.html).toContain('169.254.169.254 is not called');
    const near = await probe(agent, 'http://192.168.3.4/');
    expect(near.html).toContain('192.168.3.4 is not called');
    const file = await probe(agent, 'file:///etc/passwd');
    expect(file.html).toContain('only http and https are called');
    const closed = await serve(() => {});
    closed.close();
    expect((await probe(agent, closed.url)).html).toContain('Nothing was answered');
  });
});
