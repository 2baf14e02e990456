import { getIDToken } from '@actions/core';
import { createRemoteJWKSet, decodeJwt, type JWTPayload, jwtVerify } from 'jose';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Sandbox } from '../../src/index.ts';
import { createSandbox } from '../support/bundle.ts';
import { snippetsOf } from '../support/snippets.ts';
import { exportsOf } from './support/run-snippet.ts';

/** A sandbox with the preset, and one job. */
const configOf = (access_token_claims = {}) => ({
  preset: 'github-actions' as const,
  clients: [
    {
      client_id: 'deploy',
      client_secret: 'deploy-secret',
      grant_types: ['client_credentials' as const],
      access_token_claims,
    },
  ],
});

/** As the cloud that trusts the issuer does it. */
async function verified({ issuer }: Pick<Sandbox, 'issuer'>, token: string, audience: string): Promise<JWTPayload> {
  const { jwks_uri } = (await (await fetch(`${issuer}/.well-known/openid-configuration`)).json()) as {
    readonly jwks_uri: string;
  };
  const keys = createRemoteJWKSet(new URL(jwks_uri));
  return (await jwtVerify(token, keys, { issuer, audience, algorithms: ['RS256'] })).payload;
}

describe('the runner call of GitHub Actions', () => {
  // the package writes commands for the runner to standard output
  beforeEach(() => void vi.spyOn(process.stdout, 'write').mockReturnValue(true));
  afterEach(() => {
    vi.restoreAllMocks();
    vi.unstubAllEnvs();
  });

  function asRunner({ issuer }: Pick<Sandbox, 'issuer'>, token: string): void {
    vi.stubEnv('ACTIONS_ID_TOKEN_REQUEST_URL', `${issuer}/idtoken?api-version=2.0`);
    vi.stubEnv('ACTIONS_ID_TOKEN_REQUEST_TOKEN', token);
  }

  it('answers @actions/core with a token for any audience', async () => {
    await using sandbox = await createSandbox(configOf({ repository: 'acme/shop' }));
    asRunner(sandbox, 'deploy:deploy-secret');
    const token = await getIDToken('sts.amazonaws.com');
    expect(await verified(sandbox, token, 'sts.amazonaws.com')).toMatchObject({
      sub: 'repo:acme/shop:ref:refs/heads/main',
    });
    expect(decodeJwt(await getIDToken()).aud).toBe('https://github.com/octo-org');
    asRunner(sandbox, 'replaced by the snippet');
    const { token: fromSnippet } = await exportsOf((await snippetsOf(sandbox.url))('actions-core'));
    if (typeof fromSnippet !== 'function') throw new Error('the snippet exports no function');
    expect(decodeJwt(await fromSnippet()).aud).toBe('https://vault.example');
  });

  it('refuses a wrong secret, a missing credential and a client that is no job', async () => {
    const { clients } = configOf();
    const web = { client_id: 'web', client_secret: 'web-secret', redirect_uris: ['http://localhost:3000/cb'] };
    await using sandbox = await createSandbox({ preset: 'github-actions', clients: [...clients, web] });
    asRunner(sandbox, 'deploy:wrong');
    await expect(getIDToken('x')).rejects.toThrow(/401/);
    const ask = async (authorization?: string) => {
      const headers: Record<string, string> = authorization === undefined ? {} : { authorization };
      const answer = await fetch(`${sandbox.issuer}/idtoken?audience=x`, { headers });
      return { status: answer.status, ...((await answer.json()) as { readonly error: string }) };
    };
    expect(await ask()).toMatchObject({ status: 401, error: 'invalid_client' });
    expect(await ask('Bearer web:web-secret')).toMatchObject({ status: 400, error: 'unauthorized_client' });
  });
});
