import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createSandbox, type Sandbox } from '../../../src/index.ts';
import type { Flow, FlowIndex } from '../../../src/record/flows/flow.ts';
import { createFlowIndex } from '../../../src/record/flows/flow-index.ts';
import { redact } from '../../../src/record/flows/redaction.ts';
import { type Sequence, type SequenceStep, sequenceOf } from '../../../src/record/flows/sequence.ts';
import { referenceForm } from '../../../src/server/http/reference.ts';
import { asBank, everything } from '../../conformance/everything.ts';
import { createAgent } from '../../support/agent.ts';
import * as script from '../../support/flow-scripts.ts';
import { settled } from '../../support/flows.ts';
import { openRelyingParty, type RelyingParty } from '../../support/relying-party.ts';
import { authorizeQuery, get, post, redeem, type Tokens, verifier } from '../../support/wire.ts';

let sandbox: Sandbox;
let party: RelyingParty;
let flows: FlowIndex;
let url: string;

beforeAll(async () => {
  party = await openRelyingParty();
  const [frontend, ...others] = everything.clients ?? [];
  const told = { ...frontend, client_id: 'frontend', backchannel_logout_uri: party.backchannel };
  sandbox = await createSandbox({ ...everything, clients: [told, ...others] });
  url = sandbox.url;
});
beforeEach(async () => {
  await sandbox.reset();
  flows = createFlowIndex(sandbox.events, sandbox.clock);
});
afterAll(async () => {
  await sandbox.stop();
  await party.close();
});

async function newest(): Promise<{ flow: Flow; sequence: Sequence }> {
  await settled(sandbox);
  const [flow] = flows.latest(1);
  if (flow === undefined) throw new Error('no flow');
  return { flow, sequence: sequenceOf(flow, sandbox.events) };
}

/** `8 Client > Server: POST /oauth2/token, refused` */
function drawn({ steps, lanes }: Sequence): string[] {
  const name = (id: string) => lanes.find(lane => lane.id === id)?.name;
  const signs = ({ certainty, isResponse, record }: SequenceStep) => [
    ...(certainty === 'recorded' ? [] : [certainty === 'inferred' ? 'not observed' : 'never reached']),
    ...(isResponse ? ['response'] : []),
    ...(record?.refusal === undefined || record.refusal.isPassing ? [] : ['refused']),
  ];
  return steps.map(step =>
    [`${step.number} ${name(step.from)} > ${name(step.to)}: ${step.title}`, ...signs(step)].join(', '),
  );
}

const begun = [
  '1 Browser > Client: opens the app, not observed',
  '2 Client > Browser: 302 /oauth2/authorize, not observed, response',
  '3 Browser > Server: GET /oauth2/authorize',
  '4 Browser > Server: POST /login',
  '5 Browser > Server: GET /oauth2/authorize',
  '6 Server > Browser: 302 /callback?code&state, response',
  '7 Browser > Client: GET /callback?code&state, not observed',
];

