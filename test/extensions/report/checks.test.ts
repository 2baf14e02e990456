import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { checks } from '../../../src/extensions/report/checks/index.ts';
import { createSandbox, type Sandbox } from '../../../src/index.ts';
import { asBank } from '../../conformance/everything.ts';
import { observes } from '../../observed.ts';
import * as script from '../../support/flow-scripts.ts';
import { authorizeQuery, get, post, redeem } from '../../support/wire.ts';
import { loginCases } from './login-cases.ts';
import { assertionFor, requestCases } from './request-cases.ts';
import { checkOf, reportOf } from './support.ts';
import { tokenCases } from './token-cases.ts';
import { fresh, logIn, noPkce, reportedConfig, settle, startReported } from './world.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startReported();
});
beforeEach(() => sandbox.reset());
afterAll(() => sandbox.stop());

const report = () => reportOf(sandbox, reportedConfig);
const noVerifier = { code_verifier: '' };
const cases = [...loginCases, ...requestCases, ...tokenCases];

describe('a check', () => {
  it.each(cases)('$id says $verdict of $client for $why', async ({ id, client, verdict = 'fail', bad, why }) => {
    await bad(sandbox.url, sandbox);
    const check = checkOf(await report(), client, id);
    expect(check).toMatchObject({ verdict, why: expect.stringMatching(why) });
    expect(check.title).not.toBe(check.expectation);
    const { count, requests, example } = check.evidence;
    expect(count).toBeGreaterThan(0);
    expect(requests.length).toBeGreaterThan(0);
    expect(sandbox.events.ofRequest(requests[0]?.requestId ?? '')).not.toEqual([]);
    expect(example).toMatch(/^(GET|POST) \//);
  });

  it.each(cases)('$id has nothing to say against $client that does it well', async ({ id, client, good }) => {
    await good(sandbox.url, sandbox);
    const check = checkOf(await report(), client, id);
    expect(check).toMatchObject({ verdict: 'pass', evidence: { count: 0, requests: [] } });
    expect(check.title).toBe(check.expectation);
  });

  it('of assertions says what ASSERTION_AUDIENCE=issuer refuses', async () => {
    observes('setting assertionAudience');
    await using strict = await createSandbox({ ...reportedConfig, assertionAudience: 'issuer' });
    const statuses = [`${strict.issuer}/oauth2/token`, strict.issuer].map(aud => assertionFor(strict.url, strict, aud));
    expect(await Promise.all(statuses)).toEqual([401, 200]);
  });

  it('of resources says what UNKNOWN_RESOURCES=refuse refuses', async () => {
    observes('setting unknownResources');
    await using strict = await createSandbox({ ...reportedConfig, unknownResources: 'refuse' });
    const statuses = ['https://other.example/api', `${strict.issuer}/api`].map(async resource => {
      const form = { grant_type: 'client_credentials', resource };
      return (await script.tokenRequest(strict.url, form, asBank)).status;
    });
    expect(await Promise.all(statuses)).toEqual([400, 200]);
  });

  it('says in its title what happened', async () => {
    const { parameters, verifier } = fresh();
    const { code } = await script.walkToCode(sandbox.url, parameters);
    for (let n = 0; n < 2; n++) await settle(redeem(sandbox.url, code, { code_verifier: verifier }));
    expect(checkOf(await report(), 'frontend', 'code_once').title).toBe('A code was redeemed twice');
    await sandbox.reset();
    await settle(redeem(sandbox.url, (await script.walkToCode(sandbox.url, fresh().parameters)).code, noVerifier));
    expect(checkOf(await report(), 'frontend', 'pkce_verifier').title).toBe('A code_verifier was missing');
  });

  it.each([
    [
      'in the browser',
      () =>
        settle(
          get(`${sandbox.url}/oauth2/authorize?${authorizeQuery({ ...noPkce, state: fresh().parameters.state })}`),
        ),
    ],
    [
      'that is pushed',
      () =>
        settle(
          post(
            `${sandbox.url}/oauth2/par`,
            Object.fromEntries(authorizeQuery({ ...noPkce, state: fresh().parameters.state })),
          ),
        ),
    ],
  ])('is failed by a request without PKCE %s, and by one check only', async (_, ask) => {
    await ask();
    const { checks: all } = (await report()).clients.find(({ client_id }) => client_id === 'frontend') ?? {
      checks: [],
    };
    const bad = all.filter(({ verdict }) => verdict === 'fail' || verdict === 'warn');
    expect(bad.map(({ id, title }) => [id, title])).toEqual([['pkce_s256', 'A sign-in did not use PKCE']]);
  });

  it('is seen here both ways, each of them', async () => {
    const tried = new Set(cases.map(({ id }) => id));
    expect(checks.map(({ id }) => id).filter(id => !tried.has(id))).toEqual(['pushed_requests']);
  });

  it('of pushed requests says whether they were', async () => {
    await script.walkPushed(sandbox.url, fresh().parameters);
    expect(checkOf(await report(), 'frontend', 'pushed_requests')).toMatchObject({
      verdict: 'pass',
      why: '1 of 1 sign-in pushed.',
    });
    await sandbox.reset();
    await logIn(sandbox.url);
    expect(checkOf(await report(), 'frontend', 'pushed_requests').verdict).toBe('not_applicable');
  });
});
