import { createHmac, KeyObject } from 'node:crypto';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import express from 'express';
import { exportJWK } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ApiCheck, LabState } from '../../../../src/extensions/lessons/lab/lab.ts';
import { createLabApi } from '../../../../src/extensions/lessons/lab/lab-api.ts';
import { createSandbox, type Sandbox } from '../../../../src/index.ts';
import { claims, collections, createKey, issuer, now, rsa, sign } from '../../../server/resources/running-server.ts';

const evilUrl = `${issuer}/labs/evil/jwks`;
const mallory = await createKey('RS256');
let state: { -readonly [Name in keyof LabState]: LabState[Name] };
let fetched: string[];
let letThrough: { readonly alg: string; readonly sub: unknown }[];
let refused: string[];
let url: string;
const server = createServer(
  express().use((req, res, next) => {
    const api = createLabApi({
      state,
      options: {
        issuer,
        audience: [],
        isAskedFor: () => true,
        identifiers: () => [`${issuer}/labs/api`],
        keys: async ({ kid }) => (kid === 'rsa' ? rsa.publicKey : undefined),
        clock: () => now,
        collections,
        onRefused: (_, { reason }) => refused.push(reason),
      },
      async fetchKeys(asked) {
        fetched.push(asked);
        if (asked !== evilUrl) return undefined;
        return { keys: [{ ...(await exportJWK(mallory.publicKey)), kid: 'evil', alg: 'RS256' }] };
      },
      onLetThrough: (_, __, { header, claims: { sub } }) => letThrough.push({ alg: header.alg, sub }),
    });
    return api(req, res, next);
  }),
).listen(0, '127.0.0.1');
beforeAll(async () => {
  if (!server.listening) await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // of a TCP socket
});
afterAll(() => void server.close());
beforeEach(() => {
  [fetched, letThrough, refused] = [[], [], []];
});

const aud = `${issuer}/labs/api`;
const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** A token of Mallory with his own claims in place of the signed ones. */
const forgedClaims = { ...claims, aud, sub: 'alice' };
const unsigned = (header: object = {}) =>
  `${encode({ alg: 'none', typ: 'at+jwt', ...header })}.${encode(forgedClaims)}.`;
function macWith(secret: string): string {
  const input = `${encode({ alg: 'HS256', typ: 'at+jwt', kid: 'rsa' })}.${encode(forgedClaims)}`;
  return `${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`;
}
const pem = String(KeyObject.from(rsa.publicKey).export({ type: 'spki', format: 'pem' }));
const byMallory = (header: object) => sign({ aud }, { kid: 'evil', ...header }, mallory.privateKey);
const idToken = () => sign({ aud: 'frontend', client_id: undefined, jti: undefined, scope: undefined }, { typ: 'JWT' });

async function call(token: string): Promise<number> {
  const response = await fetch(`${url}/products`, { headers: { Authorization: `Bearer ${token}` } });
  const { detail } = (await response.json()) as { detail?: string };
  expect(detail ?? '', 'no refusal without words').toMatch(response.status === 200 ? /^/ : /\w/);
  return response.status;
}
function weak(...api: ApiCheck[]): void {
  state = { isDefended: false, weak: { api }, second: '' };
}
/** Attacks with the defence off, and again with it on. */
async function attack(token: string): Promise<readonly [open: number, defended: number, reason: string | undefined]> {
  const open = await call(token);
  refused = [];
  state.isDefended = true;
  return [open, await call(token), refused[0]];
}

describe('the API of a lab', () => {
  it('lets the token choose that it has no signature', async () => {
    weak('alg');
    expect(await attack(unsigned())).toEqual([200, 401, 'token_unsigned']);
    expect(letThrough).toEqual([{ alg: 'none', sub: 'alice' }]);
  });

  it('lets the token turn the public key into a shared secret', async () => {
    weak('alg');
    expect(await attack(macWith(pem))).toEqual([200, 401, 'alg_refused']);
  });

  it('lets the token say where its keys are', async () => {
    weak('jku');
    expect(await attack(await byMallory({ jku: evilUrl }))).toEqual([200, 401, 'key_unknown']);
    expect(fetched, 'once, while the defence was off').toEqual([evilUrl]);
  });

  it('takes a token for a different API', async () => {
    weak('aud');
    expect(await attack(await sign({ aud: 'https://news.test' }))).toEqual([200, 401, 'audience_mismatch']);
  });

  it('takes an ID token', async () => {
    weak('typ', 'aud');
    expect(await attack(await idToken())).toEqual([200, 401, 'id_token_sent']);
  });

  it('accepts an honest token with the defence off and on', async () => {
    for (const left of [
      ['alg', 'jku'],
      ['aud', 'typ'],
    ] as const) {
      weak(...left);
      expect(await attack(await sign({ aud }))).toEqual([200, 200, undefined]);
    }
  });
});

