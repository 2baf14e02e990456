import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ClientReport } from '../../../src/extensions/report/report.ts';
import { createSandbox, type Sandbox } from '../../../src/index.ts';
import { createAgent } from '../../support/agent.ts';
import { createDpopKey } from '../../support/dpop.ts';
import * as script from '../../support/flow-scripts.ts';
import { settled } from '../../support/flows.ts';
import { callback, get, post, redeem, type Tokens } from '../../support/wire.ts';
import { checkOf, reportOf } from './support.ts';
import { bearer, fresh, logIn, logInAndCall, pass, reportedConfig, scope, settle, startReported } from './world.ts';

let sandbox: Sandbox;
let url: string;
beforeAll(async () => {
  sandbox = await startReported();
  ({ url } = sandbox);
});
beforeEach(() => sandbox.reset());
afterAll(() => sandbox.stop());

/** `frontend state_unique warn: why` */
function findings({ clients }: ClientReport): string[] {
  return clients.flatMap(({ client_id, checks }) =>
    checks
      .filter(({ verdict }) => verdict === 'warn' || verdict === 'fail')
      .map(({ id, verdict, why }) => `${client_id} ${id} ${verdict}: ${why}`),
  );
}

/** What goes well, in every way there is; each with a client that does its part. */
const good: Readonly<Record<string, () => Promise<unknown>>> = {
  'a login and a call': () => logInAndCall(url),
  'a second login in the same browser': async () => {
    const agent = createAgent(url);
    for (let n = 0; n < 2; n++) await logIn(url, {}, agent);
  },
  'a pushed request': async () => {
    const { verifier, parameters } = fresh();
    const { code } = await script.walkPushed(url, { scope, ...parameters });
    await settle(redeem(url, code, { code_verifier: verifier }));
  },
  'a token that is refreshed when it is due, twice': async () => {
    let { refresh_token, access_token } = await logIn(url, { scope: `${scope} offline_access` });
    for (let n = 0; n < 2; n++) {
      pass(115);
      ({ refresh_token, access_token } = await script.jsonOf<Tokens>(await script.refresh(url, refresh_token)));
      await settle(get(`${url}/api/products`, bearer(access_token)));
    }
  },
  'an expired token, then a refresh': async () => {
    const { access_token, refresh_token } = await logIn(url, { scope: `${scope} offline_access` });
    pass(125);
    await settle(get(`${url}/api/products`, bearer(access_token)));
    const next = await script.jsonOf<Tokens>(await script.refresh(url, refresh_token));
    await settle(get(`${url}/api/products`, bearer(next.access_token)));
  },
  'a logout': async () => {
    const agent = createAgent(url);
    const { id_token, access_token } = await logIn(url, {}, agent);
    await settle(get(`${url}/userinfo`, bearer(access_token)));
    await script.logOut(url, agent, id_token);
  },
  'a user who denies, and one who is asked silently': async () => {
    const parameters = { ...fresh().parameters, code_challenge_method: 'S256' };
    await script.walkThroughConsent(url, 'consent-deny', parameters);
    await script.walkToCode(url, { ...fresh().parameters, prompt: 'none' });
  },
  'a device': async () => {
    const device = await script.startDevice(url);
    await settle(script.pollDevice(url, device.device_code));
    await script.decideDevice(url, device);
    pass(6);
    await settle(script.pollDevice(url, device.device_code));
  },
  'a client for itself, and one with an assertion': async () => {
    await settle(script.clientCredentials(url));
    await settle(script.jwtBearer(url, sandbox.issuer, sandbox.clock()));
  },
  'a token that is bound to a key': async () => {
    const { verifier, parameters } = fresh();
    const { code } = await script.walkToCode(url, { scope, ...parameters });
    const { proof } = await createDpopKey();
    const iat = sandbox.clock();
    const form = { grant_type: 'authorization_code', client_id: 'frontend', redirect_uri: callback, code };
    const dpop = await proof({ htu: `${url}/oauth2/token`, iat });
    const answer = await post(`${url}/oauth2/token`, { ...form, code_verifier: verifier }, { dpop });
    const { access_token: accessToken } = await script.jsonOf<Tokens>(answer);
    const htu = `${url}/api/products`;
    const headers = { authorization: `DPoP ${accessToken}`, dpop: await proof({ htm: 'GET', htu, iat, accessToken }) };
    expect((await get(htu, headers)).status).toBe(200);
  },
  'an answer that was exchanged, and is dropped': async () => {
    for (const action of ['wrong_state', 'no_answer'] as const) {
      await sandbox.nextLogin({ sub: 'alice', action });
      await script.walkToCode(url, fresh().parameters).catch(() => undefined);
    }
  },
  'a setup': () => script.readSetup(url),
};

