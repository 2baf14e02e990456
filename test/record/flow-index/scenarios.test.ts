import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createSandbox, type Sandbox } from '../../../src/index.ts';
import type { Flow, FlowIndex } from '../../../src/record/flows/flow.ts';
import { createFlowIndex } from '../../../src/record/flows/flow-index.ts';
import { asBank, everything } from '../../conformance/everything.ts';
import { createAgent } from '../../support/agent.ts';
import * as script from '../../support/flow-scripts.ts';
import { settled, stepsOf } from '../../support/flows.ts';
import { authorizeQuery, callback, get, post, redeem, type Tokens, verifier } from '../../support/wire.ts';

let sandbox: Sandbox;
let flows: FlowIndex;
let url: string;
/** Moves on by hand: what is abandoned is so by the clock of the sandbox. */
let time = Date.now() / 1000;

beforeAll(async () => {
  sandbox = await createSandbox(everything, { now: () => time });
  url = sandbox.url;
});
beforeEach(async () => {
  await sandbox.reset();
  flows = createFlowIndex(sandbox.events, sandbox.clock);
});
afterAll(() => sandbox.stop());

/** The only flow there is. */
async function onlyFlow(): Promise<Flow> {
  await settled(sandbox);
  const all = flows.latest(10);
  expect(all).toHaveLength(1);
  return all[0] as Flow;
}

const loginSteps = ['GET authorize 200 by first', 'POST login 303 by state', 'GET authorize 302 by state'];
const consentSteps = [
  ...['GET authorize 200 by first', 'POST login 303 by state', 'GET authorize 200 by state'],
  'POST consent 303 by state',
];

interface Scenario {
  readonly name: string;
  run(): Promise<unknown>;
  readonly flow: Partial<Flow>;
  readonly steps: readonly string[];
}

