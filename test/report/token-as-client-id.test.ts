import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createRequestLog } from '../../src/http/request-log.ts';
import { reportAsText } from '../../src/report/as-text.ts';
import { createSandbox, type Sandbox } from '../../src/sandbox.ts';
import { settled } from '../support/flows.ts';
import { answer, authorizeQuery, get, login, post, signIn } from '../support/wire.ts';

let sandbox: Sandbox;
let url: string;
let secrets: Readonly<Record<string, string>>;
beforeAll(async () => {
  sandbox = await createSandbox({ signingAlg: 'ES256' });
  ({ url } = sandbox);
  const tokens = await signIn(url, 'alice', { scope: 'openid offline_access' });
  const code = (await answer(url, await login(url))).get('code') ?? '';
  secrets = { refresh: tokens.refresh_token, access: tokens.access_token, code };
  for (const client_id of Object.values(secrets)) {
    await (await get(`${url}/oauth2/authorize?${authorizeQuery({ client_id })}`)).arrayBuffer();
    const form = { grant_type: 'refresh_token', client_id, refresh_token: tokens.refresh_token };
    expect((await post(`${url}/oauth2/token`, form)).status).toBe(401);
  }
  await settled(sandbox);
});
afterAll(() => sandbox.stop());

/** What of a secret is enough to use it; of a JWT its signature. */
const usable = (secret: string) => secret.split('.').at(-1) ?? secret;

it('a code or token that was sent as client_id is not in the log', async () => {
  const destination = new PassThrough();
  const log = createRequestLog({ level: 'debug', format: 'json', destination });
  for (const event of sandbox.events.keptSince(0)) log.event(event);
  await log.close();
  destination.end();
  const written = await text(destination);
  expect(written).toContain('no client is registered as a refresh token in place of a client_id');
  for (const secret of Object.values(secrets)) expect(written).not.toContain(usable(secret));
});

it('nor in the report, in any form', async () => {
  const report = await sandbox.report();
  const all = JSON.stringify(report) + reportAsText(report);
  expect(all).toContain('[redacted]');
  for (const secret of Object.values(secrets)) expect(all).not.toContain(usable(secret));
});

it('nor is it offered to register it', async () => {
  const { requestId = '' } = sandbox.events.latest('error.returned', 1)[0] ?? {};
  const told = await (await get(`${url}/dashboard/api/v1/problems/${requestId}`)).text();
  expect(told).toContain('No client is registered as a code in place of a client_id');
  expect(told).not.toContain('Create the client');
});
