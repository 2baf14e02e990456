import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PassThrough } from 'node:stream';
import { json, text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asksForTraces, startTraces } from '../../src/extensions/tracing/start-traces.ts';
import { startSandbox } from '../../src/sandbox/sandbox.ts';
import { runningChild } from '../support/child.ts';
import { loadConfig } from '../support/load-config.ts';
import { answer, get, login, post, redeem } from '../support/wire.ts';

/** As OTLP has them in JSON. */
interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly status: { readonly code?: number };
  readonly attributes: readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[];
}
interface Exported {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: Span['attributes'] };
    readonly scopeSpans: readonly { readonly spans: readonly Span[] }[];
  }[];
}
const [server, client] = [2, 3];
const trace = '4bf92f3577b34da6a3ce929d0e0e4736';
const caller = '00f067aa0ba902b7';
const traceparent = `00-${trace}-${caller}-01`;

const exported: Exported[] = [];
const callsForKeys: IncomingHttpHeaders[] = [];
// a collector, and the keys of a client
const receiver = createServer(async (req, res) => {
  if (req.url === '/v1/traces') exported.push((await json(req)) as Exported);
  else callsForKeys.push(req.headers);
  res.setHeader('Content-Type', 'application/json').end('{"keys":[]}');
});
let lines: Readonly<Record<string, unknown>>[] = [];

beforeAll(async () => {
  await new Promise<void>(resolve => receiver.listen(0, '127.0.0.1', resolve));
  const collector = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
  const signing = {
    client_id: 'signing',
    grant_types: ['client_credentials'],
    token_endpoint_auth_method: 'private_key_jwt',
    jwks_uri: `${collector}/jwks?secret=1`,
  };
  const child = await runningChild({
    cwd: import.meta.dirname, // where the packages of OpenTelemetry are
    env: {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      CLIENTS: JSON.stringify([signing, ...(await import('../../clients.config.ts')).default.clients]),
    },
  });
  const url = child.url;
  const code = (await answer(url, await login(url))).get('code') ?? '';
  await redeem(url, code);
  const assertion = [
    { alg: 'RS256' },
    { sub: 'signing', iss: 'signing', jti: '1', exp: 4e9, aud: child.ready.issuer },
    {},
  ];
  await post(
    `${url}/oauth2/token?secret=2`,
    {
      grant_type: 'client_credentials',
      client_id: 'signing',
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_assertion: assertion.map(part => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.'),
    },
    { traceparent },
  ).then(response => response.text());
  for (const path of ['/dashboard', '/ready', '/health']) await (await get(url + path)).text();
  child.process.kill('SIGTERM');
  expect(await child.ended).toBe(0); // the last spans are exported before the end
  expect(child.output.stderr).toBe('');
  lines = child.output.stdout
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line));
});
afterAll(() => new Promise(resolve => receiver.close(resolve)));

const spans = () =>
  exported.flatMap(({ resourceSpans }) => resourceSpans.flatMap(each => each.scopeSpans)).flatMap(each => each.spans);
const factsOf = ({ attributes }: Pick<Span, 'attributes'>) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
const named = (name: string) => spans().filter(span => span.name === name);

