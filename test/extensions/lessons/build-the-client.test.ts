import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join as inFolder } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lesson } from '../../../src/extensions/lessons/16-build-the-client/lesson.ts';
import { shopAt, shopFile, solutionOf } from '../../../src/extensions/lessons/16-build-the-client/shop.ts';
import type { LessonProgress } from '../../../src/extensions/lessons/control.ts';
import { createParticipant } from '../../../src/extensions/lessons/trial/participant.ts';
import { createSandbox, type Sandbox } from '../../../src/index.ts';
import { cookieHeader } from '../../../src/server/wire/cookie-jar.ts';
import { createAgent } from '../../support/agent.ts';
import { newFolder } from '../../support/new-folder.ts';
import { newLearnerPage } from './learner-page.ts';
import { begin, join } from './workshop/learner.ts';

const id = 'build-the-client';
const blocks = lesson.tasks.flatMap(task => solutionOf(task.id));
let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await createSandbox({ port: 0, logLevel: 'silent' });
});
afterAll(() => sandbox.stop());

async function freePort(): Promise<number> {
  const server = createServer().listen(0, 'localhost');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // of a TCP socket
  server.close();
  await once(server, 'close');
  return port;
}

/** Runs the file as a process of its own, until `use` is over. */
async function running(file: string, use: (address: string) => Promise<void>): Promise<void> {
  const path = inFolder(newFolder(), 'careless-client.mjs');
  writeFileSync(path, file);
  const port = await freePort();
  const child: ChildProcess = spawn(process.execPath, [path], { env: { ...process.env, PORT: String(port) } });
  try {
    const [said] = await once(child.stdout ?? child, 'data');
    expect(String(said)).toContain(`http://localhost:${port}/`);
    await use(`http://localhost:${port}`);
  } finally {
    child.kill();
    await once(child, 'exit');
  }
}

async function ask(what: 'reset' | 'progress', learner = ''): Promise<LessonProgress> {
  const url = `${sandbox.url}/_sandbox/lessons/${id}/${what}?learner=${learner}`;
  return (await (await fetch(url, { method: what === 'reset' ? 'POST' : 'GET' })).json()) as LessonProgress;
}

const doneIn = ({ tasks }: LessonProgress) => tasks.filter(({ state }) => state === 'done').map(({ task }) => task);

describe('the file of the lesson', () => {
  it('has a place for each block of the solutions, with the number of its task', () => {
    const places = [...shopFile('', []).matchAll(/^ *\/\/ (\d+)\. .*$/gm)].map(([comment]) => comment);
    expect(places.toSorted()).toEqual(blocks.map(block => block.split('\n', 1)[0]).toSorted());
    for (const [index, task] of lesson.tasks.entries())
      for (const block of solutionOf(task.id)) expect(block, task.id).toMatch(new RegExp(`^ *// ${index + 1}\\. `));
    expect(blocks).toHaveLength(12);
  });

  it('passes the client report as a process with all of its places mended', async () => {
    const { issuer = '', learner } = await ask('reset');
    const by = createParticipant(issuer, id);
    const order = (fault: string) => by.call('/_sandbox/faults', { json: { fault } });
    await running(shopFile(issuer, blocks), async address => {
      const shop = shopAt(by, address);
      await order('wrong_state');
      expect((await shop.signIn()).html).toContain('This state is not mine.');
      await order('wrong_iss');
      expect((await shop.signIn()).html).toContain('This response is of ');
      expect((await shop.signIn()).html).toContain('alice has ordered: City bike, 549 €');
      await by.call('/_sandbox/clock', { json: { advance: '6m' } });
      expect((await shop.open('/')).html).toContain('alice has ordered');
      expect((await shop.open('/sign-out')).html).toContain('Sign in');
    });
    await expect
      .poll(async () => doneIn(await ask('progress', learner)))
      .toEqual(expect.arrayContaining(['run', 'state', 'iss', 'header', 'secret', 'logout', 'report']));
    const report = await (await fetch(`${issuer}/_sandbox/report?client=bike-shop`)).json();
    expect(report.summary).toMatchObject({ fail: 0, warn: 0 });
  });
});

