import { afterAll, beforeAll, expect, it } from 'vitest';
import type { JunitCase } from '../../../src/base/text/junit-xml.ts';
import { atOnce } from '../../../src/base/turns.ts';
import { flowSuite } from '../../../src/extensions/report/flow-cases.ts';
import type { SandboxConfig } from '../../../src/index.ts';
import { createSandbox, type Sandbox } from '../../../src/index.ts';
import { createFlowIndex } from '../../../src/record/flows/flow-index.ts';
import { createAgent } from '../../support/agent.ts';
import * as script from '../../support/flow-scripts.ts';
import { settled } from '../../support/flows.ts';
import { authorizeQuery, callback, get, post, redeem } from '../../support/wire.ts';
import { fresh, logIn, settle } from './world.ts';

const config: SandboxConfig = {
  clients: [{ client_id: 'frontend', redirect_uris: [callback], scope: 'openid profile email products:read' }],
};
const secret = 'a-verifier-that-nobody-else-may-know-0123456789';

let sandbox: Sandbox;
let cases: readonly JunitCase[];
beforeAll(async () => {
  sandbox = await createSandbox(config);
  const { url } = sandbox;
  await logIn(url);
  await logIn(url);
  const { code } = await script.walkToCode(url, fresh().parameters);
  await settle(redeem(url, code, { code_verifier: secret }));
  await settle(get(`${url}/oauth2/authorize?${authorizeQuery({ state: 'waits' })}`));
  await sandbox.faults.arm({ fault: 'server_error', endpoint: 'token', times: 1 });
  await settle(post(`${url}/oauth2/token`, { grant_type: 'client_credentials', client_id: 'frontend' }));
  await sandbox.nextLogin({ action: 'access_denied' });
  await createAgent(url).open(`${url}/oauth2/authorize?${authorizeQuery({ state: 'said-no' })}`);
  await settled(sandbox);
  const { events, clock, issuer } = sandbox;
  const flows = [...createFlowIndex(events, clock).latest(100)].reverse();
  const known = { events, clock, issuer, iss: issuer, base: '', scopes: [], endpoints: [], accounts: () => [] };
  const clean = (text: string) => text.replaceAll(secret, '[redacted]');
  cases = atOnce(flowSuite(flows, { ...known, registered: () => [] }, clean)).cases;
});
afterAll(() => sandbox.stop());

const outcomes = () => cases.map(({ name, outcome }) => [name, outcome]);

it('passes what came to its end, fails what was refused, and skips what waits, was staged or was meant', () => {
  expect(outcomes()).toEqual([
    ['Sign-in with a code, frontend, alice', 'passed'],
    ['Sign-in with a code, frontend, alice (2)', 'passed'],
    ['Sign-in with a code, frontend, alice (3)', 'failed'],
    ['Sign-in with a code, frontend', 'skipped'],
    ['Client credentials, frontend', 'skipped'],
    ['Sign-in with a code, frontend (2)', 'skipped'],
  ]);
  const messages = cases.filter(({ outcome }) => outcome === 'skipped').map(({ message }) => message);
  expect(messages).toEqual([
    'the flow was not finished',
    'changed by an armed fault: server_error',
    expect.stringContaining('refused on purpose: '),
  ]);
});

it('gives the explanation of a refusal, with both values, the fix and the request, and no secret', () => {
  const { type, text = '', message } = cases.find(({ outcome }) => outcome === 'failed') ?? { message: '' };
  expect(type).toBe('invalid_grant');
  expect(text.split('\n')[0]).toBe(message);
  expect(text).toMatch(
    /code_verifier[\s\S]*Fix: [\s\S]*see RFC 7636[\s\S]*POST \/oauth2\/token 400, req_\w+\nflow_\w+, /,
  );
  expect(text).not.toContain(secret);
});

it('takes as long as this server took to answer, wherever its clock is moved to', () => {
  const [first] = cases;
  expect(first?.seconds).toBeGreaterThan(0);
  expect(first?.seconds).toBeLessThan(60);
});
