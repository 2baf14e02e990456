import { createRequire } from 'node:module';
import { decodeJwt } from 'jose';
import { expect, it } from 'vitest';
import { runningChild } from '../support/child.ts';

const { connectSandbox }: typeof import('../../src/index.ts') = createRequire(import.meta.url)('grantbox');

it('drives a sandbox in another process, and tells when that has ended', async () => {
  await using child = await runningChild({ env: { CONTROL_TOKEN: 'open-sesame' } });
  const sandbox = await connectSandbox(child.url, { controlToken: 'open-sesame' });
  expect(sandbox).toMatchObject({ url: child.url, issuer: `http://localhost:${child.port}` });

  await sandbox.users.create({ sub: 'tess' });
  const { access_token } = await sandbox.login({ client: 'frontend', user: 'tess', as: 'tokens' });
  expect(decodeJwt(access_token)).toMatchObject({ iss: sandbox.issuer, sub: 'tess' });
  const ask = () => fetch(`${child.url}/userinfo`, { headers: { authorization: `Bearer ${access_token}` } });
  expect((await ask()).status).toBe(200);
  await sandbox.clock.advance(3600);
  expect((await ask()).status).toBe(401);
  expect(await sandbox.events.waitFor({ type: 'error.returned', q: 'endpoint:userinfo' })).toMatchObject({
    error: 'invalid_token',
  });

  const waited = expect(sandbox.events.waitFor({ q: 'user:nobody', timeoutSeconds: 60 })).rejects.toThrow(
    /^events\.waitFor: /,
  );
  child.process.kill('SIGTERM');
  await child.ended;
  await waited;
  await expect(sandbox.users.list()).rejects.toThrow(`users.list: ${child.url} did not answer`);
});
