import { decodeProtectedHeader, exportJWK, generateKeyPair, type JSONWebKeySet, SignJWT } from 'jose';
import { describe, expect, it } from 'vitest';
import type { Sandbox } from '../../src/index.ts';
import { observes } from '../observed.ts';
import { allKeys } from '../support/all-keys.ts';
import { createSandbox } from '../support/bundle.ts';
import { runningChild } from '../support/child.ts';
import { makeClientKey } from '../support/keys-server.ts';
import { newFile } from '../support/new-folder.ts';
import { asSensor, get, post } from '../support/wire.ts';

async function kidsOf(url: string): Promise<(string | undefined)[]> {
  const { keys } = (await (await get(`${url}/oauth2/jwks`)).json()) as JSONWebKeySet;
  return keys.map(({ kid }) => kid);
}

async function machineToken(url: string): Promise<string> {
  const form = { grant_type: 'client_credentials', scope: 'telemetry:write' };
  const response = await post(`${url}/oauth2/token`, form, { authorization: asSensor });
  return ((await response.json()) as { access_token: string }).access_token;
}

/** The status of the sample backend for a token; 400 where it took the token and not the body. */
async function callWith(url: string, token: string): Promise<number> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  return (await post(`${url}/api/telemetry`, '{}', headers)).status;
}

/** A sandbox whose clock moves by hand. */
async function movable(config: Parameters<typeof createSandbox>[0]) {
  let now = 1_700_000_000;
  const sandbox = await createSandbox({ signingAlg: 'ES256', ...config }, { now: () => now });
  const pass = (seconds: number) => {
    now += seconds;
  };
  return { sandbox, pass };
}

describe('a process', () => {
  it('publishes a key for each algorithm of its metadata soon, which signs once a client needs it', async () => {
    await using child = await runningChild({ env: { SIGNING_ALG: 'ES256' } });
    const before = await allKeys(child.url);
    const [signing] = (JSON.parse(before) as JSONWebKeySet).keys;
    expect(signing?.alg).toBe('ES256');
    const headers = { 'content-type': 'application/json' };
    const grants = { grant_types: ['client_credentials'], token_endpoint_auth_method: 'client_secret_basic' };
    const body = JSON.stringify({ ...grants, id_token_signed_response_alg: 'ES384' });
    const response = await fetch(`${child.url}/connect/register`, { method: 'POST', headers, body });
    expect(response.status).toBe(201);
    expect(await allKeys(child.url)).toBe(before);
  });

  it('does so for each configured issuer, and for as few algorithms as METADATA_OVERRIDES leaves', async () => {
    const names = ['id_token', 'userinfo', 'authorization', 'introspection'];
    const few = Object.fromEntries(names.map(name => [`${name}_signing_alg_values_supported`, ['RS256', 'ES256']]));
    const file = newFile('clients.config.json', { issuers: { '/tenant-a': { users: [{ sub: 'ann' }] } } });
    const env = { METADATA_OVERRIDES: JSON.stringify(few) };
    await using child = await runningChild({ args: ['start', '--config', file], env });
    const own = await allKeys(`${child.url}/tenant-a`);
    expect((JSON.parse(own) as JSONWebKeySet).keys.map(({ alg }) => alg)).toEqual(['RS256', 'ES256']);
    expect(await allKeys(child.url)).not.toBe(own);
  });
});

describe('rotateKeys', () => {
  it('has a new key sign at once, with the old one published until its tokens have expired', async () => {
    const { sandbox, pass } = await movable({});
    await using _ = sandbox;
    const before = await kidsOf(sandbox.url);
    const old = await machineToken(sandbox.url);
    await sandbox.rotateKeys();
    const between = await kidsOf(sandbox.url);
    const fresh = await machineToken(sandbox.url);
    expect(between).toHaveLength(2 * before.length);
    expect(between).toEqual(expect.arrayContaining(before));
    expect(before).not.toContain(decodeProtectedHeader(fresh).kid);
    expect(between).toContain(decodeProtectedHeader(fresh).kid);
    expect([await callWith(sandbox.url, old), await callWith(sandbox.url, fresh)]).not.toContain(401);
    pass(601);
    expect(await kidsOf(sandbox.url)).toEqual(between.filter(kid => !before.includes(kid)));
  });

  it('is in the history', async () => {
    await using sandbox = await createSandbox({ signingAlg: 'ES256' });
    const made = async () => {
      await kidsOf(sandbox.url); // has the keys made; and a replica reads what another one tells of a key
      return sandbox.events.latest('key.created', 10).map(({ alg }) => alg);
    };
    await expect.poll(async () => (await made()).sort()).toEqual(['ES256', 'RS256']);
    await sandbox.rotateKeys();
    expect(sandbox.events.count('key.rotated')).toBe(2);
  });

  it('is what SIGUSR2 does to the process', async () => {
    await using child = await runningChild({ env: { SIGNING_ALG: 'ES256' } });
    await allKeys(child.url);
    const before = await kidsOf(child.url);
    child.process.kill('SIGUSR2');
    // those that sign tokens and ID tokens; a key that nobody has asked for stays
    await expect.poll(() => kidsOf(child.url)).toHaveLength(before.length + 2);
    const after = await kidsOf(child.url);
    expect(after).toEqual(expect.arrayContaining(before));
    expect(before.filter((kid, at) => after[at] !== kid)).toEqual(before.slice(0, 2));
  });
});

