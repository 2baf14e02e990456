import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSandbox, type Sandbox } from '../../../src/index.ts';
import { createAgent } from '../../support/agent.ts';
import { doTask } from './deeds.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await createSandbox({ port: 0, logLevel: 'silent' });
});
afterAll(() => sandbox.stop());

/** The page of a lesson after a solver has worked on a task. */
async function pageAfter(lesson: string, task: string, nearMiss?: string): Promise<string> {
  const agent = createAgent(sandbox.url);
  const address = `${sandbox.url}/lessons/${lesson}`;
  const begun = await agent.submit(await agent.open(address), 'lesson-begin');
  expect(begun.html).toContain('It is drawn after the first');
  const [, issuer = ''] = /data-lesson-issuer="([^"]+)"/.exec(begun.html) ?? [];
  await doTask(issuer, lesson, task, nearMiss);
  const html = async () => (await agent.open(address)).html;
  await expect.poll(html).not.toContain('It is drawn after the first');
  return html();
}

const words = (html: string, label: string) => {
  const [, names = ''] = new RegExp(`<dt>${label}</dt><dd>([\\s\\S]*?)</dd>`).exec(html) ?? [];
  return [...names.matchAll(/<code>([^<]+)/g)].map(([, name]) => name);
};

describe('the rings of the lesson about scopes', () => {
  it('show what was granted, and what was not asked for', async () => {
    const html = await pageAfter('scope', 'refused');
    expect(words(html, 'Granted, in all three')).toEqual(['openid', 'profile', 'products:read']);
    expect(words(html, 'Registered, and not asked for')).toEqual(['orders:read']);
    expect(html).toContain('The user was not asked in this sign-in');
  });

  it('show what the user withheld', async () => {
    const html = await pageAfter('scope', 'consent');
    expect(words(html, 'Granted, in all three')).toEqual(['openid', 'profile', 'products:read']);
    expect(words(html, 'Withheld by the user')).toEqual(['orders:read']);
    expect(html).not.toContain('The user was not asked in this sign-in');
  });
});

describe('the proof beside the token', () => {
  const prints = (html: string) =>
    [...html.matchAll(/<div class="proof-print"><dt>[^<]+<\/dt><dd><code>([^<]+)/g)].map(([, print]) => print);

  it('are joined where the token names the key of the proof', async () => {
    const html = await pageAfter('dpop', 'use');
    expect(html).toContain('proof-pair joined');
    const [own, named] = prints(html);
    expect(own).toMatch(/^[\w-]{43}$/);
    expect(named).toBe(own);
  });

  it('are not joined where the proof has a different key', async () => {
    const html = await pageAfter('dpop', 'use', 'the proof of a different key');
    expect(html).not.toContain('proof-pair joined');
    expect(html).toContain('The proof is signed by a different key than the one that the token names.');
    const [own, named] = prints(html);
    expect(named).not.toBe(own);
  });

  it('say that a request has no proof', async () => {
    const html = await pageAfter('dpop', 'stolen');
    expect(html).toContain('The request has no proof.');
    expect(html).toContain('The request does not prove the key that the token names.');
  });
});
