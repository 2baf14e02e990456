import { type IncomingMessage, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createSandbox, type Sandbox } from '../../../src/index.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await createSandbox();
});
afterAll(() => sandbox.stop());

/** The response as it is on the wire; `fetch` would decompress it. */
async function ask(path: string, headers: Record<string, string>, method = 'GET'): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request(sandbox.url + path, { method, headers }, resolve)
      .on('error', reject)
      .end();
  });
}

const settings = '/dashboard/settings';
const gzip = { 'Accept-Encoding': 'gzip, deflate, br' };

it('pages of the dashboard are compressed, and HEAD has their headers', async () => {
  const page = await ask(settings, gzip);
  expect(page.headers).toMatchObject({
    'content-encoding': 'gzip',
    'content-type': 'text/html; charset=utf-8',
    vary: 'Accept-Encoding',
  });
  const sent = await buffer(page);
  expect(page.headers['content-length']).toBe(String(sent.length));
  const html = gunzipSync(sent).toString();
  expect(html).toMatch(/^<!doctype html>.*<\/html>\s*$/s);
  expect(sent.length).toBeLessThan(html.length / 3);

  const head = await ask(settings, gzip, 'HEAD');
  expect([head.statusCode, (await buffer(head)).length]).toEqual([200, 0]);
  const named = ['content-encoding', 'content-type', 'vary', 'etag', 'cache-control'];
  for (const name of named) expect([name, head.headers[name]]).toEqual([name, page.headers[name]]);
  // The page tells the time, so two requests may differ by some bytes once they are compressed.
  const announced = Number(head.headers['content-length']);
  expect(announced).toBeGreaterThan(sent.length / 2);
  expect(announced).toBeLessThan(html.length / 3);
});

it.each([
  ['that accepts no encoding', {}],
  ['that refuses gzip', { 'Accept-Encoding': 'gzip;q=0' }],
  ['that reads only brotli', { 'Accept-Encoding': 'br' }],
  ['that prefers no compression', { 'Accept-Encoding': 'gzip;q=0.5, identity;q=0.8' }],
])('a browser %s gets pages as they are', async (_, headers) => {
  const page = await ask(settings, headers);
  expect(page.headers).toMatchObject({ vary: 'Accept-Encoding', 'content-type': 'text/html; charset=utf-8' });
  expect(page.headers['content-encoding']).toBeUndefined();
  const sent = await buffer(page);
  expect(page.headers['content-length']).toBe(String(sent.length));
  expect(sent.toString()).toMatch(/^<!doctype html>.*<\/html>\s*$/s);
});

it('no page has an ETag, so a browser that has one from elsewhere gets the page whole', async () => {
  const page = await ask(settings, { ...gzip, 'If-None-Match': '"other"' });
  expect([page.statusCode, page.headers.etag]).toEqual([200, undefined]);
  expect(gunzipSync(await buffer(page)).toString()).toContain('</html>');
});

it.each(['/dashboard/api/v1/events', '/dashboard/export/html', '/.well-known/openid-configuration', '/oauth2/jwks'])(
  'what is no page of the dashboard stays as it is: %s',
  async path => {
    const answer = await ask(path, gzip);
    expect([answer.statusCode, answer.headers['content-encoding']]).toEqual([200, undefined]);
    answer.destroy();
  },
);