const scenarios: readonly Scenario[] = [
  {
    name: 'a login with code and PKCE, and a call with its token',
    run: () => script.logInAndCall(url),
    flow: { kind: 'authorization_code', client_id: 'frontend', sub: 'alice', status: 'ok', redirect_uri: callback },
    steps: [...loginSteps, 'POST token 200 by code', 'GET api 200 by jti'],
  },
  {
    name: 'a wrong verifier',
    run: async () => redeem(url, (await script.walkToCode(url)).code, { code_verifier: `${verifier}x` }),
    flow: { kind: 'authorization_code', status: 'failed' },
    steps: [...loginSteps, 'POST token 400 pkce_mismatch by code'],
  },
  {
    name: 'a code that is used twice',
    async run() {
      const { code } = await script.walkToCode(url);
      await redeem(url, code);
      await redeem(url, code);
    },
    flow: { status: 'failed' },
    steps: [...loginSteps, 'POST token 200 by code', 'POST token 400 code_replayed by code'],
  },
  {
    name: 'a code in a JSON body',
    async run() {
      const { code } = await script.walkToCode(url);
      const body = JSON.stringify({ grant_type: 'authorization_code', code, client_id: 'frontend' });
      const headers = { 'content-type': 'application/json' };
      await fetch(`${url}/oauth2/token`, { method: 'POST', body, headers });
    },
    flow: { status: 'failed' },
    steps: [...loginSteps, 'POST token 415 content_type_unsupported by code'],
  },
  {
    name: 'a code that is not the one',
    async run() {
      await script.walkToCode(url);
      await redeem(url, 'something else');
    },
    flow: { status: 'failed' },
    steps: [...loginSteps, 'POST token 400 code_expired_or_unknown by inferred'],
  },
  {
    name: 'a consent',
    async run() {
      const { url: back } = await script.walkThroughConsent(url);
      await script.redeemShop(url, back.searchParams.get('code') ?? '');
    },
    flow: { kind: 'authorization_code', client_id: 'shop', status: 'ok' },
    steps: [...consentSteps, 'GET authorize 302 by state', 'POST token 200 by code'],
  },
  {
    name: 'a consent that is denied',
    run: () => script.walkThroughConsent(url, 'consent-deny'),
    flow: { status: 'failed', tokenIds: [] },
    steps: [...consentSteps.slice(0, 3), 'POST consent 303 user_denied by state'],
  },
  {
    name: 'a redirect URI that is not registered',
    run: () => get(`${url}/oauth2/authorize?${authorizeQuery({ redirect_uri: 'https://else.example/' })}`),
    flow: { kind: 'authorization_code', status: 'failed', client_id: 'frontend' },
    steps: ['GET authorize 400 redirect_uri_not_registered by first'],
  },
  {
    name: 'a login page that was loaded again',
    async run() {
      const agent = createAgent(url);
      const own = { state: 'a state nobody else has' };
      await agent.open(`${url}/oauth2/authorize?${authorizeQuery(own)}`);
      await redeem(url, (await script.walkToCode(url, own, agent)).code);
    },
    flow: { status: 'ok' },
    steps: [
      'GET authorize 200 by first',
      'GET authorize 200 by state',
      ...loginSteps.slice(1),
      'POST token 200 by code',
    ],
  },
  {
    name: 'a pushed request',
    async run() {
      await redeem(url, (await script.walkPushed(url)).code);
    },
    flow: { kind: 'authorization_code', status: 'ok', client_id: 'frontend' },
    steps: [
      ...['POST par 201 by first', 'GET authorize 200 by request_uri', 'POST login 303 by request_uri'],
      ...['GET authorize 302 by request_uri', 'POST token 200 by code'],
    ],
  },
  {
    name: 'an implicit login',
    run: () => script.walkFrontChannel(url, 'id_token token'),
    flow: { kind: 'implicit', status: 'ok', sub: 'alice' },
    steps: [...consentSteps, 'GET authorize 302 by state'],
  },
  {
    name: 'a hybrid login',
    async run() {
      const visit = await script.walkFrontChannel(url, 'code id_token');
      await script.redeemShop(url, new URLSearchParams(visit.url.hash.slice(1)).get('code') ?? '');
    },
    flow: { kind: 'hybrid', status: 'ok' },
    steps: [...consentSteps, 'GET authorize 302 by state', 'POST token 200 by code'],
  },
  {
    name: 'a family of refresh tokens, up to a used one',
    async run() {
      const first = await script.logInAndCall(url);
      const second = await script.jsonOf<Tokens>(await script.refresh(url, first.refresh_token));
      await script.refresh(url, second.refresh_token);
      await script.refresh(url, first.refresh_token);
    },
    flow: { kind: 'authorization_code', status: 'failed' },
    steps: [
      ...[...loginSteps, 'POST token 200 by code', 'GET api 200 by jti'],
      ...['POST token 200 by refresh_token', 'POST token 200 by refresh_token'],
      'POST token 400 refresh_token_reused by refresh_token',
    ],
  },
  {
    name: 'UserInfo, introspection, exchange and revocation of one token',
    async run() {
      const { access_token } = await script.logInAndCall(url);
      await get(`${url}/userinfo`, { authorization: `Bearer ${access_token}` });
      await post(`${url}/oauth2/introspect`, { token: access_token }, { authorization: asBank });
      const exchanged = await script.jsonOf<Tokens>(await script.exchange(url, access_token));
      await get(`${url}/api/products`, { authorization: `Bearer ${exchanged.access_token}` });
      await post(`${url}/oauth2/revoke`, { token: access_token, client_id: 'frontend' });
    },
    flow: { kind: 'authorization_code', status: 'ok' },
    steps: [
      ...[...loginSteps, 'POST token 200 by code', 'GET api 200 by jti', 'GET userinfo 200 by jti'],
      ...['POST introspect 200 by token', 'POST token 200 by token', 'GET api 200 by jti', 'POST revoke 200 by token'],
    ],
  },
  {
    name: 'a device and its user',
    async run() {
      const device = await script.startDevice(url);
      await script.pollDevice(url, device.device_code);
      await script.decideDevice(url, device);
      await script.pollDevice(url, device.device_code);
    },
    flow: { kind: 'device', client_id: 'frontend', sub: 'alice', status: 'ok' },
    steps: [
      ...['POST device_authorization 200 by first', 'POST token 400 authorization_pending by device_code'],
      ...['GET device_verification 200 by inferred', 'POST login 303 by session'],
      ...['GET device_verification 200 by session', 'GET device_verification 200 by device_code'],
      ...['POST device_verification 200 by device_code', 'POST token 200 by device_code'],
    ],
  },
  {
    name: 'a device whose user says no',
    async run() {
      const device = await script.startDevice(url);
      await script.decideDevice(url, device, 'device-deny');
      await script.pollDevice(url, device.device_code);
    },
    flow: { kind: 'device', status: 'failed' },
    steps: expect.arrayContaining(['POST token 400 user_denied by device_code']),
  },
  {
    name: 'a backchannel authentication',
    async run() {
      const { auth_req_id } = await script.startCiba(url);
      await script.pollCiba(url, auth_req_id);
      await script.decideCiba(url);
      await script.pollCiba(url, auth_req_id);
    },
    flow: { kind: 'ciba', client_id: 'bank', sub: 'alice', status: 'ok' },
    steps: [
      ...['POST backchannel_authentication 200 by first', 'POST token 400 authorization_pending by auth_req_id'],
      ...['GET approvals 200 by inferred', 'POST login 303 by session', 'GET approvals 200 by session'],
      ...['POST approvals 200 by auth_req_id', 'POST token 200 by auth_req_id'],
    ],
  },
  {
    name: 'client credentials',
    run: () => script.clientCredentials(url),
    flow: { kind: 'client_credentials', client_id: 'bank', status: 'ok' },
    steps: ['POST token 200 by first'],
  },
  {
    name: 'a secret that was sent in the wrong place',
    run: () => script.tokenRequest(url, { grant_type: 'client_credentials', client_id: 'bank', client_secret: 'no' }),
    flow: { kind: 'client_credentials', client_id: 'bank', status: 'failed' },
    steps: ['POST token 401 authentication_method_not_registered by first'],
  },
  {
    name: 'a password',
    run: () => script.password(url),
    flow: { kind: 'password', sub: 'alice', status: 'ok' },
    steps: ['POST token 200 by first'],
  },
  {
    name: 'an assertion of another server',
    run: () => script.jwtBearer(url, sandbox.issuer, sandbox.clock()),
    flow: { kind: 'jwt_bearer', sub: 'alice', status: 'ok' },
    steps: ['POST token 200 by first'],
  },
  {
    name: 'an exchange of what nobody knows',
    run: () => script.exchange(url, 'x.y.z'),
    flow: { kind: 'token_exchange', status: 'failed' },
    steps: ['POST token 400 subject_token_invalid by first'],
  },
  {
    name: 'a refresh of what nobody knows',
    run: () => script.refresh(url, 'nothing'),
    flow: { kind: 'refresh_token', status: 'failed' },
    steps: ['POST token 400 refresh_token_expired_or_unknown by first'],
  },
  {
    name: 'a grant that does not exist',
    run: () => script.tokenRequest(url, { grant_type: 'magic', client_id: 'frontend' }),
    flow: { kind: 'other', status: 'failed' },
    steps: ['POST token 400 grant_type_unsupported by first'],
  },
  {
    name: 'a registration and its management',
    async run() {
      const { client_id, registration_access_token } = await script.register(url);
      const headers = { authorization: `Bearer ${registration_access_token}` };
      await get(`${url}/connect/register/${client_id}`, headers);
      await fetch(`${url}/connect/register/${client_id}`, { method: 'DELETE', headers });
    },
    flow: { kind: 'registration', status: 'ok' },
    steps: [
      ...['POST registration 201 by first', 'GET client_configuration 200 by token'],
      'DELETE client_configuration 204 by token',
    ],
  },
  {
    name: 'a login without a click',
    async run() {
      const { url: back } = await createAgent(url).open(
        `${url}/oauth2/authorize?${authorizeQuery({ sandbox_login: 'bob' })}`,
      );
      await redeem(url, back.searchParams.get('code') ?? '');
    },
    flow: { kind: 'authorization_code', sub: 'bob', status: 'ok' },
    steps: ['GET authorize 302 by first', 'POST token 200 by code'],
  },
  {
    name: 'an app that does not look at the state',
    async run() {
      const agent = createAgent(url);
      const page = await agent.open(`${url}/oauth2/authorize?${authorizeQuery()}`);
      const { url: back } = await agent.submit(page, 'login-error-wrong_state');
      await redeem(url, back.searchParams.get('code') ?? '');
    },
    flow: { kind: 'authorization_code', status: 'failed' },
    steps: ['GET authorize 200 by first', 'POST login 303 by state', 'POST token 400 state_not_checked by code'],
  },
  {
    name: 'calls with a token that is none of ours',
    async run() {
      for (const path of ['/api/products', '/userinfo', '/api/products']) {
        await get(url + path, { authorization: 'Bearer not.of.ours' });
      }
    },
    flow: { kind: 'calls', status: 'failed' },
    steps: [
      ...['GET api 401 api_token_malformed by first', 'GET userinfo 401 access_token_unreadable by token'],
      'GET api 401 api_token_malformed by token',
    ],
  },
  {
    name: 'calls of one caller without a token',
    async run() {
      await get(`${url}/api/products`);
      await get(`${url}/api/products/1`);
    },
    flow: { kind: 'calls', status: 'failed' },
    steps: ['GET api 401 api_token_missing by first', 'GET api 401 api_token_missing by inferred'],
  },
];

