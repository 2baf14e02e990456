import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { textView } from '../../../src/extensions/lessons/pages/text-view.ts';
import { solverOf } from '../../../src/extensions/lessons/solvers.ts';
import { toHtml, toLine } from '../../../src/extensions/lessons/text/to-html.ts';
import { createParticipant } from '../../../src/extensions/lessons/trial/participant.ts';
import { createSandbox, type Sandbox } from '../../../src/index.ts';
import { type Agent, createAgent } from '../../support/agent.ts';
import { doTask } from './deeds.ts';
import { newLearnerPage } from './learner-page.ts';

const id = 'client-credentials';
let sandbox: Sandbox;
let agent: Agent;
beforeAll(async () => {
  sandbox = await createSandbox({ port: 0, logLevel: 'silent' });
  agent = createAgent(sandbox.url);
});
afterAll(() => sandbox.stop());

const open = () => agent.open(`${sandbox.url}/lessons/${id}`);
const issuerOn = (html: string) => /data-lesson-issuer="([^"]+)"/.exec(html)?.[1] ?? '';
const stateOf = (html: string, task: string) =>
  /<span class="tag \w+">([^<]+)/.exec(html.slice(html.indexOf(`id="state-${task}"`)))?.[1];

describe('the pages of the lessons, without scripts', () => {
  it('are in the navigation', async () => {
    const home = await agent.open(`${sandbox.url}/dashboard`);
    expect(home.html).toContain('href="/lessons"');
  });

  it("start a lesson, with the learner's issuer in the commands", async () => {
    expect((await open()).html).toContain('YOUR_ISSUER/oauth2/token');
    const page = await agent.submit(await open(), 'lesson-begin');
    expect(page.html).toContain(`${issuerOn(page.html)}/oauth2/token`);
    expect(page.html).not.toContain('YOUR_ISSUER');
    expect(issuerOn(page.html)).toMatch(/\/i\/client-credentials-\w+$/);
  });

  it('link a task that is done to its request, say what a close one lacks, and show refusals by their explanation', async () => {
    const issuer = issuerOn((await open()).html);
    await doTask(issuer, id, 'call', 'a measurement without the temperature');
    const { html } = await open();
    expect(stateOf(html, 'token')).toBe('Done');
    expect(html).toContain(`href="${issuer}/dashboard/requests/req_`);
    expect(stateOf(html, 'call')).toBe('Close');
    expect(html.match(/data-testid="lesson-says"/g), 'only at the task in work').toHaveLength(1);
    expect(html).toMatch(/data-testid="lesson-says">The row has invalid fields\. .*>Your request</);
    expect(stateOf(html, 'secret')).toBe('Not yet');
    expect(html).toMatch(/data-testid="lesson-refusals"[\s\S]*\/dashboard\/problems\/req_/);
  });

  it('say at the task in work what is wrong with the newest request, in words, and nothing of an older one', async () => {
    const url = `${sandbox.url}/lessons/code-pkce`;
    const issuer = issuerOn((await agent.submit(await agent.open(url), 'lesson-begin')).html);
    const told = async () => {
      const { html } = await agent.open(url);
      return [...html.matchAll(/data-testid="lesson-says">([^<]*)/g)].map(([, text]) => text?.trim());
    };
    expect(await told()).toEqual([]);
    await doTask(issuer, 'code-pkce', 'make');
    await doTask(issuer, 'code-pkce', 'login', 'Alice in place of Bob');
    await expect.poll(told).toEqual(['That was not Bob, and the browser stays signed in. Add']);
    await doTask(issuer, 'code-pkce', 'redeem', 'a typo in the verifier');
    await expect.poll(told).toEqual([expect.stringMatching(/^The verifier is not the one of this challenge\./)]);
    await doTask(issuer, 'code-pkce', 'redeem');
    await expect.poll(told).toEqual([]);
    const { html } = await agent.open(url);
    expect(html).not.toMatch(/requests seen/);
  });

  it('say which placeholder of a command was sent, and offer to do a task again only when it is begun', async () => {
    const url = `${sandbox.url}/lessons/token`;
    const begun = await agent.submit(await agent.open(url), 'lesson-begin');
    expect(begun.html).not.toContain('data-testid="lesson-again-');
    const headers = { Authorization: 'Bearer YOUR_ACCESS_TOKEN' };
    await fetch(`${issuerOn(begun.html)}/api/telemetry`, { headers });
    const says = /data-testid="lesson-says">Your request has <code>YOUR_ACCESS_TOKEN<\/code> in it/;
    await expect.poll(async () => (await agent.open(url)).html).toMatch(says);
    const again = (await agent.open(url)).html.match(/data-testid="lesson-again-\w+/g);
    expect(again).toEqual(['data-testid="lesson-again-read']);
  });

  it('show the five newest refusals, and fold the older ones', async () => {
    const url = `${sandbox.url}/lessons/token`;
    const issuer = issuerOn((await agent.open(url)).html);
    for (const path of ['a', 'b', 'c', 'd', 'e', 'f']) await fetch(`${issuer}/${path}`);
    const list = async () => /id="lesson-refusals"[\s\S]*?<\/section>/.exec((await agent.open(url)).html)?.[0] ?? '';
    await expect.poll(list).toContain('2 older');
    expect((await list()).split('<details>').map(part => part.match(/<li>/g)?.length)).toEqual([5, 2]);
  });

  it('count the requests of a task that somebody has begun, and say what is next', async () => {
    const url = `${sandbox.url}/lessons/device`;
    const issuer = issuerOn((await agent.submit(await agent.open(url), 'lesson-begin')).html);
    for (const task of ['start', 'wait', 'hurry']) await doTask(issuer, 'device', task);
    const seen = async () =>
      [...(await agent.open(url)).html.matchAll(/(\d of \d requests seen\. Next: [^<]*)</g)].map(([, text]) =>
        text?.replace(/\s+/g, ' ').trim(),
      );
    expect(await seen(), 'done by the tasks before').toEqual([]);
    await doTask(issuer, 'device', 'start');
    await expect.poll(seen).toEqual(['1 of 3 requests seen. Next: deny it in the browser.']);
  });

  it('count a request that did half of what is asked as not seen', async () => {
    const page = newLearnerPage(createAgent(sandbox.url), sandbox.url, id);
    const { html } = await page.start();
    await doTask(issuerOn(html), id, 'token', 'a typo in the scope');
    const said = (await page.open()).html;
    expect(said).toContain('data-testid="lesson-says"');
    expect(said).not.toMatch(/requests seen/);
  });

  it('show the request beside the button that sends it', async () => {
    const { html } = await open();
    const [, form = ''] = /<form[^>]+data-form="page"[^>]*>([\s\S]*?)<\/form>/.exec(html) ?? [];
    expect(form).toContain('/oauth2/token -d grant_type=client_credentials');
    expect(form).toContain('data-testid="lesson-send-token-1"');
  });

  it('keep a hint open once it is opened, and a solution, too', async () => {
    const hinted = await agent.submit(await open(), 'lesson-hint-scope');
    expect(hinted.html).toContain('Take the first line of this lesson');
    const solved = await agent.submit(hinted, 'lesson-solution-scope');
    expect(solved.html).toContain('The server knows the client');
    expect((await open()).html).toContain('Take the first line of this lesson');
  });

  it('ask a question, and explain the right answer', async () => {
    const wrong = await agent.submit(await open(), 'lesson-answer-whose', { option: 'a' });
    expect(wrong.html).toContain('Nobody has signed in');
    expect(wrong.html).toContain('One question is asked again here');
    expect(wrong.html).not.toContain('The token names the client, and no person');
    const right = await agent.submit(wrong, 'lesson-answer-whose', { option: 'b' });
    expect(right.html).toContain('The token names the client, and no person');
  });

  it('ask a missed question once more when all else is done, and link no answer', async () => {
    const url = `${sandbox.url}/lessons/discovery`;
    const begun = await agent.submit(await agent.open(url), 'lesson-begin');
    const [, options] = /data-testid="lesson-quiz"[\s\S]*?<fieldset([\s\S]*?)<\/fieldset>/.exec(begun.html) ?? [];
    expect(options).toContain('https://login.example/</span>');
    expect(options).not.toContain('<a ');
    const missed = await agent.submit(begun, 'lesson-answer-same', { option: 'a' });
    expect(missed.html).toMatch(/data-testid="lesson-why">[\s\S]*one character more/);
    await agent.submit(missed, 'lesson-answer-same', { option: 'c' });
    for (const { solve } of Object.values(await solverOf('discovery')))
      await solve(createParticipant(issuerOn(begun.html), 'discovery'));
    await expect.poll(async () => (await agent.open(url)).html).toContain('4 of 4 done');
    const end = await agent.open(url);
    expect(end.html).toContain('You missed one question at first');
    const again = await agent.submit(end, 'lesson-answer-same:again', { option: 'c' });
    expect(again.html.slice(again.html.indexOf('Asked again'))).toContain('<span class="tag ok">Right</span>');
  });

  it('show code in a heading as code', async () => {
    const heading = /<h2[^>]*>[^<]*Whose name is in its <code>aud<\/code>\?<\/h2>/;
    for (const path of ['id-token', 'id-token/handout'])
      expect((await agent.open(`${sandbox.url}/lessons/${path}`)).html).toMatch(heading);
  });

  it('forget one task by Do it again, and all of them by Reset', async () => {
    const again = await agent.submit(await open(), 'lesson-again-token');
    expect(stateOf(again.html, 'token')).toBe('Not yet');
    await doTask(issuerOn(again.html), id, 'token');
    expect(stateOf((await open()).html, 'token')).toBe('Done');
    const reset = await agent.submit(await open(), 'lesson-begin');
    expect(stateOf(reset.html, 'token')).toBe('Not yet');
    expect(reset.html).not.toContain('data-testid="lesson-refusals"');
    expect(reset.html).not.toContain('Take the first line of this lesson');
  });

  it('have a handout with blanks, and without hints and solutions', async () => {
    expect((await open()).html).toContain(`href="/lessons/${id}/handout"`);
    const { html } = await agent.open(`${sandbox.url}/lessons/${id}/handout`);
    expect(html).toContain('curl -u ________:________ ________/oauth2/token');
    expect(html).not.toContain('Run the line above as it is');
    expect(html).not.toContain('writes the header for you');
    expect((await agent.open(`${sandbox.url}/lessons/nothing/handout`)).status).toBe(404);
  });

  it('are a 404 for an unknown lesson, and refuse the form of a different site', async () => {
    expect((await agent.open(`${sandbox.url}/lessons/nothing`)).status).toBe(404);
    const foreign = await fetch(`${sandbox.url}/lessons/${id}/start`, {
      method: 'POST',
      headers: { Origin: 'https://evil.example' },
    });
    expect(foreign.status).toBe(403);
  });
});

it('LESSONS=off leaves out the pages and the line in the navigation', async () => {
  const without = await createSandbox({ port: 0, logLevel: 'silent', lessons: false });
  try {
    const other = createAgent(without.url);
    expect((await other.open(`${without.url}/lessons`)).status).toBe(404);
    expect((await other.open(`${without.url}/dashboard`)).html).not.toContain('href="/lessons"');
  } finally {
    await without.stop();
  }
});

it('a body that is too large is refused as such', async () => {
  const headers = { Accept: 'text/html', 'Content-Type': 'application/x-www-form-urlencoded' };
  const body = `value=${'x'.repeat(2_000_000)}`;
  const response = await fetch(`${sandbox.url}/lessons/${id}/fill`, { method: 'POST', headers, body });
  expect(response.status).toBe(413);
  expect(sandbox.events.latest('error.returned', 1)).toMatchObject([{ reason: 'body_too_large' }]);
});

it('HTML in a lesson is shown as text, and a link runs no script', () => {
  const html = toHtml('Text <script>alert(1)</script> [a](javascript:alert(2)) ![b](https://x.test/b.png) {{issuer}}', {
    issuer: 'http://localhost:9000/i/x',
  });
  expect(html).not.toMatch(/<script|javascript:|<img/);
  expect(html).toContain('http://localhost:9000/i/x');
  expect(toLine('Aim <script>alert(1)</script> ![b](https://x.test/b.png)')).not.toMatch(/<script|<img/);
});

it('HTML in a command, and in the value that a learner typed for it, is shown as text', () => {
  const run = undefined;
  const fields = [{ name: 'code', from: 'code', label: 'the code' }];
  const values = { issuer: 'http://localhost:9000/i/x', code: '<img src=x>' };
  const text = '```sh\ncurl {{issuer}} -d code={{code}} -d a="<script>alert(1)</script>"\n```\n';
  const [part] = textView(text, 'task', { run, fields, values });
  const { forms = [] } = (part as { command?: { forms: readonly { html: string }[] } }).command ?? {};
  expect(forms.map(({ html }) => html).join('\n')).toMatch(/code=.*&lt;img src=x&gt;/);
  expect(forms.map(({ html }) => html).join('\n')).not.toMatch(/<script|<img/);
});
