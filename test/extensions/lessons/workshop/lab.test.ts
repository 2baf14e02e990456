import { afterAll, beforeAll, expect, it } from 'vitest';
import { createSandbox, type Sandbox } from '../../../../src/index.ts';
import { createAgent } from '../../../support/agent.ts';
import { join, shown } from './learner.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await createSandbox({ port: 0, logLevel: 'silent', workshop: 2, controlToken: 'the key of the trainer' });
});
afterAll(() => sandbox.stop());

it('a seat does a lab with two issuers by the buttons of its page, and nobody else sees it', async () => {
  const [learner, neighbour] = [await join(sandbox), await join(sandbox)];
  const page = `${learner.issuer}/lessons/mix-up`;
  let visit = await learner.agent.submit(await learner.agent.open(page), 'lesson-begin');
  for (const button of ['lab-attack-attack', 'lab-defend', 'lab-attack-again']) {
    visit = await learner.agent.submit(visit, button);
  }
  const { html } = await learner.agent.open(page);
  expect(shown(html, 'lesson-progress')).toBe('2 of 4 done');
  const [, issuer = ''] = /data-lesson-issuer="([^"]+)"/.exec(html) ?? [];
  for (const dashboard of [`${issuer}/dashboard`, `${issuer}-second/dashboard`]) {
    expect((await learner.agent.open(dashboard)).status, dashboard).toBe(200);
    const elsewhere = await neighbour.agent.open(dashboard);
    expect(elsewhere.url.href, dashboard).not.toContain('mix-up');
    expect((await createAgent(sandbox.url).open(dashboard)).url.href, dashboard).not.toContain('mix-up');
  }
});
