import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import type { Sandbox } from '../../src/index.ts';
import { observes } from '../observed.ts';
import { createSandbox } from '../support/bundle.ts';
import { get, portOf } from '../support/wire.ts';

/** Sends bytes as they are, and reads until the server closes the connection. */
async function ask({ url }: Sandbox, bytes: string | Buffer) {
  const socket = connect(portOf(url), 'localhost');
  socket.write(bytes);
  const answer = await text(socket);
  const [head = '', body = ''] = answer.split('\r\n\r\n');
  return { status: Number(head.split(' ')[1]), head, body: body === '' ? {} : JSON.parse(body) };
}

const withHeader = (bytes: number) =>
  `GET /userinfo HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAuthorization: Bearer ${'a'.repeat(bytes)}\r\n\r\n`;

describe('a request that no handler sees', () => {
  it.each([
    ['a header above the limit', withHeader(20_000), 431, 'header_too_large', /raise MAX_HEADER_SIZE/],
    ['no Host', 'GET /oauth2/jwks HTTP/1.1\r\n\r\n', 400, 'host_missing', /no Host header/],
    ['no HTTP', 'EHLO app.example\r\n\r\n', 400, 'request_malformed', /no HTTP\/1\.1/],
    ['TLS', Buffer.from([0x16, 0x03, 0x01, 0x02, 0, 1, 0, 1, 0xfc]), 400, 'request_malformed', /write http:\/\//],
  ])('is answered, recorded and explained: %s', async (_name, bytes, status, reason, described) => {
    await using sandbox = await createSandbox();
    const answer = await ask(sandbox, bytes);
    expect(answer).toMatchObject({ status, body: { error: 'invalid_request' } });
    expect(answer.body.error_description).toMatch(described);
    const refused = await sandbox.events.waitFor('error.returned', event => event.reason === reason);
    expect(answer.head).toContain(`problems/${refused.requestId}>; rel="help"`);
    const seen = await sandbox.events.waitFor('request.completed', event => event.requestId === refused.requestId);
    expect(seen).toMatchObject({ endpoint: 'unknown', status });
    const page = await get(`${sandbox.url}/dashboard/problems/${refused.requestId}`);
    expect([page.status, await page.text()]).toEqual([200, expect.stringMatching(/RFC \d+/)]);
    expect(await (await get(`${sandbox.url}/dashboard/problems`)).text()).toContain('data-testid="problem-row"');
  });

  it('is served as usual where Node would refuse its Expect', async () => {
    await using sandbox = await createSandbox();
    const answer = await ask(
      sandbox,
      'GET /oauth2/jwks HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nExpect: x\r\n\r\n',
    );
    expect(answer.status).toBe(200);
    expect(await sandbox.events.waitFor('request.completed')).toMatchObject({ endpoint: 'jwks', status: 200 });
  });

  it('may have longer headers with MAX_HEADER_SIZE', async () => {
    observes('setting maxHeaderSize');
    await using sandbox = await createSandbox({ maxHeaderSize: 65_536 });
    const { status, head } = await ask(sandbox, withHeader(20_000));
    expect([status, head]).toEqual([401, expect.stringContaining('WWW-Authenticate: Bearer')]);
  });
});

it('a token that does not fit into a header is told when it is issued', async () => {
  const lines: string[] = [];
  const claims = { groups: Array.from({ length: 1000 }, (_, index) => `group-of-people-${index}`) };
  await using sandbox = await createSandbox({}, { log: { write: line => void lines.push(line) } });
  await sandbox.issueToken({ client: 'frontend', user: 'alice', scope: 'openid', claims });
  const problems = await (await get(`${sandbox.url}/dashboard/problems`)).text();
  expect(problems).toContain('is too large for a header');
  await sandbox.stop();
  expect(lines.join('')).toMatch(
    /the access token of frontend has \d+ bytes, so a request that carries it is refused with 431/,
  );
});
