import { decodeJwt, decodeProtectedHeader } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LessonProgress, ProbeReport } from '../../../src/extensions/lessons/control.ts';
import { findingIn } from '../../../src/extensions/report/api/api-module.ts';
import { apiModule } from '../../../src/extensions/report/api/resource-server.ts';
import { createSandbox, type Sandbox } from '../../../src/index.ts';
import { observes } from '../../observed.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await createSandbox({ port: 0, logLevel: 'silent' });
});
afterAll(() => sandbox.stop());

const at = (path: string) => `${sandbox.url}/_sandbox/lessons/${path}`;

async function start(): Promise<LessonProgress> {
  return (await fetch(at('api/start'), { method: 'POST' })).json();
}

async function tell(learner: string, body: object): Promise<ProbeReport> {
  const headers = { 'Content-Type': 'application/json' };
  const response = await fetch(at(`api/probe?learner=${learner}`), {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  });
  expect(response.status).toBe(200);
  return response.json();
}

const tokenOf = ({ headers: { Authorization = '' } }: ProbeReport['requests'][number]) =>
  Authorization.replace('Bearer ', '');

describe('the probe of an API', () => {
  observes('operation readLessonProbe', 'operation answerLessonProbe');

  it('has one good token and six that are wrong in one thing each', async () => {
    const { learner } = await start();
    const { issuer, requests, rows } = (await (await fetch(at(`api/probe?learner=${learner}`))).json()) as ProbeReport;
    const tokens = Object.fromEntries(requests.map(request => [request.case, tokenOf(request)]));
    const claims = (name: string) => decodeJwt(tokens[name] ?? '');
    expect(Object.keys(tokens)).toEqual(['good', 'expired', 'audience', 'issuer', 'tampered', 'none', 'id-token']);
    expect(claims('good')).toMatchObject({ iss: issuer, aud: 'my-api', sub: 'bob' });
    expect(claims('expired').exp).toBeLessThan(claims('good').iat ?? 0);
    expect(claims('audience')).toMatchObject({ iss: issuer, aud: expect.not.stringContaining('my-api') });
    expect(claims('issuer').iss).not.toBe(issuer);
    expect(decodeProtectedHeader(tokens.none ?? '').alg).toBe('none');
    expect(claims('id-token')).toMatchObject({ iss: issuer, aud: ['my-app', 'my-api'] });
    expect(rows.map(({ state }) => state)).toEqual(Array(8).fill('open'));
  });

  it('rotates the keys once, until a token of the new ones was accepted', async () => {
    const { learner } = await start();
    const kid = async () => {
      const { requests } = await tell(learner, { answers: [], rotate: true });
      expect(requests.map(request => request.case)).toEqual(['rotated']);
      return requests.map(request => decodeProtectedHeader(tokenOf(request)).kid)[0];
    };
    const first = await kid();
    const refused = await tell(learner, { answers: [{ case: 'rotated', status: 401 }] });
    expect(refused.rows.at(-1)).toMatchObject({ state: 'failed', problem: expect.stringContaining('30 seconds') });
    expect(await kid()).toBe(first);
    const accepted = await tell(learner, { answers: [{ case: 'rotated', status: 204 }] });
    expect(accepted.rows.at(-1)).toMatchObject({ state: 'passed', status: 204 });
    expect(await kid()).not.toBe(first);
  });

  it('is a 404 for a lesson that is unknown, not started, or calls no API', async () => {
    const { learner } = await start();
    for (const path of ['nothing/probe', 'api/probe', `token/probe?learner=${learner}`]) {
      expect((await fetch(at(path))).status, path).toBe(404);
    }
  });
});

describe('an answer of an API', () => {
  const bearer = 'Bearer realm="bikes", error="invalid_token"';

  it.each([
    ['good', { status: 200 }],
    ['rotated', { status: 204 }],
    ['expired', { status: 401, challenge: bearer }],
    ['none', { status: 401, challenge: 'DPoP algs="ES256", error=invalid_token' }],
  ] as const)('to %s is as expected: %o', (name, answer) => {
    expect(findingIn(apiModule(name), answer)).toBeUndefined();
  });

  it.each([
    ['good', { status: 401, challenge: bearer }, 'must accept'],
    ['good', { failure: 'nobody listens there' }, 'nobody listens'],
    ['expired', { status: 200 }, 'must refuse'],
    ['expired', { status: 403, challenge: bearer }, 'answered 403'],
    ['expired', { status: 401 }, 'no challenge'],
    ['expired', { status: 401, challenge: 'Basic error="invalid_token"' }, 'no challenge'],
    ['expired', { status: 401, challenge: 'Bearer' }, 'invalid_token'],
    ['expired', { status: 401, challenge: 'Bearer error="invalid_tokens"' }, 'must say'],
    ['expired', { status: 401, challenge: 'Bearer my_error="invalid_token"' }, 'must say'],
  ] as const)('to %s is not as expected: %o', (name, answer, words) => {
    expect(findingIn(apiModule(name), answer)?.problem).toContain(words);
  });
});
