import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LabReport, LessonProgress } from '../../../../src/extensions/lessons/control.ts';
import { createSandbox, type Sandbox } from '../../../../src/index.ts';
import { observes } from '../../../observed.ts';
import { type Agent, createAgent } from '../../../support/agent.ts';

const id = 'refresh-theft';
let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await createSandbox({ port: 0, logLevel: 'silent' });
});
afterAll(() => sandbox.stop());

const stateOf = (html: string, task: string) =>
  /<span class="tag \w+">([^<]+)/.exec(html.slice(html.indexOf(`id="state-${task}"`)))?.[1];
const partOf = (html: string, testid: string) =>
  html.slice(html.indexOf(`data-testid="${testid}"`)).split('</section>', 1)[0];

describe('the page of a lab, without scripts', () => {
  let agent: Agent;
  beforeAll(() => {
    agent = createAgent(sandbox.url);
  });
  const open = () => agent.open(`${sandbox.url}/lessons/${id}`);

  it('is listed below the lessons', async () => {
    const { html } = await agent.open(`${sandbox.url}/lessons`);
    expect(html.indexOf(`/lessons/${id}"`)).toBeGreaterThan(html.indexOf('data-testid="labs"'));
  });

  it('keeps a prediction, and does not say whether it is right before the attack', async () => {
    await agent.submit(await open(), 'lesson-begin');
    const predicted = await agent.submit(await open(), 'lesson-answer-predict', { option: 'a' });
    expect(predicted.html).toContain('The attack shows whether you are right.');
    expect(predicted.html).not.toContain('Nothing in the requests tells them apart');
  });

  it('runs the steps, links their requests, and shows what the attacker saw', async () => {
    const stepped = await agent.submit(await open(), 'lab-step-login');
    expect(stepped.html).toContain('The refresh token, which Mallory reads in a log');
    expect(stateOf(stepped.html, 'attack')).not.toBe('Done');
    expect(stateOf(stepped.html, 'again'), 'a switch is not an attempt').toBe('Not yet');
    const attacked = await agent.submit(await open(), 'lab-attack-attack');
    expect(stateOf(attacked.html, 'attack')).toBe('Done');
    expect(partOf(attacked.html, 'lab-steps-attack')).toMatch(
      /\/dashboard\/requests\/req_\w+"><code>POST [^<]*\/oauth2\/token/,
    );
    expect(attacked.html, 'the wrong prediction').toContain('Nothing in the requests tells them apart');
  });

  it('names what is careless, switches the defence on, and compares the two attacks', async () => {
    expect((await open()).html).toContain('The client lab-shop has <code>refresh_token_rotation</code>: false.');
    expect(partOf((await open()).html, 'lab-changed')).not.toContain('lab-comparison"><');
    const defended = await agent.submit(await open(), 'lab-defend');
    expect(defended.html).not.toContain('data-testid="lab-attack-attack"');
    const again = await agent.submit(defended, 'lab-attack-again');
    expect(stateOf(again.html, 'again')).toBe('Done');
    const rows = partOf(again.html, 'lab-comparison')?.match(/<tr class="lab-differs">[\s\S]*?<\/tr>/g) ?? [];
    expect(rows).toHaveLength(3);
    expect(rows[0]).toMatch(/Mallory[\s\S]*>200<[\s\S]*>400<[\s\S]*invalid_grant/);
  });

  it('does a task again with the defence that the task needs', async () => {
    const attack = await agent.submit(await open(), 'lesson-again-attack');
    expect(attack.html).toContain('data-testid="lab-attack-attack"');
    expect(stateOf(attack.html, 'attack')).not.toBe('Done');
    const again = await agent.submit(attack, 'lesson-again-again');
    expect(again.html).toContain('data-testid="lab-attack-again"');
    expect(stateOf(again.html, 'again')).toBe('Not yet');
  });
});

describe('the difference of two attacks', () => {
  it('shows that the user decided differently', async () => {
    const agent = createAgent(sandbox.url);
    const open = () => agent.open(`${sandbox.url}/lessons/device-phishing`);
    for (const button of ['lesson-begin', 'lab-attack-attack', 'lab-defend', 'lab-attack-again']) {
      await agent.submit(await open(), button);
    }
    const text = partOf((await open()).html, 'lab-comparison')?.replace(/<[^>]*>|\s+/g, ' ');
    expect(text).toContain('decision=allow');
    expect(text).toContain('decision=deny');
  });
});

describe('the buttons of a lab in the control API', () => {
  observes('operation attackInLab', 'operation switchLabDefence');

  async function post<T>(path: string, body: object = {}): Promise<{ readonly status: number; readonly body: T }> {
    const response = await fetch(`${sandbox.url}/_sandbox/lessons/${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
    return { status: response.status, body: (await response.json()) as T };
  }
  const steps = ({ steps }: LabReport) => steps.map(({ step }) => step);

  it('run one step or all of them, and switch the defence', async () => {
    const { learner } = (await post<LessonProgress>(`${id}/start`)).body;
    const at = (what: string) => `${id}/${what}?learner=${learner}`;
    expect(steps((await post<LabReport>(at('attack'), { step: 'login' })).body)).toEqual(['login']);
    const all = ['login', 'shop', 'thief', 'later', 'thief-later'];
    expect(steps((await post<LabReport>(at('attack'))).body)).toEqual(all);
    expect((await post<LabReport>(at('defence'), { isDefended: true })).body).toEqual({ isDefended: true, steps: [] });
    const { isDefended, steps: last } = (await post<LabReport>(at('attack'))).body;
    expect(isDefended).toBe(true);
    expect(last.at(-1)?.seen).toEqual([{ label: 'Response', value: '400 invalid_grant' }]);
  });

  it('say why a step that runs too early ended', async () => {
    const { learner } = (await post<LessonProgress>(`${id}/start`)).body;
    const { body } = await post<LabReport>(`${id}/attack?learner=${learner}`, { step: 'thief' });
    expect(body.steps[0]?.stopped).toBe('There is no stolen refresh token: an earlier step did not get it.');
  });

  it.each(['attack', 'defence'])('answer 404 at %s for a lab that has not started, and for a lesson', async what => {
    const body = what === 'defence' ? { isDefended: true } : {};
    expect((await post(`${id}/${what}?learner=nobody`, body)).status).toBe(404);
    const { learner } = (await post<LessonProgress>('client-credentials/start')).body;
    expect((await post(`client-credentials/${what}?learner=${learner}`, body)).status).toBe(404);
  });
});

it('compares the decision of the application where no status differs', async () => {
  const agent = createAgent(sandbox.url);
  let page = await agent.submit(await agent.open(`${sandbox.url}/lessons/email-as-key`), 'lesson-begin');
  for (const button of ['lab-attack-attack', 'lab-defend', 'lab-attack-again']) page = await agent.submit(page, button);
  const [row = ''] = partOf(page.html, 'lab-comparison')?.match(/<tr class="lab-differs">[\s\S]*?<\/tr>/g) ?? [];
  expect(row).toMatch(/signs mallory in to the account of alice[\s\S]*signs mallory in to the account of mallory/);
});