describe('the picture of a login', () => {
  it('has what was recorded, and what happens where nobody sees it', async () => {
    await script.logInAndCall(url);
    const { sequence } = await newest();
    expect(drawn(sequence)).toEqual([
      ...begun,
      '8 Client > Server: POST /oauth2/token',
      '9 Server > Client: 200 access_token, id_token, refresh_token, response',
      '10 Client > Client: stores the tokens, not observed',
      '11 Client > API: GET /api/products',
    ]);
    expect(sequence.reached).toBe(11);
  });

  it('ends where it was refused, and shows what it did not come to', async () => {
    const { code } = await script.walkToCode(url);
    await redeem(url, code, { code_verifier: `${verifier}x` });
    const { sequence } = await newest();
    expect(drawn(sequence)).toEqual([
      ...begun,
      '8 Client > Server: POST /oauth2/token, refused',
      '9 Server > Client: 200 access_token, never reached, response',
      '10 Client > API: GET /api/…, never reached',
    ]);
    expect(sequence.reached).toBe(8);
    expect(sequence.steps[7]?.record?.refusal).toMatchObject({
      error: 'invalid_grant',
      reason: 'pkce_mismatch',
      sent: expect.any(String),
      expected: expect.any(String),
    });
  });

  it('says what was done on its pages', async () => {
    await script.walkThroughConsent(url);
    const { sequence } = await newest();
    expect(sequence.steps.map(({ words }) => words)).toEqual(
      expect.arrayContaining([
        'sign-in page: the user picked alice',
        'consent page: alice allowed openid profile email',
      ]),
    );
  });

  it('tells the app of a denial, and draws the rest in vain', async () => {
    await script.walkThroughConsent(url, 'consent-deny');
    expect(drawn((await newest()).sequence).slice(6)).toEqual([
      '7 Server > Browser: 303 /callback?error&state, response, refused',
      '8 Browser > Client: GET /callback?error&state, not observed',
      '9 Client > Server: POST /oauth2/token, never reached',
      '10 Server > Client: 200 access_token, never reached, response',
      '11 Client > API: GET /api/…, never reached',
    ]);
  });

  it('says that a request is refused, and nothing of a session that does not exist', async () => {
    await get(`${url}/oauth2/authorize?${authorizeQuery({ prompt: 'none' })}`);
    const { sequence } = await newest();
    expect(sequence.steps[2]).toMatchObject({ words: 'requests a sign-in; the request is refused' });
  });

  it('redirects nobody to an address that is not registered', async () => {
    await get(`${url}/oauth2/authorize?${authorizeQuery({ redirect_uri: 'https://else.example/back' })}`);
    const { sequence } = await newest();
    expect(drawn(sequence).slice(2)).toEqual([
      '3 Browser > Server: GET /oauth2/authorize, refused',
      '4 Browser > Server: POST /login, never reached',
      '5 Server > Browser: 302 /back?code&state, never reached, response',
      '6 Browser > Client: GET /back?code&state, never reached',
      '7 Client > Server: POST /oauth2/token, never reached',
      '8 Server > Client: 200 access_token, never reached, response',
      '9 Client > API: GET /api/…, never reached',
    ]);
  });

  it('begins with what was pushed', async () => {
    await redeem(url, (await script.walkPushed(url)).code);
    expect(drawn((await newest()).sequence).slice(0, 5)).toEqual([
      '1 Browser > Client: opens the app, not observed',
      '2 Client > Server: POST /oauth2/par',
      '3 Server > Client: 201 request_uri, response',
      '4 Client > Browser: 302 /oauth2/authorize, not observed, response',
      '5 Browser > Server: GET /oauth2/authorize',
    ]);
  });

  it('names what is no address where a redirect_uri should be', async () => {
    await (await post(`${url}/oauth2/par`, { client_id: 'frontend', redirect_uri: 'no <address>' })).arrayBuffer();
    expect(drawn((await newest()).sequence)).toContainEqual(expect.stringContaining('GET no <address>'));
  });

  it('brings tokens through the browser where that was asked for', async () => {
    await script.walkFrontChannel(url, 'id_token token');
    const { sequence } = await newest();
    expect(drawn(sequence).at(-2)).toBe('8 Server > Browser: 302 /callback#access_token&id_token&state, response');
    expect(sequence.steps.at(-2)?.onwardTo).toBe('client');
  });

  it('shows the answer of the mode form_post', async () => {
    await script.walkToCode(url, { response_mode: 'form_post' });
    const { sequence } = await newest();
    expect(drawn(sequence).slice(5, 7)).toEqual([
      '6 Server > Browser: 200 /callback, response',
      '7 Browser > Client: POST /callback, not observed',
    ]);
    const names = sequence.steps[5]?.record?.groups.flatMap(({ parameters }) => parameters.map(({ name }) => name));
    expect(names).toEqual(expect.arrayContaining(['code', 'state', 'iss']));
  });
});