describe('SEED', () => {
  async function keysOf(sandbox: Sandbox): Promise<unknown> {
    await using started = sandbox;
    return (await get(`${started.url}/oauth2/jwks`)).json();
  }

  it('makes the same keys on each start, RSA and EC', async () => {
    observes('setting seed');
    const [one, same, other] = [
      await keysOf(await createSandbox({ seed: 'a seed', signingAlg: 'ES256' })),
      await keysOf(await createSandbox({ seed: 'a seed', signingAlg: 'ES256' })),
      await keysOf(await createSandbox({ seed: 'another seed', signingAlg: 'ES256' })),
    ];
    expect(one).toMatchObject({ keys: [{ alg: 'ES256' }, { alg: 'RS256' }] });
    expect(same).toEqual(one);
    expect(other).not.toEqual(one);
  });

  it('does so for a process', async () => {
    const start = () => runningChild({ env: { SEED: 'a seed' } });
    const kids: unknown[] = [];
    for (let run = 0; run < 2; run++) {
      await using child = await start();
      kids.push(await allKeys(child.url));
    }
    expect(kids[1]).toEqual(kids[0]);
  });

  it('has tokens that are good on the next start', async () => {
    const config = { seed: 'a seed', issuer: 'http://localhost:9000' };
    let token: string;
    {
      await using sandbox = await createSandbox(config);
      token = await machineToken(sandbox.url);
    }
    await using again = await createSandbox(config);
    expect(await callWith(again.url, token)).toBe(await callWith(again.url, await machineToken(again.url)));
    await using other = await createSandbox({ ...config, seed: 'another' });
    expect(await callWith(other.url, token)).toBe(401);
  });
});

describe('KEYS_FILE', () => {
  it('publishes all keys of an algorithm, and the first signs', async () => {
    observes('setting keysFile');
    const keys = await Promise.all(
      ['first', 'second'].map(async kid => {
        const { privateKey } = await generateKeyPair('RS256', { extractable: true });
        return { ...(await exportJWK(privateKey)), alg: 'RS256', kid };
      }),
    );
    await using sandbox = await createSandbox({ keysFile: newFile('keys.json', { keys }) });
    expect(await kidsOf(sandbox.url)).toEqual(['first', 'second']);
    expect(decodeProtectedHeader(await machineToken(sandbox.url)).kid).toBe('first');
  });
});

describe('OUTBOUND', () => {
  it('keeps from calling what is never called, and the log is told', async () => {
    const { privateKey } = await makeClientKey('ES256');
    await using sandbox = await createSandbox({
      outbound: 'any',
      clients: [
        {
          client_id: 'remote',
          grant_types: ['client_credentials'],
          token_endpoint_auth_method: 'private_key_jwt',
          jwks_uri: 'http://0.0.0.0:9/jwks',
          scope: 'products:read',
        },
      ],
    });
    const client_assertion = await new SignJWT({ jti: '1' })
      .setProtectedHeader({ alg: 'ES256' })
      .setIssuer('remote')
      .setSubject('remote')
      .setAudience(sandbox.issuer)
      .setExpirationTime('1m')
      .sign(privateKey);
    const client_assertion_type = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
    const form = { grant_type: 'client_credentials', client_assertion, client_assertion_type };
    const response = await post(`${sandbox.url}/oauth2/token`, form);
    expect(response.status).toBe(401);
    expect(await response.json()).toMatchObject({
      error: 'invalid_client',
      error_description: 'the jwks_uri of the client cannot be read',
    });
    const [refusal] = sandbox.events.latest('error.returned', 1);
    expect(refusal?.description).toContain('0.0.0.0 is link-local, a metadata service or otherwise special');
  });
});
