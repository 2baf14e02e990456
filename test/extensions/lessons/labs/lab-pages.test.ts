import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { builtIn } from '../../../../src/extensions/lessons/built-in.ts';
import type { LabReport, LessonProgress } from '../../../../src/extensions/lessons/control.ts';
import { readLessonText } from '../../../../src/extensions/lessons/text/lesson-text.ts';
import type { SolverVisit } from '../../../../src/extensions/lessons/trial/agent.ts';
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

/** The steps of a round, a line each. */
const linesOf = (html: string, round: string) =>
  [
    ...(partOf(html, `lab-steps-${round}`) ?? '')
      .split('</ol>', 1)
      .join()
      .matchAll(/<summary>([\s\S]*?)<\/summary>/g),
  ].map(([, line = '']) =>
    line
      .replace(/<[^>]*>/g, '')
      .replace(/\s+/g, ' ')
      .trim(),
  );
/** The page with a form that it does not show. */
const withForm = (
  page: SolverVisit,
  action: string,
  fields: Readonly<Record<string, string>> = {},
  testid = 'late',
) => {
  const inputs = Object.entries(fields).map(([name, value]) => `<input type="hidden" name="${name}" value="${value}">`);
  const form = `<form method="post" action="${action}">${inputs.join('')}<button data-testid="${testid}"></button></form>`;
  return { ...page, html: form };
};
const withButton = (page: SolverVisit) =>
  withForm(page, `${sandbox.url}/lessons/${id}/attack`, {}, 'lab-attack-attack');

/** Runs a lab by its buttons, with these predictions, and returns its page after each attack. */
async function attackTwice(lab: string, second: string): Promise<readonly [open: string, defended: string]> {
  const agent = createAgent(sandbox.url);
  let page = await agent.submit(await agent.open(`${sandbox.url}/lessons/${lab}`), 'lesson-begin');
  page = await agent.submit(page, 'lesson-answer-predict', { option: 'a' });
  const open = await agent.submit(page, 'lab-attack-attack');
  page = await agent.submit(open, 'lab-defend');
  page = await agent.submit(page, 'lesson-answer-predict-again', { option: second });
  return [open.html, (await agent.submit(page, 'lab-attack-again')).html];
}

