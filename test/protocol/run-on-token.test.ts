import { decodeJwt } from 'jose';
import { describe, expect, it } from 'vitest';
import type { OnToken, OnTokenEvent, TokenRule } from '../../src/protocol/token-rule.ts';
import { createTestServer, redemption, type TestServer } from '../support/server.ts';

const byBasic = `Basic ${btoa('sensor:sensor-secret')}`;

interface Running extends TestServer {
  /** What was told to the log. */
  readonly told: unknown[];
}

function running(onToken: OnToken, templates: readonly TokenRule[] = []): Running {
  const told: unknown[] = [];
  const it = createTestServer({
    tokenRules: { templates, onToken, timeout: 1 },
    tellFailure: error => void told.push(error),
  });
  return { ...it, told };
}

const machineToken = (it: TestServer) => it.token({ grant_type: 'client_credentials' }, byBasic);

async function claimsOf(it: TestServer) {
  const { access_token, id_token = '' } = await it.tokens({ scope: 'openid email' });
  return { accessToken: decodeJwt(access_token), idToken: decodeJwt(id_token) };
}

describe('onToken', () => {
  it('adds claims to each token, after those of templates', async () => {
    const seen: OnTokenEvent[] = [];
    const it = running(
      async event => {
        seen.push(event);
        await Promise.resolve();
        return { mark: `${event.token} of ${event.user?.email}`, seal: `not ${event.claims.seal}` };
      },
      [{ claims: { seal: 'red' } }],
    );
    const { accessToken, idToken } = await claimsOf(it);
    expect(accessToken).toMatchObject({ mark: 'accessToken of alice@example.com', seal: 'not red' });
    expect(idToken).toMatchObject({ mark: 'idToken of alice@example.com', seal: 'not red' });
    expect(seen[0]).toMatchObject({
      client: { client_id: 'frontend' },
      request: { grant_type: 'authorization_code' },
      grant: { type: 'authorization_code', acr: '0' },
      scopes: ['openid', 'email'],
    });
    const ruled = it.events.flatMap(event => (event.type === 'token.issued' && event.ruled ? [event.ruled] : []));
    expect(ruled).toEqual([
      { seal: 'onToken', mark: 'onToken' },
      { seal: 'onToken', mark: 'onToken' },
    ]);
  });

  it('may add nothing, and gives its claims in the form of JSON', async () => {
    expect(decodeJwt((await machineToken(running(() => undefined))).access_token)).not.toHaveProperty('at');
    const it = running(() => ({ at: new Date(0), none: undefined }));
    const claims = decodeJwt((await machineToken(it)).access_token);
    expect(claims).toMatchObject({ at: '1970-01-01T00:00:00.000Z' });
    expect(claims).not.toHaveProperty('none');
  });

  it('has copies, so that it cannot change the users and clients of the sandbox', async () => {
    const it = running(({ user, client }) => {
      for (const list of [user?.roles, client.redirect_uris]) (list as string[]).push('https://evil.example');
    });
    await claimsOf(it);
    expect(it.server.users.get('alice')?.claims.roles).toEqual(['admin']);
    expect(it.server.clients.get('frontend')?.redirect_uris).toHaveLength(1);
  });

  it.each<[string, OnToken, string]>([
    [
      'throws',
      () => {
        throw new TypeError('no tenant\nsecond line');
      },
      'onToken failed: TypeError: no tenant',
    ],
    ['rejects', () => Promise.reject('a text'), 'onToken failed: a text'],
    ['returns a text', () => 'admin' as never, 'onToken failed: TypeError: it must return an object with claims'],
    ['returns a list', async () => [] as never, 'onToken failed: TypeError: it must return an object with claims'],
    ['returns no JSON', () => ({ big: 1n }), 'onToken failed: TypeError: '],
    ['sets a claim of the protocol', () => ({ exp: 1 }), 'onToken failed: TypeError: it must not set exp'],
    ['sets the subject', () => ({ a: 1, sub: 'bob' }), 'onToken failed: TypeError: it must not set sub'],
  ])('answers server_error and tells the log where it %s', async (_what, onToken, description) => {
    const it = running(onToken);
    const error = await machineToken(it).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'server_error', reason: 'on_token_failed', status: 500 });
    expect(error).toMatchObject({ description: expect.stringContaining(description) });
    expect(String((error as { description: string }).description)).not.toMatch(/\n|second line|run-on-token/);
    expect(it.told).toHaveLength(1);
    expect(it.events.some(({ type }) => type === 'token.issued')).toBe(false);
  });

  it('answers server_error after its time, and others need not wait', async () => {
    const it = running(({ request }) => (request.slow === 'yes' ? new Promise<never>(() => {}) : { seal: 'fast' }));
    const slow = it
      .token({ grant_type: 'client_credentials', slow: 'yes' }, byBasic)
      .catch((thrown: unknown) => thrown);
    const first = await Promise.race([slow, machineToken(it)]);
    expect(first).toMatchObject({ token_type: 'Bearer' });
    expect(await slow).toMatchObject({ code: 'server_error', description: expect.stringContaining('1 second') });
  });

  it.each<[string, OnToken]>([
    ['denies', ({ deny }) => deny('only on weekdays')],
    [
      'denies, and goes on',
      ({ deny }) => {
        try {
          deny('only on weekdays');
        } catch {
          // as a function with a catch of its own does
        }
        return { a: 1 };
      },
    ],
  ])('answers access_denied with the reason where it %s', async (_what, onToken) => {
    const it = running(onToken);
    const error = await machineToken(it).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'access_denied', reason: 'on_token_denied', description: 'only on weekdays' });
    expect(it.told).toEqual([]);
  });

  it('answers at the redirect URI in the front channel', async () => {
    const it = running(({ deny }) => deny('not today'));
    const web = it.server.clients.get('web');
    if (web !== undefined) {
      it.server.clients.replace({ ...web, response_types: ['id_token'], grant_types: ['implicit'] });
    }
    const asked = { client_id: 'web', redirect_uri: 'https://shop.example/callback', response_type: 'id_token' };
    const answer = await it.answer({ ...asked, nonce: 'n' }, await it.login());
    expect(Object.fromEntries(answer)).toMatchObject({ error: 'access_denied', error_description: 'not today' });
  });

  it('is asked again for the tokens of a refresh token', async () => {
    let count = 0;
    const it = running(() => ({ count: ++count }));
    const code = await it.code({ scope: 'openid offline_access' });
    const { refresh_token = '' } = await it.token({ ...redemption, code });
    const again = await it.token({ grant_type: 'refresh_token', client_id: 'frontend', refresh_token });
    expect(decodeJwt(again.access_token).count).toBe(3);
  });
});