describe('the picture of a flow', () => {
  it('of a service has no browser', async () => {
    await script.clientCredentials(url);
    const { sequence } = await newest();
    expect(sequence.lanes.map(({ name }) => name)).toEqual(['Client', 'Server']);
    expect(drawn(sequence)).toEqual([
      '1 Client > Server: POST /oauth2/token',
      '2 Server > Client: 200 access_token, response',
    ]);
  });

  it('of a device has the device', async () => {
    const device = await script.startDevice(url);
    await script.pollDevice(url, device.device_code);
    await script.decideDevice(url, device);
    await script.pollDevice(url, device.device_code);
    const { sequence } = await newest();
    expect(sequence.lanes.map(({ name }) => name)).toEqual(['Browser', 'Device', 'Server']);
    expect(drawn(sequence)).toEqual([
      '1 Device > Server: POST /oauth2/device_authorization',
      '2 Server > Device: 200 device_code, user_code, response',
      '3 Device > Browser: shows the code, not observed',
      '4 Device > Server: POST /oauth2/token',
      '5 Browser > Server: GET /oauth2/device_verification',
      '6 Browser > Server: POST /login/device',
      '7 Browser > Server: GET /oauth2/device_verification',
      '8 Browser > Server: GET /oauth2/device_verification',
      '9 Browser > Server: POST /oauth2/device_verification',
      '10 Device > Server: POST /oauth2/token',
      '11 Server > Device: 200 access_token, id_token, refresh_token, response',
    ]);
    expect(sequence.steps[8]?.words).toBe('alice presses Allow');
  });

  it('draws polls that follow each other as one', async () => {
    const { device_code } = await script.startDevice(url);
    await script.pollDevice(url, device_code);
    for (let poll = 0; poll < 4; poll++) await script.pollDevice(url, device_code);
    const { sequence } = await newest();
    const polls = sequence.steps.filter(({ record }) => record?.refusal?.isPassing);
    expect(polls.map(({ record }) => [record?.refusal?.error, record?.requestIds.length])).toEqual([
      ['authorization_pending', 1],
      ['slow_down', 4],
    ]);
  });

  it('of a logout tells whom the server told', async () => {
    const agent = createAgent(url);
    const { code } = await script.walkToCode(url, {}, agent);
    const { id_token } = await script.jsonOf<Tokens>(await redeem(url, code));
    await script.logOut(url, agent, id_token);
    const { flow, sequence } = await newest();
    expect(drawn(sequence)).toEqual([
      '1 Browser > Client: signs out of the app, not observed',
      '2 Client > Browser: 302 /connect/logout, not observed, response',
      '3 Browser > Server: GET /connect/logout',
      '4 Server > Client: POST /backchannel',
      '5 Server > Browser: 302 localhost:5173/, response',
      '6 Browser > Client: GET localhost:5173/, not observed',
    ]);
    expect(flow).toMatchObject({ kind: 'logout', status: 'ok', sub: 'alice' });
    expect(flows.ofSession(flow.sid ?? '').map(({ kind }) => kind)).toEqual(['authorization_code', 'logout']);
  });

  it('of a logout that waits shows the confirmation that is missing', async () => {
    const agent = createAgent(url);
    await script.walkToCode(url, {}, agent);
    const page = await agent.open(`${url}/connect/logout`);
    expect((await newest()).flow).toMatchObject({ kind: 'logout', status: 'open' });
    expect(drawn((await newest()).sequence).at(-1)).toBe('4 Browser > Server: POST /logout, never reached');
    await agent.submit(page, 'logout-confirm');
    const { flow, sequence } = await newest();
    expect(flow).toMatchObject({ status: 'ok', steps: [{ joinedBy: 'first' }, { joinedBy: 'session' }] });
    expect(drawn(sequence)).toContain('4 Browser > Server: POST /logout');
  });

  it('names a resource server of the Model Context Protocol', async () => {
    const { code } = await script.walkToCode(url, { resource: 'http://localhost:3000/mcp' });
    await redeem(url, code, { code_verifier: 'wrong' });
    expect((await newest()).sequence.lanes.at(-1)).toEqual({ id: 'api', name: 'MCP server' });
  });

  it('puts the preflight of a browser before what it is for', async () => {
    const { code } = await script.walkToCode(url);
    const origin = { origin: 'http://localhost:5173' };
    const preflight = { ...origin, 'access-control-request-method': 'POST' };
    await fetch(`${url}/oauth2/token`, { method: 'OPTIONS', headers: preflight });
    const form = { grant_type: 'authorization_code', client_id: 'frontend', code, code_verifier: verifier };
    await post(`${url}/oauth2/token`, form, origin);
    expect(drawn((await newest()).sequence).slice(7, 9)).toEqual([
      '8 Browser > Server: OPTIONS /oauth2/token',
      '9 Browser app > Server: POST /oauth2/token',
    ]);
  });

  it('leaves out what is in the middle where there is too much', async () => {
    const { access_token } = await script.jsonOf<Tokens>(await script.clientCredentials(url));
    const headers = { authorization: `Bearer ${access_token}` };
    for (let n = 0; n < 70; n++) {
      for (const path of ['/api/products', '/api/products/1']) await (await get(url + path, headers)).arrayBuffer();
    }
    const { sequence } = await newest();
    expect(sequence.omitted).toEqual({ after: 61, count: 141 - 120 });
    expect(sequence.steps).toHaveLength(121);
  });
});

