import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEventLog, type EventLog } from '../../../src/base/events/event-log.ts';
import { headersOf } from '../../../src/base/events/exchange.ts';
import { atOnce, wholeText } from '../../../src/base/turns.ts';
import { createSandbox, type Sandbox } from '../../../src/index.ts';
import { type Export, exportFlows, exportSession } from '../../../src/record/flows/exports/export.ts';
import { asHar } from '../../../src/record/flows/exports/har.ts';
import { asJson, asNdjson } from '../../../src/record/flows/exports/json.ts';
import { asMarkdown, asMermaid } from '../../../src/record/flows/exports/markdown.ts';
import type { Flow, FlowIndex } from '../../../src/record/flows/flow.ts';
import { createFlowIndex } from '../../../src/record/flows/flow-index.ts';
import { sequenceOf } from '../../../src/record/flows/sequence.ts';
import { everything } from '../../conformance/everything.ts';
import { createAgent } from '../../support/agent.ts';
import * as script from '../../support/flow-scripts.ts';
import { redeem, type Tokens, verifier } from '../../support/wire.ts';

let sandbox: Sandbox;
let flows: FlowIndex;

beforeAll(async () => {
  sandbox = await createSandbox(everything);
  const { url, issuer } = sandbox;
  const tokens = await script.logInAndCall(url, { scope: 'openid profile products:read offline_access', nonce: 'n-1' });
  await script.refresh(url, tokens.refresh_token);
  await script.refresh(url, tokens.refresh_token); // a reuse
  const failed = await script.walkToCode(url, { state: 's-2' });
  await redeem(url, failed.code, { code_verifier: 'another-verifier-of-43-characters-0123456789' });
  const device = await script.startDevice(url);
  await script.decideDevice(url, device);
  await script.pollDevice(url, device.device_code);
  await script.startCiba(url);
  await script.password(url, { password: 'a typed password' });
  await script.jwtBearer(url, issuer);
  await script.exchange(url, tokens.access_token);
  await script.walkPushed(url);
  await script.walkFrontChannel(url, 'code id_token token');
  await script.register(url);
  const agent = createAgent(url);
  const other = await script.walkToCode(url, {}, agent);
  const { id_token } = await script.jsonOf<Tokens>(await redeem(url, other.code));
  await script.logOut(url, agent, id_token);
  flows = createFlowIndex(sandbox.events, sandbox.clock);
});
afterAll(() => sandbox.stop());

const options = (secrets: 'redact' | 'include') => ({
  ...{ events: sandbox.events, issuer: sandbox.issuer, now: sandbox.clock() },
  secrets,
});

function session(secrets: 'redact' | 'include' = 'redact'): Export {
  return atOnce(exportSession(flows.latest(1000), options(secrets)));
}

function flowOf(kind: Flow['kind'], status: Flow['status'] = 'ok'): Flow {
  const found = flows.latest(1000).find(flow => flow.kind === kind && flow.status === status);
  if (found === undefined) throw new Error(`no ${kind} that is ${status}`);
  return found;
}

/** Every text of the session that nobody else may read. */
function secretsOf(events: EventLog): Set<string> {
  const secrets = new Set([
    'bank-secret',
    'shop-secret',
    verifier,
    'a typed password',
    'another-verifier-of-43-characters-0123456789',
  ]);
  for (const event of events.latest('request.completed', 10_000)) {
    for (const [name, value] of [
      ...headersOf(event.exchange.requestHeaders),
      ...headersOf(event.exchange.responseHeaders),
    ]) {
      if (/^authorization$/i.test(name) && /^basic /i.test(value)) secrets.add(value.slice(6));
      const session = /grantbox_(?:session|browser)[^=]*=([^;]{8,})/.exec(value)?.[1];
      if (/cookie/i.test(name) && session !== undefined) secrets.add(session);
    }
    const body = event.exchange.responseBody?.text ?? '';
    for (const [, secret] of body.matchAll(
      /"(?:client_secret|registration_access_token|device_code|auth_req_id)":"([^"]+)"/g,
    )) {
      secrets.add(secret ?? '');
    }
  }
  for (const { token } of events.latestIssued(10_000))
    secrets.add(token.includes('.') ? (token.split('.').at(-1) ?? '') : token);
  return secrets;
}

const formats: Readonly<Record<string, (exported: Export) => string>> = {
  json: exported => wholeText(asJson(exported)),
  ndjson: exported => wholeText(asNdjson(exported)),
  har: exported => wholeText(asHar(exported, '1.2.3')),
  markdown: exported => wholeText(asMarkdown(exported, sandbox.events)),
};