describe('the API of a lab with the defence off', () => {
  it.each<[string, ApiCheck[], () => string | Promise<string>, string]>([
    ['no signature where only jku is left out', ['jku'], unsigned, 'token_unsigned'],
    ['an HMAC with a different secret', ['alg'], () => macWith(`${pem}x`), 'signature_invalid'],
    [
      'other claims under the signature of the server',
      ['alg', 'jku'],
      async () => {
        const [header, , signature] = (await sign({ aud })).split('.');
        return `${header}.${encode({ ...forgedClaims, sub: 'eve' })}.${signature}`;
      },
      'signature_invalid',
    ],
    ['a foreign key without jku', ['alg', 'jku'], () => byMallory({}), 'key_unknown'],
    ['keys at a forbidden address', ['jku'], () => byMallory({ jku: 'http://127.0.0.1:1/jwks' }), 'key_unknown'],
    ['a key that the set does not have', ['jku'], () => byMallory({ jku: evilUrl, kid: 'x' }), 'key_unknown'],
    ['a jku that is not text', ['jku'], () => byMallory({ jku: 7 }), 'key_unknown'],
    ['an expired token', ['alg', 'aud', 'typ', 'jku'], () => sign({ aud, exp: now - 1 }), 'token_expired'],
    ['a token of a different issuer', ['alg', 'aud', 'typ'], () => sign({ iss: 'https://x.test' }), 'issuer_mismatch'],
    ['a different audience where alg is left out', ['alg'], () => sign(), 'audience_mismatch'],
    ['an ID token where aud is left out', ['aud'], idToken, 'id_token_sent'],
    ['a scope that is too small', ['alg'], () => sign({ aud, scope: 'bikes:read' }), 'scope_insufficient'],
    ['something that is not a token', ['alg'], () => 'garbage', 'token_opaque'],
    ['a payload that is not JSON', ['alg'], () => `${encode({ alg: 'none' })}.bm9wZQ.`, 'token_malformed'],
  ])('refuses %s', async (_, left, token, reason) => {
    weak(...left);
    expect(await call(await token())).toBe(reason === 'scope_insufficient' ? 403 : 401);
    expect(refused).toEqual([reason]);
    expect(letThrough).toEqual([]);
  });

  it('asks for a token, and does nothing but reading', async () => {
    weak('alg', 'aud', 'typ', 'jku');
    expect((await fetch(`${url}/products`)).status).toBe(401);
    const headers = { Authorization: `Bearer ${unsigned()}`, 'Content-Type': 'application/json' };
    expect((await fetch(`${url}/products`, { method: 'POST', headers, body: '{}' })).status).toBe(401);
    expect(refused).toEqual(['token_missing', 'token_unsigned']);
  });
});

describe('in a sandbox', () => {
  let sandbox: Sandbox;
  beforeAll(async () => {
    sandbox = await createSandbox({ port: 0, logLevel: 'silent' });
  });
  afterAll(() => sandbox.stop());

  const authorization = { Authorization: `Bearer ${unsigned()}` };
  const publish = (at: string, body: string) =>
    fetch(`${at}/labs/evil/jwks`, { method: 'PUT', headers: { 'Content-Type': 'application/json' }, body });
  async function begin(lesson: string): Promise<string> {
    const response = await fetch(`${sandbox.url}/_sandbox/lessons/${lesson}/start`, { method: 'POST' });
    const { issuer: own = '' } = (await response.json()) as { issuer?: string };
    return own;
  }

  it('only the issuer of a lab that attacks the API has its paths', async () => {
    const created = await fetch(`${sandbox.url}/_sandbox/issuers`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: '{"config":{}}',
    });
    const { issuer: shortLived } = (await created.json()) as { issuer: string };
    for (const at of [sandbox.url, shortLived, await begin('token'), await begin('refresh-theft')]) {
      for (const path of ['/labs', '/labs/api', '/labs/api/products', '/labs/evil/jwks']) {
        const response = await fetch(at + path, { headers: authorization });
        expect([at + path, response.status]).toEqual([at + path, 404]);
      }
      expect((await publish(at, '{"keys":[]}')).status).toBe(404);
      const api = at === sandbox.url ? await fetch(`${at}/api/products`, { headers: authorization }) : undefined;
      expect(api?.status ?? 401).toBe(401);
    }
  });

  it('the web server of the attacker keeps the last JWK Set, and takes nothing large', async () => {
    const own = await begin('forged-token');
    expect(await (await fetch(`${own}/labs/evil/jwks`)).json()).toEqual({ keys: [] });
    expect((await publish(own, '{"keys":[{"kty":"oct"}]}')).status).toBe(200);
    expect((await publish(own, `{"keys":"${'x'.repeat(20_000)}"}`)).status).toBe(413);
    expect(await (await fetch(`${own}/labs/evil/jwks`)).json()).toEqual({ keys: [{ kty: 'oct' }] });
  });

  it('the API of a lab fetches no keys from the attacker of a different lab, and survives a bad set', async () => {
    const [own, other] = [await begin('forged-token'), await begin('forged-token')];
    for (const at of [other, own]) {
      const token = await byMallory({ jku: `${at}/labs/evil/jwks` });
      for (const set of ['{"keys":7}', '{"keys":[{"kid":"evil","kty":"RSA","n":"x","e":"y"}]}']) {
        await publish(at, set);
        const response = await fetch(`${own}/labs/api/orders`, { headers: { Authorization: `Bearer ${token}` } });
        expect([at === own, response.status]).toEqual([at === own, 401]);
        expect(response.headers.get('WWW-Authenticate')).toContain('invalid_token');
        const explained = `${own}/dashboard/problems/${response.headers.get('X-Request-Id')}`;
        expect(await (await fetch(explained)).text()).toContain('The header of the token names keys of its own');
      }
    }
  });
});

describe('the sources', () => {
  it('load the careless API in one place, for the issuer of a lab', async () => {
    const src = join(import.meta.dirname, '../../../../src');
    const importers: string[] = [];
    for (const file of await readdir(src, { recursive: true })) {
      if (!file.endsWith('.ts')) continue;
      const text = await readFile(join(src, file), 'utf8');
      if (/(?:^import (?!type)[^;]*|import\()'[^']*\/lab-api\.ts'/m.test(text)) importers.push(file);
    }
    expect(importers).toEqual(['extensions/lessons/lab/lab-paths.ts']);
  });
});
