import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { atOnce } from '../../../src/base/turns.ts';
import { reportAsText } from '../../../src/extensions/report/report-formats.ts';
import { createSandbox, type Sandbox } from '../../../src/index.ts';
import { exportFlows } from '../../../src/record/flows/exports/export.ts';
import type { Flow } from '../../../src/record/flows/flow.ts';
import { eventJson } from '../../../src/sandbox/control/events/event-json.ts';
import { createRequestLog } from '../../../src/server/http/log/request-log.ts';
import { everything } from '../../conformance/everything.ts';
import { startCiba, startDevice } from '../../support/flow-scripts.ts';
import { settled } from '../../support/flows.ts';
import { answer, authorizeQuery, get, login, post, redeem, signIn } from '../../support/wire.ts';

let sandbox: Sandbox;
let url: string;
let secrets: Readonly<Record<string, string>>;
beforeAll(async () => {
  sandbox = await createSandbox({ ...everything, signingAlg: 'ES256' });
  ({ url } = sandbox);
  const tokens = await signIn(url, 'alice', { scope: 'openid offline_access' });
  const code = (await answer(url, await login(url))).get('code') ?? '';
  const redeemed = (await answer(url, await login(url))).get('code') ?? '';
  expect((await redeem(url, redeemed)).status).toBe(200);
  secrets = {
    ...{ refresh: tokens.refresh_token, access: tokens.access_token, code, redeemed, client_secret: 'shop-secret' },
    device_code: (await startDevice(url)).device_code,
    auth_req_id: (await startCiba(url)).auth_req_id,
  };
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
  expect(written).toContain('client_id is a refresh token; expected the id of a registered client');
  for (const secret of Object.values(secrets)) expect(written).not.toContain(usable(secret));
});

it('nor in the events, but where they have what was on the wire', () => {
  for (const event of sandbox.events.keptSince(0)) {
    if (event.type === 'token.issued' || event.type === 'code.issued') continue;
    const told = JSON.stringify(eventJson(event));
    for (const secret of Object.values(secrets)) expect(told).not.toContain(usable(secret));
  }
});

it('nor in the file of a flow that has nothing but that request', () => {
  const { events } = sandbox;
  for (const { requestId } of events.latest('error.returned', 1000)) {
    const options = { events, issuer: sandbox.issuer, now: 0, secrets: 'redact' } as const;
    const steps = [{ requestId }] as unknown as Flow['steps']; // all that an export reads of a flow
    const { requests, stringify } = atOnce(exportFlows([{ steps } as Flow], options));
    const file = stringify(requests);
    expect(file).toContain('[redacted]');
    for (const [name, secret] of Object.entries(secrets))
      expect([name, file.includes(usable(secret))]).toEqual([name, false]);
  }
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
  expect(told).toContain('The client_id is an auth_req_id');
  expect(told).not.toContain('Create the client');
});
