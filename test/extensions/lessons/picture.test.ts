import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkText } from '../../../src/extensions/lessons/pack/check-text.ts';
import { picture, pictureStep } from '../../../src/extensions/lessons/text/lesson-text.ts';
import { createSandbox, type Sandbox } from '../../../src/index.ts';
import { type Agent, createAgent } from '../../support/agent.ts';
import { newLearnerPage } from './learner-page.ts';

const names = { mallory: 'Mallory', browser: 'Browser', client: 'Shop', server: 'Server', app: 'Demo app', api: 'API' };

it('a picture has the lanes that take part, and each message from lane to lane', () => {
  const steps = ['client to server: code', 'server to client: tokens: two of them', 'client to api: token'];
  expect(
    picture(
      steps.flatMap(line => pictureStep(line) ?? []),
      names,
    ),
  ).toEqual({
    lanes: ['Shop', 'Server', 'API'],
    steps: [
      { from: 'Shop', to: 'Server', what: 'code', first: 1, last: 2, isBack: false },
      { from: 'Server', to: 'Shop', what: 'tokens: two of them', first: 1, last: 2, isBack: true },
      { from: 'Shop', to: 'API', what: 'token', first: 1, last: 3, isBack: false },
    ],
  });
});

it('Mallory has a lane, and a message may have a text that its request has', () => {
  expect(pictureStep('mallory to api: token')).toEqual({ from: 'mallory', to: 'api', what: 'token' });
  expect(pictureStep('client to server: code :: grant_type')).toMatchObject({ what: 'code', has: 'grant_type' });
});

it.each(['client to client: nothing', 'client to shop: code', 'client: code', 'client to server:'])(
  'a line in a different form is no message: %s',
  line => expect(pictureStep(line)).toBeUndefined(),
);

it('a line of a picture that is no message is a problem of a lesson', () => {
  const facts = '---\ntitle: A\nminutes: 1\nneeds: curl\nreferences: RFC 6749 §4.1\nreviewed: 2026-11-23\n---\nStory';
  const text = `${facts}\n\n## Picture\n\n- client to server: code\n- client and server: code\n\n## Task a: A\n`;
  expect(checkText(text)).toEqual([
    { line: 13, found: '- client and server: code', expected: expect.stringContaining('FROM to TO') },
  ]);
});

describe('the picture on the page of a lesson', () => {
  let sandbox: Sandbox;
  let agent: Agent;
  beforeAll(async () => {
    sandbox = await createSandbox({ port: 0, logLevel: 'silent' });
    agent = createAgent(sandbox.url);
  });
  afterAll(() => sandbox.stop());
  const states = (html: string) => {
    const figure = html.slice(html.indexOf('<figure class="picture'), html.indexOf('</figure>'));
    return [...figure.matchAll(/<li class="(.*?)">/g)].map(([, state]) => state);
  };
  const ask = (issuer: string, path: string, form: Record<string, string>) =>
    fetch(`${issuer}${path}`, {
      method: 'POST',
      headers: { Authorization: `Basic ${btoa('greenhouse:tomato')}` },
      body: new URLSearchParams(form),
    });

  it('follows the requests of the learner, and has the reason of a refusal', async () => {
    const lesson = newLearnerPage(agent, sandbox.url, 'client-credentials');
    const { html } = await lesson.start();
    expect(states(html)).toEqual(['', '', '', '']);
    expect((await lesson.post('send', { command: 'token-1' })).html).toContain('<li class="sent newest">');
    expect(states((await lesson.open()).html)).toEqual(['sent newest', 'sent newest', '', '']);
    const called = await lesson.post('send', { command: 'call-2' });
    expect(states(called.html)).toEqual(['sent', 'sent', 'sent newest', 'sent newest']);
    const [, issuer = ''] = /data-lesson-issuer="([^"]+)"/.exec(html) ?? [];
    await ask(issuer, '/oauth2/token', { grant_type: 'client_credentials', scope: 'telemetry:all' });
    const refused = await lesson.open();
    expect(states(refused.html)).toEqual(['sent newest', 'refused newest', '', '']);
    expect(refused.html).toMatch(/<figure[\s\S]*class="st s4">400<\/span> <a href="[^"]+\/dashboard\/problems\/req_/);
  });

  it('has a lane for the demo app, which lights up when the app is told of a sign-out', async () => {
    const lesson = newLearnerPage(agent, sandbox.url, 'logout');
    const { html } = await lesson.start();
    expect(html).toMatch(/<figure class="picture[\s\S]*Demo app[\s\S]*<\/figure>/);
    const [, issuer = ''] = /data-lesson-issuer="([^"]+)"/.exec(html) ?? [];
    await fetch(`${issuer}/demo-app`);
    expect(states((await lesson.open()).html)).toEqual(['', '', '', '', '']);
    await ask(issuer, '/demo-app/back-channel-logout', { logout_token: 'a forged one' });
    expect(states((await lesson.open()).html)).toEqual(['', 'refused newest', '', '', '']);
    // the answer to the browser comes after the app was told
    await fetch(`${issuer}/connect/logout?id_token_hint=wrong`);
    expect(states((await lesson.open()).html)).toEqual(['sent newest', 'refused', 'refused newest', '', '']);
  });

  it('follows a call of the control API that has the text of a message, and no other one', async () => {
    const lesson = newLearnerPage(agent, sandbox.url, 'tests');
    await lesson.start();
    expect(states((await lesson.post('send', { command: 'sign-in-1' })).html)).toEqual(['', '', '', '', '']);
    expect(states((await lesson.post('send', { command: 'fault-1' })).html)).toEqual(['sent newest', '', '', '', '']);
  });

  it('tells requests of one kind apart by a text that they have', async () => {
    const lesson = newLearnerPage(agent, sandbox.url, 'refresh');
    const [, issuer = ''] = /data-lesson-issuer="([^"]+)"/.exec((await lesson.start()).html) ?? [];
    await ask(issuer, '/oauth2/token', { grant_type: 'authorization_code', client_id: 'bike-shop', code: 'wrong' });
    expect(states((await lesson.open()).html)).toEqual(['', '', '', '', '', '']);
    await ask(issuer, '/oauth2/token', { grant_type: 'refresh_token', client_id: 'bike-shop', refresh_token: 'wrong' });
    expect(states((await lesson.open()).html)).toEqual(['sent newest', 'refused newest', '', '', '', '']);
  });
});
