import { afterAll, beforeAll, expect, it } from 'vitest';
import type { LessonProgress } from '../../../src/extensions/lessons/control.ts';
import { solverOf } from '../../../src/extensions/lessons/solvers.ts';
import { createParticipant } from '../../../src/extensions/lessons/trial/participant.ts';
import { createSandbox, type Sandbox } from '../../../src/index.ts';
import { loadConfig } from '../../support/load-config.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await createSandbox({
    port: 0,
    logLevel: 'silent',
    autoLogin: 'alice',
    consent: true,
    apiTokenCheck: 'introspection',
    accessTokenLifetime: 7,
    features: { 'backchannel-logout': false },
  });
});
afterAll(() => sandbox.stop());

it.each([
  ['code-pkce', 'login'],
  ['logout', 'told'],
  ['logout', 'alive'],
])('the settings of the sandbox change nothing in lesson %s', async (id, task) => {
  const at = `${sandbox.url}/_sandbox/lessons/${id}`;
  const { issuer = '', learner }: LessonProgress = await (await fetch(`${at}/start`, { method: 'POST' })).json();
  await (await solverOf(id))[task]?.solve(createParticipant(issuer, id));
  const state = async () => {
    const { tasks }: LessonProgress = await (await fetch(`${at}/progress?learner=${learner}`)).json();
    return tasks.find(each => each.task === task)?.state;
  };
  await expect.poll(state).toBe('done');
});

it('an issuer that is alone has the settings of the whole sandbox, and the defaults of all others', async () => {
  const env = { AUTO_LOGIN: 'alice', CONTROL_TOKEN: 'a token of the control API', OUTBOUND: 'loopback' };
  const config = await loadConfig({ env, flags: { consent: 'on' }, overrides: { codeLifetime: 7 } });
  expect(await config.derive('config', {})).toMatchObject({ autoLogin: 'alice', consent: true, codeLifetime: 7 });
  const alone = await config.derive('config', { loginMode: 'picker' }, true);
  expect(alone).toMatchObject({ controlToken: env.CONTROL_TOKEN, outbound: 'loopback', loginMode: 'picker' });
  expect(alone.autoLogin).toBeUndefined();
  expect(alone).toMatchObject({ consent: false, codeLifetime: 60 });
});
