import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createBench } from '../../../src/extensions/lessons/run/bench.ts';
import { createSandbox, type Sandbox } from '../../../src/index.ts';
import { s256 } from '../../../src/protocol/requests/pkce.ts';
import { type Agent, createAgent } from '../../support/agent.ts';
import { newLearnerPage } from './learner-page.ts';

let sandbox: Sandbox;
let agent: Agent;
beforeAll(async () => {
  sandbox = await createSandbox({ port: 0, logLevel: 'silent' });
  agent = createAgent(sandbox.url);
});
afterAll(() => sandbox.stop());

describe('the commands of a lesson, without scripts', () => {
  it('are sent from the page, count for the task, and fill the box below with a value of the answer', async () => {
    const lesson = newLearnerPage(agent, sandbox.url, 'client-credentials');
    expect((await lesson.start()).html).toContain('YOUR_ACCESS_TOKEN');
    const sent = await lesson.post('send', { command: 'token-1' });
    expect(sent.html).toMatch(/data-testid="lesson-answer"[\s\S]*&#34;access_token&#34;/);
    expect(lesson.stateOf(sent.html, 'token')).toBe('Done');
    expect(sent.html).not.toContain('YOUR_ACCESS_TOKEN');
    const called = await lesson.post('send', { command: 'call-2' });
    expect(lesson.stateOf(called.html, 'call')).toBe('Done');
    // two landmarks of one name would not be told apart
    expect(called.html.match(/role="group" aria-label="Response"/g)).toHaveLength(2);
    expect((await lesson.open()).html).not.toContain('YOUR_ACCESS_TOKEN');
    const again = await lesson.post('again', { task: 'token' });
    expect(again.html.match(/data-testid="lesson-answer"/g)).toHaveLength(1);
    const reset = await agent.submit(again, 'lesson-begin');
    expect(reset.html).toContain('YOUR_ACCESS_TOKEN');
    expect(reset.html).not.toContain('data-testid="lesson-answer"');
  });

  it('have the value that is pasted, in each shell, and say what is wrong with it', async () => {
    const lesson = newLearnerPage(agent, sandbox.url, 'refresh');
    expect((await lesson.start()).html).toContain('data-missing="the code from the address bar"');
    const none = await lesson.post('fill', {
      field: 'code',
      value: 'http://localhost:3000/callback?error=access_denied',
    });
    expect(none.html).toContain('it says error=access_denied');
    const filled = await lesson.post('fill', {
      field: 'code',
      value: 'http://localhost:3000/callback?code=abc&state=xyz',
    });
    // for two shells, and as the request beside Send
    expect(filled.html.match(/-d code=abc -d code_verifier/g)).toHaveLength(3);
    expect(filled.html).toContain('curl.exe ');
    expect(filled.html).not.toContain('data-missing="the code');
    expect((await lesson.post('fill', { field: 'other', value: 'x' })).status).toBe(200);
  });

  it('take all values of a row of boxes out of one pasted answer', async () => {
    const lesson = newLearnerPage(agent, sandbox.url, 'logout');
    await lesson.start();
    const answer = '{"access_token":"first","id_token":"second","refresh_token":"third"}';
    const { html } = await lesson.post('fill', { field: 'id_token', value: answer });
    expect(html).toContain('id_token_hint=second');
    expect(html).toContain('Authorization: Bearer first');
    const changed = await lesson.post('fill', { field: 'id_token', value: 'other' });
    expect(changed.html).toContain('id_token_hint=other');
    expect(changed.html).toContain('Authorization: Bearer first');
  });

  it('have a verifier and a challenge of their own, which each start makes anew', async () => {
    const lesson = newLearnerPage(agent, sandbox.url, 'refresh');
    const started = await lesson.start();
    expect(started.html).not.toContain('YOUR_PKCE');
    const verifier = verifierIn(started.html);
    expect(/code_challenge=([\w-]{43})/.exec(started.html)?.[1]).toBe(s256(verifier));
    expect(verifierIn((await lesson.open()).html)).toBe(verifier);
    expect(verifierIn((await agent.submit(await lesson.open(), 'lesson-begin')).html)).not.toBe(verifier);
  });

  it('are not sent while a box is empty, and not from a solution that is closed', async () => {
    const lesson = newLearnerPage(agent, sandbox.url, 'refresh');
    await lesson.start();
    await lesson.post('fill', { field: 'code', value: '' });
    for (const command of ['refresh-4', 'reuse-solution-0', 'nothing'])
      expect((await lesson.post('send', { command })).html).not.toContain('data-testid="lesson-answer"');
  });
});

function verifierIn(html: string): string {
  return /code_verifier=([\w-]{43})/.exec(html)?.[1] ?? '';
}

describe('a request from the page', () => {
  const issuer = 'http://localhost:9000/i/mine';
  const asked: string[] = [];
  const bench = createBench({
    issuer,
    send: async ({ pathname }) => {
      asked.push(pathname);
      return new Response('{}');
    },
  });
  const send = async (url: string) => {
    await bench.send('a-1', [{ method: 'GET', url, headers: [] }], []);
    return bench.answers('a-1')[0];
  };

  it.each([
    '/i/mine/oauth2/token',
    '/.well-known/oauth-authorization-server/i/mine',
    '/.well-known/x/i/mine/api/tools',
  ])('goes to the issuer of the learner: %s', async path => {
    expect(await send(`http://localhost:9000${path}`)).toMatchObject({ status: 200 });
    expect(asked.at(-1)).toBe(path);
  });

  it.each([
    'http://localhost:9000/_sandbox/reset',
    'http://localhost:9000/i/mine-2/oauth2/token',
    'http://localhost:9000/i/mine/../other/token',
    'http://localhost:9000/i/mine/%2e%2e/other',
    'http://localhost:9000/.well-known/x/../../_sandbox/reset',
    'http://example.com/i/mine/token',
    'no address',
  ])('goes nowhere else: %s', async url => {
    const before = asked.length;
    expect(await send(url)).toMatchObject({ failure: expect.stringContaining('your own issuer only') });
    expect(asked).toHaveLength(before);
  });
});
