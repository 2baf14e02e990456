import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createSandbox, type Sandbox } from '../../../../src/index.ts';
import { createFlowIndex } from '../../../../src/record/flows/flow-index.ts';
import { createRequestLog } from '../../../../src/server/http/log/request-log.ts';
import { settled } from '../../../support/flows.ts';
import { asSensor, authorizeQuery, get, post } from '../../../support/wire.ts';

let sandbox: Sandbox;
let url: string;
beforeAll(async () => {
  sandbox = await createSandbox({ signingAlg: 'ES256' });
  ({ url } = sandbox);
  const audience = 'https://api.example/';
  for (let n = 0; n < 2; n++) {
    await (await get(`${url}/oauth2/authorize?${authorizeQuery({ audience, colour: 'red' })}`)).arrayBuffer();
    await post(`${url}/oauth2/token`, { grant_type: 'client_credentials', audience }, { authorization: asSensor });
  }
  await settled(sandbox);
});
afterAll(() => sandbox.stop());

it('a parameter that is ignored is told in the log once for each client, with what to send instead', async () => {
  const destination = new PassThrough();
  const log = createRequestLog({ level: 'info', format: 'json', destination });
  for (const event of sandbox.events.keptSince(0)) log.event(event);
  await log.close();
  destination.end();
  const lines = (await text(destination)).trimEnd().split('\n');
  const told = lines.map(line => JSON.parse(line) as { level: number; msg: string });
  expect(told.filter(({ msg }) => msg.includes('ignores'))).toMatchObject([
    {
      level: 40,
      msg: 'frontend sent the parameter audience, which this server ignores: name the API with resource (RFC 8707)',
    },
    { msg: 'frontend sent the parameter colour, which this server ignores' },
    { msg: 'sensor sent the parameter audience, which this server ignores: name the API with resource (RFC 8707)' },
  ]);
});

it('and on the flow: at its step, and beside its value', async () => {
  const flows = createFlowIndex(sandbox.events, sandbox.clock).latest(9);
  const [login] = flows.filter(({ kind }) => kind === 'authorization_code');
  const html = await (await get(`${url}/dashboard/flows/${login?.id}`)).text();
  expect(html).toMatch(/class="signs">[^<]*ignored: audience and colour, front channel/);
  expect(html).toContain('<span class="parameter-note">ignored here: name the API with resource (RFC 8707)</span>');
  expect(html).toContain('<span class="parameter-note">ignored here</span>');
});
