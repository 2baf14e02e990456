import { SignJWT } from 'jose';
import { describe, expect, it } from 'vitest';
import { createSandbox } from '../support/bundle.ts';
import { createDpopKey } from '../support/dpop.ts';
import { authorizeQuery, get, login, post } from '../support/wire.ts';
import { asBank, bearerGrant, cibaGrant, deviceGrant, everything, exchangeGrant, key } from './everything.ts';

describe('the log (T-23)', () => {
  it('has nothing of what clients prove themselves with, or are given, even at LOG_LEVEL=debug', async () => {
    const lines: string[] = [];
    const sandbox = await createSandbox(
      { ...everything, logLevel: 'debug', registration: 'open' },
      { log: { write: line => void lines.push(line) } },
    );
    const { url } = sandbox;
    const secrets: string[] = [];
    const keep = <T extends Record<string, unknown>>(body: T, ...names: string[]) => {
      for (const name of names) {
        expect(body[name], `${name} in ${JSON.stringify(body)}`).toEqual(expect.any(String));
        secrets.push(String(body[name]));
      }
      return body;
    };
    const json = async (response: Promise<Response>) => (await (await response).json()) as Record<string, string>;
    const now = Math.floor(Date.now() / 1000);
    const sign = (claims: object) =>
      new SignJWT({ aud: sandbox.issuer, exp: now + 60, iat: now, nbf: now, jti: crypto.randomUUID(), ...claims })
        .setProtectedHeader({ alg: 'ES256', kid: 'k' })
        .sign(key.privateKey);
    const client_assertion_type = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
    const cookie = await login(url);
    secrets.push(cookie.split('=')[1] ?? '');

    for (const sub of ['signer', 'nobody'])
      for (let times = 0; times < 2; times++) {
        const form = {
          grant_type: 'client_credentials',
          client_assertion_type,
          client_assertion: await sign({ iss: sub, sub }),
        };
        secrets.push(form.client_assertion);
        await post(`${url}/oauth2/token`, form);
        await post(`${url}/oauth2/token`, form);
      }
    const request = await sign({ iss: 'signer', client_id: 'signer', response_type: 'code', scope: 'nonsense' });
    secrets.push(request);
    await get(`${url}/oauth2/authorize?client_id=signer&request=${request}`, { cookie });
    for (const assertion of [
      await sign({ iss: 'https://partner.example', sub: 'alice' }),
      await sign({ iss: 'x', sub: 'y' }),
    ]) {
      secrets.push(assertion);
      await post(`${url}/oauth2/token`, { grant_type: bearerGrant, assertion }, { authorization: asBank });
      const exchange = {
        grant_type: exchangeGrant,
        subject_token: assertion,
        subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
      };
      await post(`${url}/oauth2/token`, exchange, { authorization: asBank });
      await post(`${url}/oauth2/introspect`, { token: assertion }, { authorization: asBank });
      await post(`${url}/oauth2/revoke`, { token: assertion }, { authorization: asBank });
    }

    const dpop = await (await createDpopKey()).proof({ htu: `${sandbox.issuer}/oauth2/token`, iat: now });
    secrets.push(dpop);
    for (let times = 0; times < 2; times++)
      await post(`${url}/oauth2/token`, { grant_type: 'client_credentials' }, { authorization: asBank, dpop });

    const device = keep(
      await json(post(`${url}/oauth2/device_authorization`, { client_id: 'frontend', scope: 'openid' })),
      'device_code',
      'user_code',
    );
    const poll = { grant_type: deviceGrant, client_id: 'frontend', device_code: device.device_code ?? '' };
    await post(`${url}/oauth2/token`, poll);
    await post(`${url}/oauth2/token`, { ...poll, client_id: 'bank', client_secret: 'a-wrong-secret' });
    secrets.push(
      'a-wrong-secret',
      'a-notification-token',
      'a-password',
      'made-up-code',
      'made-up-device',
      'made-up-request',
    );
    const ciba = { scope: 'openid', login_hint: 'alice', client_notification_token: 'a-notification-token' };
    const asked = keep(await json(post(`${url}/oauth2/bc-authorize`, ciba, { authorization: asBank })), 'auth_req_id');
    for (const auth_req_id of [asked.auth_req_id ?? '', 'made-up-request'])
      await post(`${url}/oauth2/token`, { grant_type: cibaGrant, auth_req_id }, { authorization: asBank });
    await post(`${url}/oauth2/token`, { ...poll, device_code: 'made-up-device' });
    await post(
      `${url}/oauth2/token`,
      { grant_type: 'password', username: 'alice', password: 'a-password' },
      { authorization: asBank },
    );
    const pushed = keep(await json(post(`${url}/oauth2/par`, authorizeQuery().toString())), 'request_uri');
    await get(`${url}/oauth2/authorize?client_id=bank&request_uri=${pushed.request_uri}`, { cookie });

    const body = JSON.stringify({ redirect_uris: ['https://app.example/cb'] });
    const type = { 'content-type': 'application/json' };
    const client = keep(
      await json(post(`${url}/connect/register`, body, type)),
      'registration_access_token',
      'client_secret',
    );
    const authorization = `Bearer ${client.registration_access_token}`;
    await get(client.registration_client_uri ?? '', { authorization });
    await get(`${url}/connect/register/frontend`, { authorization });
    await get(client.registration_client_uri ?? '', { authorization: 'Bearer made-up-code' });
    const put = {
      client_id: client.client_id,
      client_secret: 'a-wrong-secret',
      redirect_uris: ['https://app.example/cb'],
    };
    await fetch(client.registration_client_uri ?? '', {
      method: 'PUT',
      body: JSON.stringify(put),
      headers: { ...type, authorization },
    });
    await sandbox.stop();

    const everythingSaid = lines.join('');
    expect(lines.length).toBeGreaterThan(30);
    for (const secret of secrets) expect(everythingSaid).not.toContain(secret);
    expect(everythingSaid).not.toMatch(/eyJ[\w-]+\.[\w-]+\.|bank-secret|"level":50/);
  });
});
