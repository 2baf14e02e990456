import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { createSandbox } from '../../../../src/index.ts';
import { correlationOf } from '../../../../src/server/http/log/correlation.ts';
import { createSentIds } from '../../../../src/server/http/log/request-log.ts';
import { post } from '../../../support/wire.ts';

const trace_id = '4bf92f3577b34da6a3ce929d0e0e4736';
const span_id = '00f067aa0ba902b7';
const traceparent = `00-${trace_id}-${span_id}-01`;

/** The JSON lines of a sandbox to which one wrong token request was sent. */
async function linesWith(headers: Record<string, string>, logFormat: 'json' | 'pretty' = 'json'): Promise<string[]> {
  const log = new PassThrough();
  const sandbox = await createSandbox({ logFormat }, { log });
  await (await post(`${sandbox.url}/oauth2/token`, {}, headers)).text();
  await sandbox.events.waitFor('request.completed');
  await sandbox.stop();
  log.end();
  return (await text(log)).trimEnd().split('\n');
}

it('a JSON line carries the id of the request, of its trace, and the one that its caller gave it', async () => {
  const [line = ''] = await linesWith({ traceparent, 'X-Request-Id': 'f7a1:proxy/1' });
  const { request_id, ...others } = JSON.parse(line);
  expect(request_id).toMatch(/^req_/);
  expect(others).not.toHaveProperty('requestId');
  expect(others).toMatchObject({ trace_id, span_id, client_request_id: 'f7a1:proxy/1' });
});

it('a JSON line carries our id alone where the caller sent none or an invalid one', async () => {
  const [line = ''] = await linesWith({ traceparent: `00-${'0'.repeat(32)}-${span_id}-01`, 'X-Request-Id': 'a b"' });
  const written = JSON.parse(line);
  expect(written.request_id).toMatch(/^req_/);
  expect(Object.keys(written).filter(name => /trace|span|client_request/.test(name))).toEqual([]);
});

it('a line for people carries none of them', async () => {
  expect((await linesWith({ traceparent, 'X-Request-Id': 'proxy-7' }, 'pretty')).join('\n')).not.toMatch(
    /4bf92f|proxy-7|request_id/,
  );
});

it.each([
  [traceparent, { trace_id, span_id }],
  [`01-${trace_id}-${span_id}-01-more`, { trace_id, span_id }],
  [`ff-${trace_id}-${span_id}-01`, {}],
  [`00-${trace_id.toUpperCase()}-${span_id}-01`, {}],
  [`00-${trace_id}-${'0'.repeat(16)}-01`, {}],
  [`00-${trace_id}-${span_id}`, {}],
  ['', {}],
])('reads the traceparent %s as %o', (header, ids) => {
  expect(correlationOf({ traceparent: header })).toEqual(ids);
});

it('an id of a caller is taken if it is short and has no spaces, quotes or control characters', () => {
  for (const id of ['a', '550e8400-e29b-41d4-a716-446655440000', 'x'.repeat(128)])
    expect(correlationOf({ named: id })).toEqual({ client_request_id: id });
  for (const id of ['', 'a b', 'a\n', '"', 'é', 'x'.repeat(129)]) expect(correlationOf({ named: id })).toEqual({});
});

it('the ids of the latest thousand requests are kept, and no long header', () => {
  const sent = createSentIds();
  for (let request = 0; request < 5000; request++) sent.put(`req_${request}`, { traceparent, named: 'x'.repeat(201) });
  expect(sent.size()).toBe(1000);
  expect(sent.of('req_4999')).toEqual({ trace_id, span_id });
  expect(sent.of('req_3999')).toBeUndefined();
});
