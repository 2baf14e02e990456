import { afterAll, describe, expect, it } from 'vitest';
import { createSandbox } from '../support/bundle.ts';
import { get, portOf, raw, statusOf } from '../support/wire.ts';
import { everything } from './everything.ts';

const sandbox = await createSandbox(everything);
const { url } = sandbox;
afterAll(() => sandbox.stop());

describe('a body (T-17)', () => {
  const paths = [
    ...[
      '/oauth2/par',
      '/oauth2/device_authorization',
      '/oauth2/device_verification',
      '/oauth2/bc-authorize',
      '/approvals',
    ],
    ...['/consent', '/login/device', '/login/approvals', '/oauth2/introspect', '/oauth2/revoke', '/connect/register'],
  ];

  it.each(paths)('that is too long is 413 at %s, announced or in chunks, before it is read', async path => {
    const type = path === '/connect/register' ? 'application/json' : 'application/x-www-form-urlencoded';
    const head = `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: ${type}\r\n`;
    const chunk = `4000\r\n${'x'.repeat(0x4000)}\r\n`;
    for (const rest of [
      'Content-Length: 65537\r\n\r\n',
      `Transfer-Encoding: chunked\r\n\r\n${chunk.repeat(4)}1\r\ny\r\n`,
    ]) {
      const answered = await raw(portOf(url), head + rest);
      expect(statusOf(answered)).toBe(413);
      expect(answered.toLowerCase()).toContain('connection: close');
    }
  });

  it.each(paths)('that never ends keeps nobody waiting: %s', async path => {
    const type = path === '/connect/register' ? 'application/json' : 'application/x-www-form-urlencoded';
    const head = `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: ${type}\r\nContent-Length: 100\r\n\r\na=`;
    await Promise.all(Array.from({ length: 10 }, () => raw(portOf(url), head, { patience: 20 })));
    await raw(portOf(url), head, { end: true, patience: 300 });
    expect((await get(`${url}/health`)).status).toBe(200);
  });
});
