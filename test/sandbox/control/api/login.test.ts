import { describe, expect, it } from 'vitest';
import { observes } from '../../../observed.ts';
import { controlled } from './support.ts';

const who = { client: 'frontend', user: 'alice' };

describe('POST /_sandbox/login', () => {
  it('gives a callback whose code can be redeemed', async () => {
    observes('operation login');
    const { sandbox, call } = await controlled();
    const { status, body } = await call('POST /login', { ...who, state: 'st' });
    expect(status).toBe(200);
    const { searchParams, origin, pathname } = new URL(body.redirect);
    expect([searchParams.get('code'), searchParams.get('state')]).toEqual([body.code, 'st']);
    const form = new URLSearchParams({
      ...{ grant_type: 'authorization_code', client_id: 'frontend', redirect_uri: origin + pathname },
      ...{ code: body.code, code_verifier: body.code_verifier },
    });
    const redeemed = await fetch(`${sandbox.url}/oauth2/token`, { method: 'POST', body: form });
    expect(redeemed.status).toBe(200);
  });

  it('gives a token response', async () => {
    const { sandbox, call } = await controlled();
    const { body } = await call('POST /login', { ...who, as: 'tokens', scope: 'openid email' });
    expect(body).toMatchObject({ token_type: 'Bearer', scope: 'openid email' });
    const used = await fetch(`${sandbox.url}/userinfo`, { headers: { Authorization: `Bearer ${body.access_token}` } });
    expect(await used.json()).toMatchObject({ sub: 'alice', email: 'alice@example.com' });
  });

  it('gives what a browser would keep', async () => {
    const { sandbox, call } = await controlled();
    const { body } = await call('POST /login', { ...who, as: 'browser' });
    const names = body.origins[0].localStorage.map(({ name }: { name: string }) => name);
    expect(names).toEqual([`oidc.user:${sandbox.issuer}:frontend`]);
    expect(body.cookies[0].name).toMatch(/^grantbox_session_\d+$/);
  });

  it('gives an error that is chosen', async () => {
    const { call } = await controlled();
    const { status, body } = await call('POST /login', { ...who, action: 'deny' });
    expect([status, body.error]).toEqual([200, 'access_denied']);
  });

  it('is refused as the endpoint would, and told once', async () => {
    const { sandbox, call } = await controlled();
    const { status, headers, body } = await call('POST /login', { ...who, scope: 'openid moon:land' });
    expect([status, headers.get('content-type')]).toEqual([400, 'application/problem+json']);
    expect(body).toMatchObject({ reason: 'scope_not_registered', sent: 'moon:land', title: 'invalid_scope' });
    expect(sandbox.events.latest('error.returned', 5)).toHaveLength(1);
    expect(sandbox.events.count('login.succeeded')).toBe(0);
  });

  it.each([
    [{ client: 'sensor' }, 'grant_type_not_registered', 'sensor is not registered for authorization_code'],
    [{ client: 'fronted' }, 'client_unknown', 'did you mean frontend?'],
    [{ user: 'alicia' }, 'control_input_invalid', 'user is not as expected'],
    [{ as: 'cookie' }, 'control_input_invalid', 'as is not as expected'],
    [{ user: undefined }, 'control_input_invalid', 'user is not as expected'],
  ])('says what is wrong with %j', async (wrong, reason, detail) => {
    const { call } = await controlled();
    const { status, body } = await call('POST /login', { ...who, ...wrong });
    expect([status, body.reason]).toEqual([400, reason]);
    expect(body.detail).toContain(detail);
  });
});
