import { get, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { createSandbox } from '../../../src/index.ts';

/** The response as it is on the wire; `fetch` would decompress it. */
async function ask(url: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    get(url, { headers: { 'Accept-Encoding': 'gzip' } }, resolve).on('error', reject);
  });
}

it('pages of the dashboard are compressed, live streams and files to save are not', async () => {
  await using sandbox = await createSandbox();
  const page = await ask(`${sandbox.url}/dashboard/settings`);
  expect(page.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'Accept-Encoding' });
  const sent = await buffer(page);
  const html = gunzipSync(sent).toString();
  expect(html).toContain('</html>');
  expect(sent.length).toBeLessThan(html.length / 3);
  for (const path of ['/dashboard/api/v1/events', '/dashboard/export/html']) {
    const other = await ask(sandbox.url + path);
    expect([path, other.statusCode, other.headers['content-encoding']]).toEqual([path, 200, undefined]);
    other.destroy();
  }
});
