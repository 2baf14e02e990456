import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSandbox, type Sandbox } from '../../src/index.ts';
import { createAgent } from '../support/agent.ts';
import * as script from '../support/flow-scripts.ts';
import { authorizeQuery, callback, get, redeem } from '../support/wire.ts';

const clients = [
  { client_id: 'frontend', redirect_uris: [callback], scope: 'openid profile email products:read offline_access' },
  { client_id: 'robot', client_secret: 'a secret of robot', grant_types: ['client_credentials' as const] },
];
const users = [{ sub: 'alice', password: 'a password of alice', claims: { name: 'Alice' } }, { sub: 'bob' }];

let sandbox: Sandbox;
let failed: string;
let code: string;

beforeAll(async () => {
  sandbox = await createSandbox({ clients, users, signingAlg: 'ES256', accessTokenLifetime: 77 });
  await script.logInAndCall(sandbox.url, { state: 'the state of one login' });
  ({ code } = await script.walkToCode(sandbox.url, { state: 'the state of another login' }));
  const refused = await redeem(sandbox.url, code, { code_verifier: 'another-verifier-of-43-characters-0123456789' });
  failed = refused.headers.get('x-request-id') ?? '';
});
afterAll(() => sandbox.stop());

const textOf = async (path: string) => (await get(`${sandbox.url}/dashboard${path}`)).text();
const jsonOf = async (path: string) => JSON.parse(await textOf(path));
const flowOf = async (requestId: string) =>
  (await get(`${sandbox.url}/dashboard/flows/by-request/${requestId}`)).headers.get('location')?.match(/flow_\w+/)?.[0];

describe('Share', () => {
  it('is one link on the page of a flow, with the command that opens the file', async () => {
    const flow = await flowOf(failed);
    const html = await textOf(`/flows/${flow}`);
    expect(html).toContain(`href="/dashboard/flows/${flow}/export/json" download data-testid="share">Share</a>`);
    expect(html).toContain(`data-testid="share-command">npx grantbox open grantbox-${flow}.json</code>`);
    const file = await get(`${sandbox.url}/dashboard/flows/${flow}/export/json`);
    expect(file.headers.get('content-disposition')).toBe(`attachment; filename="grantbox-${flow}.json"`);
    expect(await file.json()).toMatchObject({ flows: [{ id: flow }], problems: [{ reason: 'pkce_mismatch' }] });
  });

  it('on the page of a problem downloads its flow and its explanation, without secrets', async () => {
    const html = await textOf(`/problems/${failed}`);
    const [, path = '', id = ''] = /href="\/dashboard(\/problems\/(prb_\w+)\/export\/json)" download/.exec(html) ?? [];
    expect(html).toContain(`npx grantbox open grantbox-${id}.json`);
    const text = await textOf(path);
    for (const secret of [code, 'another-verifier', 'a password of alice']) expect(text).not.toContain(secret);
    const { flows, requests, problems } = JSON.parse(text);
    expect(flows).toMatchObject([{ id: await flowOf(failed), status: 'failed' }]);
    expect(requests.at(-1)).toMatchObject({ requestId: failed, status: 400 });
    expect(problems).toMatchObject([{ id, requestId: failed, explanation: { certainty: 'likely' } }]);
  });

  it('of a refusal without a flow downloads its request', async () => {
    const refused = await get(`${sandbox.url}/no/such/path`);
    await refused.arrayBuffer();
    const requestId = refused.headers.get('x-request-id') ?? '';
    const { flows, requests, problems } = await jsonOf(`/problems/${requestId}/export/json`);
    expect(flows).toEqual([]);
    expect(requests).toMatchObject([{ requestId, path: '/no/such/path' }]);
    expect(problems).toMatchObject([{ reason: 'path_unknown' }]);
    expect((await get(`${sandbox.url}/dashboard/problems/prb_none/export/json`)).status).toBe(404);
  });

  it('has the latest occurrences of a problem that happened often, each with its flow', async () => {
    const agent = createAgent(sandbox.url);
    for (const state of ['one', 'two']) {
      const query = authorizeQuery({ state, redirect_uri: 'http://localhost:5173/other' });
      await agent.open(`${sandbox.url}/oauth2/authorize?${query}`);
    }
    const { problems } = await jsonOf('/api/v1/problems');
    const often = problems.find(({ reason }: { reason: string }) => reason === 'redirect_uri_not_registered');
    const shared = await jsonOf(`/problems/${often.id}/export/json`);
    expect(shared.problems).toMatchObject([{ id: often.id, count: 2 }]);
    expect(shared.requests.map(({ requestId }: { requestId: string }) => requestId)).toEqual(
      often.requestIds.toReversed(),
    );
  });
});

describe('the setup in a session file', () => {
  it('has the clients, users, scopes and settings that repeat the session, and no others', async () => {
    const { setup } = await jsonOf(`/flows/${await flowOf(failed)}/export/json`);
    expect(setup).toEqual({
      clients: clients.slice(0, 1),
      users: [{ sub: 'alice', password: '[redacted]', claims: { name: 'Alice' } }],
      scopes: [{ name: 'products:read', description: 'see the products' }],
      collections: [],
      settings: { SIGNING_ALG: 'ES256', ACCESS_TOKEN_LIFETIME: '77' },
      clock: { offset: 0, frozen: false },
    });
  });

  it('has the collection that a request called, and a moved clock', async () => {
    await sandbox.clock.advance(60);
    await script.logInAndCall(sandbox.url, { state: 'the state of a third login' });
    const { setup } = await jsonOf('/export/json');
    expect(setup.collections).toMatchObject([{ name: 'products', readScope: 'products:read' }]);
    expect(setup.clock.offset).toBe(60);
  });
});