describe('every step of every grant', () => {
  /** All there is, once. */
  async function runEverything(): Promise<void> {
    const tokens = await script.logInAndCall(url);
    await redeem(url, (await script.walkPushed(url)).code);
    await script.walkThroughConsent(url);
    for (const type of ['id_token token', 'code id_token']) await script.walkFrontChannel(url, type);
    await script.refresh(url, tokens.refresh_token);
    await script.exchange(url, tokens.access_token);
    await get(`${url}/userinfo`, { authorization: `Bearer ${tokens.access_token}` });
    await post(`${url}/oauth2/introspect`, { token: tokens.access_token }, { authorization: asBank });
    await post(`${url}/oauth2/revoke`, { token: tokens.access_token, client_id: 'frontend' });
    const device = await script.startDevice(url);
    await script.decideDevice(url, device);
    await script.pollDevice(url, device.device_code);
    const { auth_req_id } = await script.startCiba(url);
    await script.decideCiba(url);
    await script.pollCiba(url, auth_req_id);
    for (const grant of [script.clientCredentials, script.password]) await grant(url);
    await script.jwtBearer(url, sandbox.issuer);
    await script.register(url);
    await script.readSetup(url);
    const agent = createAgent(url);
    const { code } = await script.walkToCode(
      url,
      { nonce: 'n', prompt: 'login', max_age: '60', login_hint: 'bob' },
      agent,
    );
    await script.logOut(url, agent, (await script.jsonOf<Tokens>(await redeem(url, code))).id_token);
    await settled(sandbox);
  }

  it('says why, and explains each of its parameters', async () => {
    await runEverything();
    const steps = flows.latest(100).flatMap(flow => sequenceOf(flow, sandbox.events).steps);
    expect(steps.length).toBeGreaterThan(100);
    for (const { why, reference, words, title } of steps) {
      expect(`${title}: ${why}`).toMatch(/[A-Z][\s\S]{15,}\.$/);
      expect(reference).toMatch(referenceForm);
      expect(words).not.toBe('');
    }
    const parameters = steps.flatMap(({ record }) => record?.groups.flatMap(group => group.parameters) ?? []);
    expect(parameters.length).toBeGreaterThan(150);
    expect(parameters.filter(({ meaning }) => meaning === undefined)).toEqual([]);
    const kinds = new Set(flows.latest(100).map(({ kind }) => kind));
    expect([...kinds].sort()).toEqual([
      ...['authorization_code', 'ciba', 'client_credentials', 'device', 'hybrid', 'implicit', 'jwt_bearer', 'logout'],
      ...['password', 'registration', 'setup'],
    ]);
    expect(new Set(flows.latest(100).map(({ status }) => status))).toEqual(new Set(['ok', 'open']));
  });

  it('hides what a mask takes out, and draws the same', async () => {
    const tokens = await script.logInAndCall(url);
    await settled(sandbox);
    const [flow] = flows.latest(1);
    if (flow === undefined) throw new Error('no flow');
    const plain = sequenceOf(flow, sandbox.events);
    const masked = sequenceOf(flow, sandbox.events, redact);
    expect(drawn(masked)).toEqual(drawn(plain));
    expect(JSON.stringify(plain)).toContain(tokens.refresh_token);
    const groups = JSON.stringify(masked.steps.map(({ record }) => record?.groups));
    for (const secret of [tokens.refresh_token, tokens.access_token, verifier]) expect(groups).not.toContain(secret);
  });
});
