import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import express from 'express';
import { expect, it } from 'vitest';
import { createDoor } from '../../src/extensions/replicas/door.ts';
import type { SharedState } from '../../src/extensions/replicas/shared-state.ts';
import { sendHtml } from '../../src/server/http/send-html.ts';

it('a compressed page waits until the engine has what it changed, and then comes once and whole', async () => {
  const html = `<!doctype html><html>${'<p>A row'.repeat(5000)}</html>`;
  let tell = () => {};
  const sent = new Promise<void>(resolve => {
    tell = resolve;
  });
  const state = { refresh: async () => {}, publish: async () => {} } as unknown as SharedState;
  let isMade = false;
  const door = createDoor({
    state,
    listener: express().use((_req, res) => sendHtml(res.status(201), html)),
    ownerOf: () => '',
    complete: () => {
      isMade = true;
    },
    sent: () => sent,
    onError: error => expect.fail(String(error)),
  });
  const server = createServer(door);
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  let bytes = 0;
  socket.on('data', ({ length }) => {
    bytes += length;
  });
  const answer = buffer(socket);
  socket.write('GET / HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: gzip\r\nConnection: close\r\n\r\n');
  await expect.poll(() => isMade).toBe(true);
  for (let turn = 0; turn < 20; turn++) await new Promise(resolve => setImmediate(resolve));
  expect(bytes).toBe(0);

  tell();
  const whole = await answer;
  const end = whole.indexOf('\r\n\r\n');
  const [head, body] = [whole.subarray(0, end).toString('latin1'), whole.subarray(end + 4)];
  expect(head).toMatch(/^HTTP\/1\.1 201 /);
  expect(head).toContain('Content-Encoding: gzip');
  expect(head).toContain(`Content-Length: ${body.length}`);
  expect(gunzipSync(body).toString()).toBe(html);
  server.close();
});
