import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { labs, loadAll } from '../../../src/extensions/lessons/built-in.ts';
import { mistakes } from '../../../src/extensions/lessons/mistakes.ts';
import { resourceServer } from '../../../src/extensions/report/api/resource-server.ts';
import { checks } from '../../../src/extensions/report/checks/index.ts';
import { createSandbox, type Sandbox } from '../../../src/index.ts';
import { referenceUrl } from '../../../src/server/http/reference.ts';
import { createAgent } from '../../support/agent.ts';

const all = mistakes.flatMap(kind => kind.mistakes);
/** Checks of the report that help a client to work, and stop no attacker. */
const harmless = [
  ...['redirect_uri_repeated', 'code_redeemed', 'code_in_time', 'no_redirect_loop', 'client_authentication'],
  ...['polls_patiently', 'parameters_known', 'no_other_refusal', 'refresh_when_due', 'no_expired_token'],
  'resource_known',
];
/** Calls that are good, or that a broken API fails without danger. */
const harmlessCalls = ['good', 'garbage', 'scheme-case', 'clock-skew', 'audience-list', 'dpop', 'keys-back'];
const apiCases = resourceServer.modules.map(({ id }) => id);

describe('the catalogue of mistakes', async () => {
  const lessons = await loadAll();
  const textOf = (id: string) => lessons.find(each => each.id === id)?.text;

  // the mystery shows one of seven that other labs name
  it('names each lab and each check of the report about security, and none that does not exist', () => {
    const ids = checks.map(({ id }) => id);
    expect(new Set(all.flatMap(({ lab }) => lab ?? []))).toEqual(
      new Set(labs.map(({ id }) => id).filter(id => id !== 'mystery')),
    );
    expect(new Set(all.flatMap(({ report }) => report ?? []))).toEqual(
      new Set(ids.filter(id => !harmless.includes(id))),
    );
    for (const id of harmless) expect(ids).toContain(id);
    expect(new Set(all.flatMap(({ api }) => api ?? []))).toEqual(
      new Set(apiCases.filter(name => !harmlessCalls.includes(name))),
    );
  });

  it('leads to a lab or a lesson, the task of a lesson, and a section', () => {
    for (const { mistake, lab, lesson, section } of all) {
      if (lab !== undefined) expect(textOf(lab)?.lab, mistake).toBeDefined();
      const [id = '', task] = lesson?.split('/') ?? [];
      if (lesson !== undefined)
        expect(
          textOf(id)?.tasks.map(each => each.id),
          mistake,
        ).toContain(task);
      expect(referenceUrl(section), mistake).toBeDefined();
    }
  });

  it('has the check that a lab names at its end beside that lab', () => {
    for (const { id, text } of lessons.filter(each => each.text.check !== undefined)) {
      const named = checks.find(({ title }) => title === text.check)?.id;
      const beside = all.filter(({ lab }) => lab === id).flatMap(({ report }) => report ?? []);
      expect(beside, id).toContain(named);
    }
  });
});

describe('/lessons/mistakes', () => {
  let sandbox: Sandbox;
  beforeAll(async () => {
    sandbox = await createSandbox({ port: 0, logLevel: 'silent' });
  });
  afterAll(() => sandbox.stop());

  it('is linked from the list, and leads from a mistake to its lab, its task, its section and the report', async () => {
    const agent = createAgent(sandbox.url);
    const list = await agent.open(`${sandbox.url}/lessons`);
    expect(list.html).toContain('href="/lessons/mistakes"');
    const { html } = await agent.open(`${sandbox.url}/lessons/mistakes`);
    expect(html.match(/data-testid="mistake"/g)).toHaveLength(all.length);
    const row = html.split(`data-testid="mistake"`).find(each => each.includes('The sign-in has no PKCE')) ?? '';
    expect(row).toContain('An attacker redeems a code that he intercepts.');
    for (const link of ['/lessons/code-interception', '/lessons/code-pkce#task-verifier', '/dashboard/report']) {
      expect(row).toContain(`href="${link}"`);
    }
    expect(row).toContain('href="https://www.rfc-editor.org/rfc/rfc9700#section-2.1.1"');
    expect(row).toContain('<code>pkce_s256</code>');
  });
});
