import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer, request } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { createSelfSigned } from '../../src/server/tls/self-signed.ts';
import { asserted } from '../support/assertions.ts';
import { runningChild } from '../support/child.ts';
import { makeClientKey } from '../support/keys-server.ts';
import { newFolder } from '../support/new-folder.ts';

const folder = newFolder();

/** Asks over TLS without a look at the certificate, which is not what is tested here. */
async function ask(url: string, form?: Readonly<Record<string, string>>): Promise<string> {
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
  const call = request(url, { method: form ? 'POST' : 'GET', headers, rejectUnauthorized: false });
  call.end(form === undefined ? undefined : new URLSearchParams(form).toString());
  const [response] = await once(call, 'response');
  return text(response);
}

it('outbound calls trust NODE_EXTRA_CA_CERTS beside the authority of TLS=self-signed', async () => {
  const { server, ca } = await createSelfSigned([], new Date());
  const caFile = join(folder, 'ca.pem');
  writeFileSync(caFile, ca);
  const key = await makeClientKey('ES256', { kid: 'one' });
  const site = createServer(server, (_req, res) => res.end(JSON.stringify({ keys: [key.publicJwk] })));
  await once(site.listen(0, '127.0.0.1'), 'listening');
  const client = {
    client_id: 'service',
    grant_types: ['client_credentials'],
    token_endpoint_auth_method: 'private_key_jwt',
    jwks_uri: `https://127.0.0.1:${(site.address() as AddressInfo).port}/jwks`,
    scope: 'products:read',
  };
  const env = { TLS: 'self-signed', NODE_EXTRA_CA_CERTS: caFile, CLIENTS: JSON.stringify([client]) };
  await using child = await runningChild({ env });
  const secure = `https://127.0.0.1:${child.port}`;
  const { issuer } = JSON.parse(await ask(`${secure}/.well-known/openid-configuration`));
  const now = Math.floor(Date.now() / 1000);
  const claims = { iss: 'service', sub: 'service', aud: issuer, iat: now, exp: now + 60, jti: 'one' };
  const form = {
    grant_type: 'client_credentials',
    ...(await asserted(key.privateKey, { alg: 'ES256', kid: 'one' }, claims)),
  };
  expect(JSON.parse(await ask(`${secure}/oauth2/token`, form))).toMatchObject({ token_type: 'Bearer' });
  site.close();
});