describe('the page of a lab, without scripts', () => {
  let agent: Agent;
  beforeAll(() => {
    agent = createAgent(sandbox.url);
  });
  const open = () => agent.open(`${sandbox.url}/lessons/${id}`);

  it('is listed beside its lesson', async () => {
    const { html } = await agent.open(`${sandbox.url}/lessons`);
    const pair = html.split('<li').find(row => row.includes('/lessons/refresh"'));
    expect(pair).toContain(`/lessons/${id}"`);
  });

  it('keeps a prediction, and does not say whether it is right before the attack', async () => {
    await agent.submit(await open(), 'lesson-begin');
    const start = await open();
    expect(partOf(start.html, 'lesson-state-attack'), 'the switch of the defence is no request').not.toMatch(
      /\d of \d/,
    );
    expect(start.html, 'no step runs before the prediction').not.toMatch(/lab-step-|lab-attack-/);
    await agent.submit(withButton(start), 'lab-attack-attack');
    expect(partOf((await open()).html, 'lab-steps-attack')).not.toContain('lab-requests');
    const predicted = await agent.submit(await open(), 'lesson-answer-predict', { option: 'a' });
    expect(partOf(predicted.html, 'lab-prediction-predict')).toContain('Predicted');
    expect(predicted.html).not.toContain('Nothing in the requests tells them apart');
  });

  it('tells the defence and its question only after the attack', async () => {
    for (const testid of ['lab-defence', 'lab-changed', 'lab-yours', 'lesson-quiz'])
      expect((await open()).html).not.toContain(`data-testid="${testid}"`);
  });

  it('runs the steps, links their requests, and shows what the attacker saw', async () => {
    const stepped = await agent.submit(await open(), 'lab-step-login');
    expect(stepped.html).toContain('The refresh token, which Mallory reads in a log');
    expect(stateOf(stepped.html, 'attack')).not.toBe('Done');
    expect(partOf(stepped.html, 'lesson-state-attack')).toContain('1 of 5 steps run. Next: The shop refreshes.');
    const attacked = await agent.submit(await open(), 'lab-attack-attack');
    expect(stateOf(attacked.html, 'attack')).toBe('Done');
    expect(stateOf(attacked.html, 'again'), 'a switch is not an attempt').toBe('Not yet');
    expect(partOf(attacked.html, 'lab-steps-attack')).toMatch(
      /\/dashboard\/requests\/req_\w+"><code>POST [^<]*\/oauth2\/token/,
    );
    const prediction = partOf(attacked.html, 'lab-prediction-predict');
    expect(prediction, 'the wrong prediction, beside the result').toMatch(
      /by the two addresses[\s\S]*Wrong[\s\S]*Nobody/,
    );
    expect(prediction).toContain('Nothing in the requests tells them apart');
    expect(prediction, 'what was predicted stays').not.toContain('lesson-answer-predict');
    expect(linesOf(attacked.html, 'attack')[2]).toBe('Mallory refreshes: yes');
    expect(partOf(attacked.html, 'lab-steps-attack'), 'the steps are folded').not.toContain(
      '<details class="plain" open',
    );
  });

  it('keeps what was predicted, whatever is sent after the attack', async () => {
    const url = `${sandbox.url}/lessons/${id}/answer`;
    await agent.submit(withForm(await open(), url, { question: 'predict', option: 'b' }), 'late');
    expect(partOf((await open()).html, 'lab-prediction-predict')).toMatch(/by the two addresses[\s\S]*Wrong/);
  });

  it('names what is careless, switches the defence on, and compares the two attacks', async () => {
    expect((await open()).html).toContain('The client lab-shop has <code>refresh_token_rotation</code>: false.');
    expect(partOf((await open()).html, 'lab-changed')).not.toContain('lab-comparison"><');
    const defended = await agent.submit(await open(), 'lab-defend');
    expect(defended.html).not.toContain('data-testid="lab-attack-attack"');
    expect(defended.html, 'a prediction of its own').not.toContain('data-testid="lab-attack-again"');
    const predicted = await agent.submit(defended, 'lesson-answer-predict-again', { option: 'thief' });
    const again = await agent.submit(predicted, 'lab-attack-again');
    expect(stateOf(again.html, 'again')).toBe('Done');
    expect(partOf(again.html, 'lab-prediction-predict-again')).toMatch(/Mallory refreshes[\s\S]*Right/);
    expect(linesOf(again.html, 'again')[2]).toBe('Mallory refreshes: no The refresh token of lab-shop was used twice');
    expect(again.html).toContain('data-testid="lesson-quiz"');
    const rows = partOf(again.html, 'lab-comparison')?.match(/<tr class="lab-differs">[\s\S]*?<\/tr>/g) ?? [];
    expect(rows).toHaveLength(3);
    expect(partOf(again.html, 'lab-comparison'), 'the others are folded').toMatch(/\d+ requests are the same/);
    expect(rows[0]).toMatch(/Mallory[\s\S]*>200<[\s\S]*>400<[\s\S]*invalid_grant/);
  });

  it('keeps both attacks when the defence is switched off for the desk', async () => {
    const off = await agent.submit(await open(), 'lab-defend');
    expect(linesOf(off.html, 'attack')[2]).toBe('Mallory refreshes: yes');
    expect(partOf(off.html, 'lab-changed')).toContain('<table class="lab-comparison"');
    await agent.submit(off, 'lab-defend');
  });

  it('does a task again with the defence that the task needs', async () => {
    const attack = await agent.submit(await open(), 'lesson-again-attack');
    expect(attack.html).toContain('data-testid="lab-attack-attack"');
    expect(stateOf(attack.html, 'attack')).not.toBe('Done');
    expect(linesOf(attack.html, 'attack')[2], 'the old result is forgotten').toBe('Mallory refreshes');
    const again = await agent.submit(attack, 'lesson-again-again');
    expect(again.html).toContain('data-testid="lab-attack-again"');
    expect(stateOf(again.html, 'again')).toBe('Not yet');
  });
});

it('the difference of two attacks shows that the user decided differently', async () => {
  const [, html] = await attackTwice('device-phishing', 'decide');
  const text = partOf(html, 'lab-comparison')?.replace(/<[^>]*>|\s+/g, ' ');
  expect(text).toContain('decision=allow');
  expect(text).toContain('decision=deny');
});

const labs = (
  await Promise.all(builtIn.map(async ({ id, load }) => ({ id, text: readLessonText(id, (await load()).text) })))
).filter(({ text }) => text.lab !== undefined);

it.each(labs)('lab $id is stopped first at the step that its text names', async ({ id, text: { stops = '', lab } }) => {
  const [open, defended] = await attackTwice(id, stops);
  const [before, after] = [linesOf(open, 'attack'), linesOf(defended, 'again')];
  const first = after.findIndex((line, index) => line !== before[index]);
  expect([...(lab?.steps.keys() ?? [])][first], after.join('; ')).toBe(stops);
  expect(partOf(defended, 'lab-prediction-predict-again')).toContain('>Right<');
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
  const [, html] = await attackTwice('email-as-key', 'account');
  const [row = ''] = partOf(html, 'lab-comparison')?.match(/<tr class="lab-differs">[\s\S]*?<\/tr>/g) ?? [];
  expect(row).toMatch(/signs mallory in to the account of alice[\s\S]*signs mallory in to the account of mallory/);
});
