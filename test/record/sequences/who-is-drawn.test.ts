import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createSandbox, type Sandbox } from '../../../src/index.ts';
import { createFlowIndex } from '../../../src/record/flows/flow-index.ts';
import { sequenceOf } from '../../../src/record/flows/sequence.ts';
import * as script from '../../support/flow-scripts.ts';
import { settled } from '../../support/flows.ts';
import { asSensor, get, post, redeem, verifier } from '../../support/wire.ts';

let sandbox: Sandbox;
let url: string;
beforeAll(async () => {
  sandbox = await createSandbox({ signingAlg: 'ES256' });
  ({ url } = sandbox);
});
beforeEach(() => sandbox.reset());
afterAll(() => sandbox.stop());

async function newest() {
  await settled(sandbox);
  const [flow] = createFlowIndex(sandbox.events, sandbox.clock).latest(1);
  if (flow === undefined) throw new Error('no flow');
  const html = await (await get(`${url}/dashboard/flows/${flow.id}`)).text();
  const textOf = (testId: string) => new RegExp(`data-testid="${testId}">([^<]*)<`).exec(html)?.[1] ?? '';
  return { flow, html, textOf, ...sequenceOf(flow, sandbox.events) };
}

const origin = { origin: 'http://localhost:5173' };

/** A login whose code is swapped with these headers. */
async function logIn(headers: Record<string, string>) {
  const { code } = await script.walkToCode(url);
  const form = { grant_type: 'authorization_code', client_id: 'frontend', code, code_verifier: verifier };
  await (await post(`${url}/oauth2/token`, form, headers)).arrayBuffer();
  return newest();
}

describe('an application in the browser', () => {
  it('exchanges its code from the browser, without a back channel', async () => {
    await fetch(`${url}/oauth2/token`, {
      method: 'OPTIONS',
      headers: { ...origin, 'access-control-request-method': 'POST' },
    });
    const { steps, lanes, html } = await logIn(origin);
    expect(lanes.map(({ name }) => name)).toEqual(['Browser', 'Browser app', 'Server']);
    const swap = steps.find(({ title }) => title === 'POST /oauth2/token');
    expect(swap).toMatchObject({
      words: 'exchanges the code for tokens, from the browser',
      record: { channel: 'browser' },
    });
    expect(swap?.why).toMatch(/^The app runs in the browser/);
    expect(steps.map(({ title }) => title)).toContain('opens /oauth2/authorize');
    expect(html).toContain('from the browser');
    expect(html).not.toMatch(/back channel/);
  });

  it('is not what a server is, which has a back channel', async () => {
    const { steps, lanes, html } = await logIn({});
    expect(lanes.map(({ name }) => name)).toEqual(['Browser', 'Client', 'Server']);
    expect(steps.find(({ title }) => title === 'POST /oauth2/token')?.why).toMatch(/over the back channel, which/);
    expect(steps.map(({ title }) => title)).toContain('302 /oauth2/authorize');
    expect(html).toContain('back channel');
  });
});

describe('a flow for a resource', () => {
  it('says at its step that nobody configured the API', async () => {
    const ask = (resource: string) =>
      script.tokenRequest(url, { grant_type: 'client_credentials', resource }, asSensor);
    expect((await ask('https://elsewhere.example')).status).toBe(200);
    expect((await newest()).html).toContain('nobody configured the API https://elsewhere.example');
    expect((await ask(`${sandbox.issuer}/api`)).status).toBe(200);
    expect((await newest()).html).not.toContain('nobody configured');
  });
});

describe('a flow that met a fault', () => {
  it('without a browser does not wait for somebody at the login page', async () => {
    await sandbox.faults.arm({ fault: 'unavailable' });
    expect((await script.clientCredentials(url)).status).toBe(503);
    const { flow, textOf, html } = await newest();
    expect(flow).toMatchObject({ kind: 'client_credentials', status: 'failed' });
    expect(textOf('flow-status')).toBe('Fault: 503, step 1');
    expect(textOf('flow-sentence')).toBe('Made to fail on purpose (fault unavailable).');
    expect(html).toContain('Fault: unavailable, 503');
  });

  it('says so even where it came to its end', async () => {
    await sandbox.faults.arm({ fault: 'unavailable' });
    const { code } = await script.walkToCode(url);
    expect((await redeem(url, code)).status).toBe(503);
    expect((await redeem(url, code)).status).toBe(200);
    const { flow, textOf } = await newest();
    expect(flow.status).toBe('ok');
    expect(textOf('flow-sentence')).toBe('Made to fail on purpose (fault unavailable).');
  });

  it('is all that says so', async () => {
    await script.clientCredentials(url);
    expect((await newest()).textOf('flow-sentence')).toBe('');
  });
});