describe('what goes well', () => {
  it.each(Object.keys(good))('raises no false alarm: %s', async name => {
    await good[name]?.();
    expect(findings(await reportOf(sandbox, reportedConfig))).toEqual([]);
  });

  it('raises none all together, not even at the end', async () => {
    for (const run of Object.values(good)) {
      await run();
      pass(3);
    }
    const report = await reportOf(sandbox, reportedConfig, { isOver: true });
    expect(findings(report)).toEqual([]);
    expect(report.clients.map(({ client_id, verdict }) => [client_id, verdict])).toEqual([
      ['bank', 'pass'],
      ['frontend', 'pass'],
      ['shop', 'pass'],
    ]);
  });

  it('raises none where requests are not recorded, and the report says so', async () => {
    const config = { ...reportedConfig, recording: false };
    const blind = await createSandbox(config);
    const { verifier, parameters } = fresh();
    const { code } = await script.walkPushed(blind.url, { scope, ...parameters });
    await settle(redeem(blind.url, code, { code_verifier: verifier }));
    await logInAndCall(blind.url);
    await settled(blind);
    const report = await reportOf(blind, config, { recording: false });
    await blind.stop();
    expect(findings(report)).toEqual([]);
    expect(report).toMatchObject({ recording: false, clients: [{ client_id: 'frontend', verdict: 'pass' }] });
  });
});

describe('what is none of the client', () => {
  it('is a request that a fault was made for', async () => {
    const { refresh_token } = await logIn(url, { scope: `${scope} offline_access` });
    await sandbox.faults.arm({ fault: 'token_error', times: 1 });
    const refused = await script.refresh(url, refresh_token);
    expect(refused.status).toBeGreaterThanOrEqual(400);
    await settle(refused);
    const report = await reportOf(sandbox, reportedConfig);
    expect(findings(report)).toEqual([]);
    expect(checkOf(report, 'frontend', 'refresh_rotated').verdict).toBe('not_applicable');
  });

  it.each([
    ['wrong_code', /invalid_grant/],
    ['bad_signature', /invalid_token/],
    ['expired', /invalid_token/],
    ['connection_dropped', /./],
  ] as const)('is what follows from the fault %s', async (fault, refusal) => {
    const agent = createAgent(url);
    await logIn(url, {}, agent);
    await sandbox.faults.arm({ fault, times: 1, ...(fault === 'connection_dropped' ? { endpoint: 'token' } : {}) });
    const { verifier, parameters } = fresh();
    const { code } = await script.walkToCode(url, { scope, ...parameters }, agent);
    const ask = () => redeem(url, code, { code_verifier: verifier });
    const answered = await ask().catch(ask);
    const { access_token } = await script.jsonOf<Tokens>(answered.clone());
    const end = access_token === undefined ? answered : await get(`${url}/api/products`, bearer(access_token));
    expect(JSON.stringify([...end.headers]) + (await end.text())).toMatch(refusal);
    expect(findings(await reportOf(sandbox, reportedConfig))).toEqual([]);
  });

  it('is a request of the dashboard', async () => {
    await logIn(url);
    await settle(
      post(`${url}/oauth2/token`, { client_id: 'frontend', grant_type: 'password' }, { 'grantbox-tool': 'replay' }),
    );
    expect(findings(await reportOf(sandbox, reportedConfig))).toEqual([]);
  });
});

it('the log that forgot something says so', async () => {
  const small = await createSandbox({ ...reportedConfig, historySize: 100 });
  for (let n = 0; n < 101; n++) await settle(script.clientCredentials(small.url));
  const report = await reportOf(small, reportedConfig);
  await small.stop();
  expect(report).toMatchObject({ incomplete: true, clients: [{ client_id: 'bank', requests: 100 }] });
});
