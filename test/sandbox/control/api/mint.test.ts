import { createRemoteJWKSet, jwtVerify } from 'jose';
import { describe, expect, it } from 'vitest';
import { defectNames } from '../../../../src/server/faults/fault-names.ts';
import { observes } from '../../../observed.ts';
import { controlled } from './support.ts';

describe('POST /_sandbox/tokens', () => {
  it('makes a token that the sample backend takes, and tells the log in its own request', async () => {
    observes('operation mintToken');
    const { sandbox, call } = await controlled();
    const { status, headers, body } = await call('POST /tokens', { client: 'frontend', user: 'alice' });
    expect(status).toBe(201);
    expect(body).toMatchObject({ type: 'access', expires_in: 300, claims: { sub: 'alice', client_id: 'frontend' } });
    const keys = createRemoteJWKSet(new URL(`${sandbox.url}/oauth2/jwks`));
    await jwtVerify(body.token, keys, { issuer: sandbox.issuer, typ: 'at+jwt' });
    const used = await fetch(`${sandbox.url}/api/bikes`, { headers: { Authorization: `Bearer ${body.token}` } });
    expect(used.status).toBe(200);
    const told = sandbox.events.issued(body.tokenId);
    expect(told).toMatchObject({ minted: true, requestId: headers.get('x-request-id') });
  });

  it.each(defectNames)('makes one that is wrong by %s', async defect => {
    const { call } = await controlled();
    const type = defect === 'wrong_nonce' ? 'id' : 'access';
    const { status, body } = await call('POST /tokens', { client: 'frontend', user: 'alice', type, defect });
    expect([status, body.defect]).toEqual([201, defect]);
  });

  it('reports all problems at once, each with the sent value', async () => {
    const { sandbox, call } = await controlled();
    const wrong = { client: 'frontend', lifetime: 'long', defect: 'expird', usr: 'alice' };
    const { status, headers, body } = await call('POST /tokens', wrong);
    expect([status, headers.get('content-type')]).toEqual([400, 'application/problem+json']);
    expect(body).toMatchObject({ reason: 'control_input_invalid' });
    const text = JSON.stringify(body);
    for (const part of ['lifetime', 'long', 'expird', 'expired', 'usr']) expect(text).toContain(part);
    expect(sandbox.events.count('token.issued')).toBe(0);
  });

  it('says which client may have been meant', async () => {
    const { call } = await controlled();
    const { status, body } = await call('POST /tokens', { client: 'fronted' });
    expect(status).toBe(400);
    expect(body.detail).toContain('did you mean frontend?');
  });

  it('is of the issuer it is asked at', async () => {
    const { sandbox, call } = await controlled({ issuers: { 'tenant-a': {} } }, '/tenant-a');
    const { body } = await call('POST /tokens', { client: 'sensor' });
    expect(body.claims.iss).toBe(`${sandbox.issuer}/tenant-a`);
    expect(sandbox.events.issued(body.tokenId)).toBeUndefined();
  });
});

it('inspects a token with a defect, and says the defect first', async () => {
  const { call } = await controlled();
  const { body } = await call('POST /tokens', { client: 'frontend', user: 'alice', defect: 'wrong_issuer' });
  const inspected = await call('POST /tokens/inspect', { token: body.token });
  expect(inspected.body.faults).toEqual([
    'It was minted with the defect wrong_issuer on purpose, so every API must refuse it.',
    expect.stringMatching(/^iss is /),
  ]);
});