describe('the page of the lesson', () => {
  const agent = () => createAgent(sandbox.url);

  it('offers the file with the issuer of the learner in it, after the start', async () => {
    const browser = agent();
    const page = newLearnerPage(browser, sandbox.url, id);
    const file = `${sandbox.url}/lessons/${id}/files/careless-client.mjs`;
    expect((await page.open()).html).not.toContain('data-testid="lesson-file"');
    expect((await fetch(file)).status).toBe(404);
    const { html } = await page.start();
    const issuer = /data-lesson-issuer="([^"]+)"/.exec(html)?.[1] ?? 'none';
    expect(html).toContain(`href="/lessons/${id}/files/careless-client.mjs" download`);
    const headers = cookieHeader(browser.cookies);
    const sent = await fetch(file, { headers });
    expect(sent.headers.get('Content-Disposition')).toBe('attachment; filename=careless-client.mjs');
    expect(await sent.text()).toBe(`${shopFile(issuer, [])}\n`);
    expect((await fetch(file.replace('careless', 'careful'), { headers })).status).toBe(404);
  });

  it('shows what the report says of the client, with the place to mend, and a check that nothing has shown yet', async () => {
    const page = newLearnerPage(agent(), sandbox.url, id);
    const { html } = await page.start();
    const issuer = /data-lesson-issuer="([^"]+)"/.exec(html)?.[1] ?? '';
    const rows = (text: string) =>
      [...text.matchAll(/<th role="rowheader"[^>]*>([\s\S]*?)<\/th>[\s\S]*?<span class="tag \w+">([^<]+)/g)].map(
        ([, title = '', state = '']) => `${title.replace(/<[^>]+>/g, '')}: ${state}`,
      );
    expect(rows(html)).toHaveLength(10);
    expect(rows(html)).toContain('// 3 Sign-ins use PKCE with S256: Not seen');
    const by = createParticipant(issuer, id);
    await by.open(
      '/oauth2/authorize?response_type=code&client_id=bike-shop&redirect_uri=http://localhost:3000/callback&scope=openid',
    );
    await expect
      .poll(async () => rows((await page.open()).html))
      .toContain('// 3 A sign-in request had no PKCE: Failed');
  });
});

it('works in the seat of a workshop: the commands of the page need no key', async () => {
  const room = await createSandbox({ port: 0, logLevel: 'silent', workshop: 2 });
  try {
    const learner = await join(room);
    const issuer = await begin(learner, id);
    const headers = { ...cookieHeader(learner.agent.cookies), Origin: room.url };
    const at = `${learner.issuer}/lessons/${id}`;
    expect(await (await fetch(`${at}/files/careless-client.mjs`, { headers })).text()).toContain(
      `const issuer = '${issuer}';`,
    );
    const { html } = await learner.agent.open(at);
    const [, command = ''] = /data-testid="lesson-send-(state-\d+)"/.exec(html) ?? [];
    const body = new URLSearchParams({ command });
    await fetch(`${at}/send`, { method: 'POST', headers, body, redirect: 'manual' });
    const faults = await fetch(`${issuer}/_sandbox/faults`, { headers });
    expect((await faults.json()).faults).toMatchObject([{ fault: 'wrong_state' }]);
    expect((await fetch(`${issuer}/_sandbox/faults`)).status, 'nobody else gets in').toBe(401);
    const marked = await fetch(`${issuer}/_sandbox/faults`, { headers: { 'Sandbox-Lesson': 'guessed' } });
    expect(marked.status, 'nor by the name of the mark').toBe(401);
  } finally {
    await room.stop();
  }
});

it('sends a command where CONTROL_TOKEN is set, for a browser in which somebody typed the token', async () => {
  const guarded = await createSandbox({ port: 0, logLevel: 'silent', controlToken: 'open-sesame' });
  try {
    const agent = createAgent(guarded.url);
    const page = newLearnerPage(agent, guarded.url, 'tests');
    await agent.submit(await page.open(), 'control-submit', { token: 'open-sesame' });
    const { html } = await page.start();
    const [, command = ''] = /data-testid="lesson-send-(fault-\d+)"/.exec(html) ?? [];
    const sent = await page.post('send', { command });
    const [, answer = ''] = /data-testid="lesson-answer">([\s\S]*?)<\/section>/.exec(sent.html) ?? [];
    expect(answer).toMatch(/\b201\b[\s\S]*unavailable/);
    expect((await fetch(`${guarded.url}/_sandbox/faults`)).status).toBe(401);
  } finally {
    await guarded.stop();
  }
});