describe('an export', () => {
  it.each(Object.keys(formats))('holds no secret as %s', format => {
    const text = formats[format]?.(session()) ?? '';
    const secrets = [...secretsOf(sandbox.events)];
    expect(secrets.length).toBeGreaterThan(30);
    expect(secrets.filter(secret => text.includes(secret) || text.includes(encodeURIComponent(secret)))).toEqual([]);
    expect(text).toContain('[redacted]');
  });

  it.each(Object.keys(formats))('holds them as %s where somebody wants them', format => {
    const text = formats[format]?.(session('include')) ?? '';
    const raw = sandbox.events.latestIssued(10_000).filter(({ token }) => !token.includes('.'));
    expect(raw.filter(({ token }) => !text.includes(token))).toEqual([]);
    expect(text).not.toContain('[redacted]');
  });

  it('of one flow has its requests and no others', () => {
    const flow = flowOf('device');
    const { requests } = atOnce(exportFlows([flow], options('redact')));
    expect(requests.map(each => each.requestId)).toEqual(flow.steps.map(step => step.requestId));
  });

  it('as HAR has what the format demands of each entry', () => {
    const { log } = JSON.parse(wholeText(asHar(session(), '1.2.3')));
    expect(log).toMatchObject({ version: '1.2', creator: { name: 'Grantbox', version: '1.2.3' } });
    expect(log.entries.length).toBe(sandbox.events.kept('request.completed'));
    for (const entry of log.entries) {
      expect(entry).toMatchObject({
        startedDateTime: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
        time: expect.any(Number),
        request: {
          method: expect.any(String),
          httpVersion: 'HTTP/1.1',
          headers: expect.any(Array),
          cookies: [],
          queryString: expect.any(Array),
          headersSize: -1,
        },
        response: {
          status: expect.any(Number),
          content: { size: expect.any(Number), mimeType: expect.any(String) },
          redirectURL: expect.any(String),
        },
        cache: {},
        timings: { send: 0, receive: 0 },
      });
      expect(URL.canParse(entry.request.url)).toBe(true);
    }
  });

  it('as NDJSON is one request a line', () => {
    const lines = wholeText(asNdjson(session()))
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line));
    expect(lines.map(({ requestId }) => requestId)).toEqual(session().requests.map(({ requestId }) => requestId));
  });

  it('as JSON is written as JSON.stringify writes it, in pieces', () => {
    const pieces = [...asJson(session())];
    const text = pieces.join('');
    expect(text).toBe(`${JSON.stringify(JSON.parse(text), undefined, 2)}\n`);
    expect(pieces.length).toBeGreaterThan(session().requests.length);
  });

  it('as JSON has flows, both messages and the events of each request', () => {
    const model = JSON.parse(wholeText(asJson(atOnce(exportFlows([flowOf('authorization_code')], options('redact'))))));
    expect(model).toMatchObject({
      format: 'grantbox-session',
      redacted: true,
      flows: [{ kind: 'authorization_code' }],
    });
    const token = model.requests.find(({ endpoint }: { endpoint: string }) => endpoint === 'token');
    expect(token.request.body.text).toContain('grant_type=authorization_code');
    expect(token.events.map(({ type }: { type: string }) => type)).toContain('token.issued');
  });
});

describe('a Mermaid diagram', () => {
  it('has a participant for each lane and an arrow for each step', () => {
    const sequence = sequenceOf(flowOf('authorization_code'), sandbox.events);
    const text = asMermaid(sequence, 'A sign-in');
    expect(text.match(/^ {2}participant /gm)).toHaveLength(sequence.lanes.length);
    expect(text.match(/^ {2}\w+-{1,2}(?:>>|x|\))\w+: ./gm)).toHaveLength(sequence.steps.length);
    expect(text).toContain('(not observed)');
  });

  it('says in words what was refused and what was never reached', () => {
    const text = asMermaid(sequenceOf(flowOf('authorization_code', 'failed'), sandbox.events), 'A failed login');
    expect(text).toMatch(/Note over \w+: refused: invalid_grant/);
    expect(text).toMatch(/-x\w+: .*\(never reached\)/);
  });

  it('cannot be broken out of by what an app sends', async () => {
    await script.walkToCode(sandbox.url, { state: 'x;\nNote over idp: owned\n<script>', scope: 'openid %%{init}%%' });
    for (const flow of flows.latest(5)) {
      const text = asMermaid(sequenceOf(flow, sandbox.events), 'hostile ; <b> # title');
      expect(text).not.toMatch(/<script>|<b>|owned\n/);
    }
  });
});

it('sweeps opaque tokens out, though no exchange shows them under their name', () => {
  const events = createEventLog({ capacity: 10, now: () => 0 });
  const refresh = 'an-opaque-refresh-token-0123456789';
  const bare = { ip: '127.0.0.1', requestHeaders: '', responseHeaders: '' };
  const served = { endpoint: 'token', method: 'POST', path: '/x', status: 200, milliseconds: 1 };
  events.append(
    {
      ...{ type: 'token.issued', tokenType: 'refresh', tokenId: 'tok_1', token: refresh, format: 'opaque' },
      ...{ authorizationId: 'a', grant_type: 'authorization_code', client_id: 'frontend', iat: 0, exp: 1 },
    },
    'req_1',
  );
  events.append({ type: 'request.completed', ...served, exchange: { ...bare, url: '/oauth2/token' } }, 'req_1');
  const quoting = { ...bare, url: `/callback?note=${refresh}`, requestBody: { text: `seen: ${refresh}`, bytes: 1 } };
  events.append({ type: 'request.completed', ...served, exchange: quoting }, 'req_2');
  const exported = atOnce(exportSession([], { events, issuer: 'http://localhost', now: 0, secrets: 'redact' }));
  expect(exported.requests.map(({ exchange }) => exchange.url)).toEqual(['/oauth2/token', '/callback?note=[redacted]']);
  expect(exported.stringify(exported.requests)).not.toContain(refresh);
});
