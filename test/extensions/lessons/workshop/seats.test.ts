import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSandbox, type Sandbox } from '../../../../src/index.ts';
import { ConfigError } from '../../../../src/sandbox/config/problem.ts';
import { observes } from '../../../observed.ts';
import { createAgent } from '../../../support/agent.ts';
import { newLearnerPage } from '../learner-page.ts';
import { begin, join, type Learner, shown, work } from './learner.ts';

const trainerKey = 'the key of the trainer';
let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await createSandbox({ port: 0, logLevel: 'silent', workshop: 4, controlToken: trainerKey });
});
afterAll(() => sandbox.stop());

const control = (url: string, key: string) => fetch(url, { headers: { Authorization: `Bearer ${key}` } });

describe('a workshop', () => {
  observes('setting workshop');
  let first: Learner;
  let second: Learner;
  beforeAll(async () => {
    [first, second] = [await join(sandbox), await join(sandbox)];
  });

  it('leads a browser from the root to the page that joins, with the address and its QR code', async () => {
    const { html, url } = await createAgent(sandbox.url).open(sandbox.url);
    expect(url.pathname).toBe('/join');
    expect(shown(html, 'join-address')).toBe(`${new URL(sandbox.url).host}/join`);
    expect(html).toContain('<svg');
  });

  it('gives each learner a seat with a name of two words, and keeps it', async () => {
    expect(first.name).toMatch(/^[a-z]+-[a-z]+$/);
    expect(first.issuer).toBe(`${sandbox.url}/i/${first.name}`);
    expect(second.name).not.toBe(first.name);
    const again = await first.agent.open(`${sandbox.url}/join`);
    expect(shown(again.html, 'join-seat')).toBe(first.name);
  });

  it('gives a seat to a different browser by its key, and to nobody by a wrong one', async () => {
    const other = createAgent(sandbox.url);
    const page = await other.open(`${sandbox.url}/join`);
    const refused = await other.submit(page, 'join-return', { key: `${first.name}.wrong` });
    expect([refused.status, shown(refused.html, 'join-notice')]).toEqual([403, expect.stringContaining('No seat')]);
    const seated = await other.submit(page, 'join-return', { key: first.key });
    expect(shown(seated.html, 'join-seat')).toBe(first.name);
  });

  it('runs a lesson in the seat, and in no other one', async () => {
    const at = '/lessons/client-credentials';
    const issuer = await begin(first, 'client-credentials');
    expect(issuer).toBe(`${sandbox.url}/i/client-credentials-${first.name}`);
    await work(issuer, 'client-credentials', 'token');
    expect((await first.agent.open(first.issuer + at)).html).toContain('1 of 5 done');
    expect((await second.agent.open(second.issuer + at)).html).toContain('0 of 5 done');
    for (const path of ['/dashboard', '/_sandbox/events']) {
      const response = await fetch(issuer + path, { headers: { Authorization: `Bearer ${second.key}` } });
      expect([path, response.status]).toEqual([path, 401]);
    }
  });

  it('opens the control API of a seat for its key and that of the trainer, and for nobody else', async () => {
    const events = `${first.issuer}/_sandbox/events`;
    const statuses = [first.key, trainerKey, second.key, 'wrong'].map(async key => (await control(events, key)).status);
    expect(await Promise.all(statuses)).toEqual([200, 200, 401, 401]);
    expect((await control(`${sandbox.url}/_sandbox/events`, first.key)).status).toBe(401);
    expect((await control(`${sandbox.url}/_sandbox/events`, trainerKey)).status).toBe(200);
  });

  it('gives the commands for the control API the key of the seat, and sends them with it', async () => {
    const { agent, issuer, key } = first;
    const page = newLearnerPage(agent, issuer, 'tests');
    const { html } = await page.start();
    expect(html).toMatch(new RegExp(`_sandbox/login [^<]*Authorization: Bearer ${key}`));
    expect(html).toContain(`--control-token ${key}`);
    const sent = await page.post('send', { command: 'sign-in-1' });
    expect(sent.html).toMatch(/data-testid="lesson-answer"[\s\S]*class="st ">200</);
  });

  it('sends a learner from the pages of a different seat to the page that joins', async () => {
    for (const path of ['/dashboard', '/lessons', '/playground']) {
      expect((await second.agent.open(first.issuer + path)).url.pathname).toBe('/join');
      expect((await first.agent.open(first.issuer + path)).url.pathname).toBe(`/i/${first.name}${path}`);
    }
  });

  it('lets only the learner into the issuer that their playground creates', async () => {
    const page = await first.agent.open(`${first.issuer}/playground/code`);
    const own = await first.agent.submit(page, 'playground-choose', { client: 'catalogue-spa' });
    expect(own.url.pathname).toMatch(/^\/i\/\w{12}\/playground\/code$/);
    expect(own.html).toContain(`href="${first.issuer}/playground"`);
    expect((await second.agent.open(own.url.href)).url.pathname).toBe('/join');
  });

  it('leads a learner from the pages of the trainer to the one that asks for the key, with a way to a seat', async () => {
    for (const path of ['/dashboard', '/lessons', '/playground']) {
      const asked = await first.agent.open(sandbox.url + path);
      expect(asked.url.pathname).toBe('/room');
      expect(asked.html).toContain('href="/join"');
    }
  });

  it('says so once all seats are taken', async () => {
    await join(sandbox);
    await join(sandbox);
    const page = await createAgent(sandbox.url).open(`${sandbox.url}/join`);
    expect(shown(page.html, 'join-free')).toBe('0 seats are free');
    const refused = await fetch(`${sandbox.url}/join`, { method: 'POST', body: new URLSearchParams() });
    expect([refused.status, await refused.text()]).toEqual([409, expect.stringContaining('All seats are taken')]);
  });
});

it('a workshop has a key of its own where CONTROL_TOKEN is not set', async () => {
  const other = await createSandbox({ port: 0, logLevel: 'silent', workshop: 1 });
  try {
    expect(other.workshop?.key).toMatch(/^[\w-]{16}$/);
    expect((await fetch(`${other.url}/_sandbox/events`)).status).toBe(401);
    expect((await control(`${other.url}/_sandbox/events`, other.workshop?.key ?? '')).status).toBe(200);
  } finally {
    await other.stop();
  }
});

it('a workshop without lessons, or without a dashboard, is an error of the configuration', async () => {
  const refusalOf = async (config: object) =>
    createSandbox({ port: 0, logLevel: 'silent', workshop: 2, ...config }).catch(error => error as ConfigError);
  expect(await refusalOf({ lessons: false })).toBeInstanceOf(ConfigError);
  expect(String(await refusalOf({ lessons: false }))).toContain('a workshop (WORKSHOP) is made of the lessons');
  expect(String(await refusalOf({ dashboard: 'readonly' }))).toContain('a workshop (WORKSHOP)');
});
