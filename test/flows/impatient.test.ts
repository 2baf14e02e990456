import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Sandbox } from '../../src/index.ts';
import { createSandbox } from '../support/bundle.ts';

let sandbox: Sandbox;

beforeEach(async () => {
  sandbox = await createSandbox();
});
afterEach(() => sandbox.stop());

/** Says this and hangs up, as a browser does that leaves a page. */
function hangUp(request: string): Promise<void> {
  const socket = connect(Number(new URL(sandbox.url).port), 'localhost');
  return new Promise((resolve, reject) => {
    socket.once('error', reject);
    socket.once('connect', () => socket.write(request, () => resolve(void socket.resetAndDestroy())));
  });
}

const form = 'Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 100';

describe('a client that does not wait for its answer', () => {
  it.each([
    ['an asset', 'GET /assets/grantbox.css HTTP/1.1\r\nHost: localhost\r\n\r\n'],
    ['the dashboard', 'GET /dashboard HTTP/1.1\r\nHost: localhost\r\n\r\n'],
    ['the sign-in', `POST /login?client_id=frontend HTTP/1.1\r\nHost: localhost\r\n${form}\r\n\r\naction`],
    ['a token', `POST /oauth2/token HTTP/1.1\r\nHost: localhost\r\n${form}\r\n\r\ngrant_type`],
  ])('is no failure of the sandbox, at %s', async (_name, request) => {
    // A reset may overtake what was said before it, so not each of them is heard.
    const heard = () => sandbox.events.count('request.completed') + sandbox.events.count('page.served');
    const enough = heard() + 10;
    while (heard() < enough) await hangUp(request);
    await fetch(`${sandbox.url}/health`);
    expect(sandbox.events.latest('error.returned', 100).filter(({ error }) => error === 'server_error')).toEqual([]);
  });
});