describe('a flow holds', () => {
  it.each(scenarios)('$name', async ({ run, flow, steps }) => {
    await run();
    const found = await onlyFlow();
    expect(stepsOf(found)).toEqual(steps);
    expect(found).toMatchObject(flow);
  });
});

describe('the status of a flow', () => {
  const later = (seconds: number) => {
    time += seconds;
  };

  it('is open while somebody looks at the login page, and abandoned after ten minutes', async () => {
    await createAgent(url).open(`${url}/oauth2/authorize?${authorizeQuery()}`);
    expect((await onlyFlow()).status).toBe('open');
    later(601);
    expect((await onlyFlow()).status).toBe('abandoned');
  });

  it('is abandoned when a code expires that nobody redeemed', async () => {
    await script.walkToCode(url);
    expect(await onlyFlow()).toMatchObject({ status: 'open', waitsUntil: expect.any(Number) });
    later(61);
    expect((await onlyFlow()).status).toBe('abandoned');
  });

  it('is open while a device waits, and abandoned when its code expires', async () => {
    const { device_code } = await script.startDevice(url);
    await script.pollDevice(url, device_code);
    expect((await onlyFlow()).status).toBe('open');
    later(301);
    expect((await onlyFlow()).status).toBe('abandoned');
    await script.pollDevice(url, device_code);
    expect((await onlyFlow()).status).toBe('failed');
  });

  it('is open again while a wrong password is corrected', async () => {
    const agent = createAgent(url);
    const page = await agent.open(`${url}/oauth2/authorize?${authorizeQuery()}`);
    await agent.submit(page, 'login-submit', { sub: '' });
    const { status, steps } = await onlyFlow();
    expect(steps.at(-1)?.endpoint).toBe('login');
    expect(status).toBe('open');
  });

  it('stays ok when an API refuses the token', async () => {
    const { access_token } = await script.logInAndCall(url);
    const headers = { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' };
    await fetch(`${url}/api/products`, { method: 'POST', headers, body: '{"name":"x"}' });
    const { status, steps } = await onlyFlow();
    expect(steps.at(-1)?.refusal?.error).toBe('insufficient_scope');
    expect(status).toBe('ok');
  });
});

describe('metadata and keys', () => {
  it('are one flow for each caller, for a while, and none that counts', async () => {
    await script.readSetup(url, 'a library/1.0');
    await script.readSetup(url, 'another/2.0');
    await script.readSetup(url, 'a library/1.0');
    await settled(sandbox);
    expect(flows.latest(10).map(({ kind, steps }) => [kind, steps.length])).toEqual([
      ['setup', 2],
      ['setup', 4],
    ]);
    time += 301;
    await script.readSetup(url, 'a library/1.0');
    await settled(sandbox);
    expect(flows.latest(10)).toHaveLength(3);
    expect(flows.count()).toBe(0);
  });
});

describe('a browser', () => {
  it('that is logged in begins another flow with each request', async () => {
    const agent = createAgent(url);
    for (const state of ['one', 'two', 'three']) {
      await redeem(url, (await script.walkToCode(url, { state }, agent)).code);
    }
    await settled(sandbox);
    const found = flows.latest(10).toReversed();
    expect(found.map(flow => flow.steps.map(({ endpoint }) => endpoint))).toEqual([
      ['authorize', 'login', 'authorize', 'token'],
      ['authorize', 'token'],
      ['authorize', 'token'],
    ]);
    expect(flows.ofSession(found[0]?.sid ?? '')).toEqual(found);
  });

  it('that a form sends back continues its flow', async () => {
    const form = Object.fromEntries(authorizeQuery());
    const answer = await post(`${url}/oauth2/authorize`, form);
    await (await get(new URL(answer.headers.get('location') ?? '', url).href)).text();
    const { steps } = await onlyFlow();
    expect(steps.map(({ method, status, joinedBy }) => [method, status, joinedBy])).toEqual([
      ['POST', 303, 'first'],
      ['GET', 200, 'state'],
    ]);
  });
});