describe('traces, with the packages of OpenTelemetry and its variables', () => {
  it('have a span for each request of the protocol, and its attributes', () => {
    const [redeemed] = named('POST token');
    expect(redeemed).toMatchObject({ kind: server, traceId: expect.stringMatching(/^[\da-f]{32}$/) });
    expect(factsOf(redeemed as Span)).toMatchObject({
      'http.request.method': 'POST',
      'http.route': '/oauth2/token',
      'http.response.status_code': expect.anything(),
      'url.path': '/oauth2/token',
      'url.scheme': 'http',
      'client.address': '127.0.0.1',
      'grantbox.grant_type': 'authorization_code',
      'grantbox.client_id': 'frontend',
      'grantbox.request_id': expect.stringMatching(/^req_/),
    });
  });

  it('join the requests of one flow by its id', () => {
    const flows = [named('GET authorize'), named('POST token')].map(
      ([span]) => factsOf(span as Span)['grantbox.flow.id'],
    );
    expect(flows[0]).toMatch(/^flow_/);
    expect(flows[1]).toBe(flows[0]);
  });

  it('continue the trace of the caller, say why a request was refused, and are the ids in the log', () => {
    const [refused] = spans().filter(span => span.parentSpanId === caller);
    expect(refused).toMatchObject({ traceId: trace, name: 'POST token', kind: server, status: {} });
    expect(factsOf(refused as Span)).toMatchObject({
      'grantbox.error': 'invalid_client',
      'grantbox.reason': 'client_assertion_key_unknown',
    });
    expect(lines).toContainEqual(
      expect.objectContaining({ error: 'invalid_client', trace_id: trace, span_id: refused?.spanId }),
    );
  });

  it('have a span for a call to another server, which gets its traceparent', () => {
    const [call] = spans().filter(span => span.kind === client);
    const [refused] = spans().filter(span => span.parentSpanId === caller);
    expect(call).toMatchObject({ traceId: trace, parentSpanId: refused?.spanId, name: 'GET' });
    expect(factsOf(call as Span)).toMatchObject({
      'url.full': expect.stringMatching(/\/jwks$/),
      'server.address': '127.0.0.1',
      'http.response.status_code': expect.anything(),
    });
    expect(callsForKeys[0]?.traceparent).toBe(`00-${trace}-${call?.spanId}-01`);
  });

  it('are of the service grantbox, and have no query, no probe and no page of the dashboard', () => {
    const [resource] = exported.flatMap(({ resourceSpans }) => resourceSpans).map(each => factsOf(each.resource));
    expect(resource).toMatchObject({ 'service.name': 'grantbox' });
    const all = JSON.stringify(exported);
    for (const absent of ['secret=', '"/dashboard"', '"/ready"', '"/health"', 'code_verifier'])
      expect(all).not.toContain(absent);
  });
});

describe('OpenTelemetry is asked for', () => {
  it.each([
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://localhost:4318' }, true],
    [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://localhost:4318/v1/traces' }, true],
    [{ OTEL_TRACES_EXPORTER: 'console' }, true],
    [{ OTEL_SERVICE_NAME: 'idp' }, false],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: ' ' }, false],
    [{ OTEL_TRACES_EXPORTER: 'none', OTEL_EXPORTER_OTLP_ENDPOINT: 'http://localhost:4318' }, false],
    [{ OTEL_SDK_DISABLED: 'TRUE', OTEL_TRACES_EXPORTER: 'otlp' }, false],
  ])('by %o: %s', (env, expected) => {
    expect(asksForTraces(env)).toBe(expected);
  });

  it('in vain: then the log says why, and the sandbox runs', async () => {
    const log = new PassThrough();
    const program = { env: { OTEL_TRACES_EXPORTER: 'otlp' }, folders: ['/nonexistent'] };
    const sandbox = await startSandbox(await loadConfig({ overrides: { port: 0, logFormat: 'json' } }), {
      log,
      program,
    });
    expect((await get(`${sandbox.url}/ready`)).status).toBe(200);
    await sandbox.stop();
    log.end();
    const [line = ''] = (await text(log)).split('\n');
    expect(JSON.parse(line)).toMatchObject({
      level: 40,
      msg: expect.stringContaining('its packages are not installed'),
    });
  });

  it('without its packages: then one sentence says what to install, and the sandbox runs', () => {
    const { traces, note } = startTraces({ env: { OTEL_TRACES_EXPORTER: 'otlp' }, folders: ['/nonexistent'] });
    expect(traces).toBeUndefined();
    expect(note).toBe(
      'The variables of OpenTelemetry ask for traces, but its packages are not installed: run npm install @opentelemetry/api @opentelemetry/sdk-node in /nonexistent, or set OTEL_TRACES_EXPORTER=none. The sandbox runs without traces.',
    );
  });
});
