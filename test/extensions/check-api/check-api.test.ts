import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { compactVerify, createLocalJWKSet, decodeJwt, decodeProtectedHeader, type JSONWebKeySet } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apiCases } from '../../../src/extensions/check-api/cases.ts';
import { createSandbox, type Sandbox } from '../../../src/index.ts';
import { fastTiming, type } from '../../client/cli/support.ts';
import { observes } from '../../observed.ts';

const audience = 'my-api';
const scope = 'bikes:read';
const apis: Server[] = [];
let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await createSandbox({
    clients: [
      { client_id: 'robot', client_secret: 's', grant_types: ['client_credentials'], scope },
      {
        client_id: 'app',
        redirect_uris: ['http://localhost:3000/'],
        scope: `openid ${scope}`,
        audience,
        token_endpoint_auth_method: 'none',
      },
    ],
  });
  // the first answer loads the program, which takes a busy machine longer than a command waits
  await fetch(`${sandbox.url}/_sandbox/clients`);
});
afterAll(async () => {
  for (const server of apis) server.close();
  await sandbox.stop();
});

type Answer = readonly [status: number, challenge?: string];
const invalid: Answer = [401, 'Bearer error="invalid_token"'];

async function api(answer: (token: string | undefined, url: string) => Promise<Answer> | Answer): Promise<string> {
  let url = '';
  const server = createServer(async (req, res) => {
    const token = req.headers.authorization?.slice('Bearer '.length);
    const [status, challenge] = await Promise.resolve(answer(token, url)).catch((): Answer => [500]);
    res.writeHead(status, challenge === undefined ? {} : { 'WWW-Authenticate': challenge }).end();
  }).listen(0, '127.0.0.1');
  apis.push(server);
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/bikes`;
  return url;
}

async function keysOf(issuer: string): Promise<JSONWebKeySet> {
  return (await fetch(`${issuer}/oauth2/jwks`)).json();
}

/** An API that makes each check of the table but the one named `off`, and remembers keys for as long as it is told. */
function checking(off: string, keysFor: () => Promise<JSONWebKeySet> = () => keysOf(sandbox.issuer)) {
  const isOn = (name: string) => name !== off;
  return async (token: string | undefined): Promise<Answer> => {
    if (token === undefined) return isOn('no_token') ? [401, 'Bearer'] : [200];
    if (token.split('.').length !== 3) return isOn('garbage') ? invalid : [500];
    const [header, claims] = [decodeProtectedHeader(token), decodeJwt(token)];
    const now = Date.now() / 1000;
    const isId = header.typ !== 'at+jwt';
    const named = await keysFor();
    const known = named.keys.some(({ kid }) => kid === header.kid);
    const signed = await compactVerify(
      token,
      known ? createLocalJWKSet(named) : createLocalJWKSet({ keys: named.keys.map(({ kid: _, ...key }) => key) }),
      { crit: { 'urn:grantbox:unknown': true } },
    ).then(
      () => true,
      () => false,
    );
    const broken: Readonly<Record<string, boolean>> = {
      none: header.alg === 'none',
      hs256: header.alg === 'HS256',
      unknown_kid: !known && header.alg === 'RS256',
      tampered: claims.tampered === true,
      wrong_key: !signed && known && claims.tampered !== true && header.alg === 'RS256',
      crit: header.crit !== undefined,
      expired: Number(claims.exp) < now,
      not_yet_valid: Number(claims.nbf ?? 0) > now,
      issuer: claims.iss !== sandbox.issuer,
      audience: claims.aud !== undefined && claims.aud !== audience && !isId,
      no_audience: claims.aud === undefined,
      id_token: isId,
    };
    if (Object.entries(broken).some(([name, isBroken]) => isBroken && isOn(name))) return invalid;
    const hasScope = String(claims.scope ?? '').includes(scope) || isId;
    return hasScope || !isOn('scope') ? [200] : [403, `Bearer error="insufficient_scope", scope="${scope}"`];
  };
}

let issuerAsked = '';

async function askingUserInfo(token: string | undefined): Promise<Answer> {
  const headers = { Authorization: `Bearer ${token}` };
  const { ok } = await fetch(`${issuerAsked}/userinfo`, token === undefined ? {} : { headers });
  return ok ? [200] : invalid;
}

interface Told {
  readonly reason?: string;
  readonly rows: readonly { readonly case: string; readonly kind?: string; readonly mend?: string }[];
}

async function check(url: string, ...argv: string[]) {
  const given = ['--url', url, '--sandbox', sandbox.url, ...argv, '--json'];
  const { code, out, note } = await type(['check-api', ...given], { timing: fastTiming() });
  if (out === '') throw new Error(note);
  const { rows, reason }: Told = JSON.parse(out);
  const found = rows.filter(({ kind }) => kind !== undefined);
  return { code, note, rows, found: found.map(row => [row.case, row.kind]), mend: found[0]?.mend, reason };
}

describe('grantbox check-api', () => {
  it('finds nothing wrong with an API that makes each check', async () => {
    observes('command check-api', 'command check-api --scope', 'command check-api --sandbox');
    observes('command check-api --rotate', 'command check-api --json');
    const { code, note, found, rows } = await check(await api(checking('')), '--scope', scope, '--rotate');
    expect({ code, note, found }).toEqual({ code: 0, note: '', found: [] });
    expect(rows.map(row => row.case)).toEqual(apiCases);
  });

  it.each(apiCases.filter(name => name !== 'good' && name !== 'rotated'))(
    'finds an API without this check by this case, and by no other: %s',
    async name => {
      const { code, found, mend } = await check(await api(checking(name)), '--scope', scope);
      expect({ code, found }).toEqual({ code: 1, found: [[name, name === 'garbage' ? 'failed' : 'accepted']] });
      expect(mend).toMatch(/./);
    },
  );

  it('finds an API that never fetches keys again', async () => {
    const keys = await keysOf(sandbox.issuer);
    const { code, found, mend } = await check(await api(checking('', async () => keys)), '--rotate');
    expect({ code, found }).toEqual({ code: 1, found: [['rotated', 'refused']] });
    expect(mend).toContain(`${sandbox.issuer}/oauth2/jwks`);
  });

  it('prints a table, and takes a refusal in another form for no danger', async () => {
    observes('command check-api --audience', 'command check-api --client', 'command check-api --user');
    const careful = checking('');
    const url = await api(async token => {
      const [status] = await careful(token);
      return status === 200 ? [200] : [403];
    });
    const argv = [
      'check-api',
      '--url',
      url,
      '--sandbox',
      sandbox.url,
      '--audience',
      audience,
      '--client',
      'app',
      '--user',
      'bob',
    ];
    const { code, out, note } = await type(argv);
    expect({ code, note }).toEqual({ code: 0, note: '' });
    expect(out).toContain(`${url} with tokens of ${sandbox.issuer} for the audience my-api`);
    expect(out).toContain('ok    200  A good token\n');
    expect(out).toContain(
      'note  403  A token that has expired\n           The API must refuse this token with 401, and answered 403.\n',
    );
  });

  it('says why a good token is refused: the typ', async () => {
    const { code, reason, found } = await check(
      await api(async token => (token?.includes('.') && decodeProtectedHeader(token).typ === 'JWT' ? [200] : invalid)),
    );
    expect([code, found[0]]).toEqual([1, ['good', 'refused']]);
    expect(reason).toContain('The API accepts the token if its typ is JWT');
  });

  it('says why a good token is refused: the audience', async () => {
    const { reason } = await check(
      await api(async (token, url) =>
        token?.includes('.') && decodeJwt(token).aud === new URL(url).origin ? [200] : invalid,
      ),
    );
    expect(reason).toMatch(/accepts the token if its aud is http:\/\/127\.0\.0\.1:\d+: /);
  });

  it('says why a good token is refused: the keys', async () => {
    await using other = await createSandbox();
    const given = ['--url', await api(() => invalid), '--sandbox', other.url];
    const { code, out } = await type(['check-api', ...given]);
    expect(code).toBe(1);
    expect(out).toContain(`Nobody has fetched the keys at ${other.issuer}/oauth2/jwks`);
    expect(out).toContain('FAIL  401  A good token\n');
  });

  it.each([
    ['the sample API', (url: string) => `${url}/api/products`, 'products:read'],
    ['an API that asks the issuer about the user', () => api(askingUserInfo), 'openid'],
  ] as const)('sends nothing that the report takes for a mistake of the client: %s', async (_, addressOf, asked) => {
    await using own = await createSandbox();
    issuerAsked = own.url;
    const url = await addressOf(own.url);
    const { out } = await type(['check-api', '--url', url, '--sandbox', own.url, '--scope', asked, '--json']);
    expect(JSON.parse(out).rows[0]).toMatchObject({ case: 'good', status: 200 });
    const fails = async () => (await own.report()).summary.fail;
    expect(await fails()).toBe(0);
    // the same call by an app is one
    const { token } = await own.issueToken({ client: 'frontend', user: 'alice', type: 'id' });
    expect((await fetch(url, { headers: { Authorization: `Bearer ${token}` } })).status).toBe(401);
    expect(await fails()).toBe(1);
  });

  it.each([
    [['check-api'], 1, '--url is missing: give the address of your API'],
    [['check-api', '--url', 'http://127.0.0.1:9/', '--sandbox', 'x'], 1, '--sandbox expects an http or https address'],
  ])('refuses %j', async (argv, code, note) => {
    expect(await type(argv)).toMatchObject({ code, note: expect.stringContaining(note) });
  });

  it('says which one does not answer', async () => {
    const { code, note } = await type(['check-api', '--url', 'http://127.0.0.1:9/', '--sandbox', sandbox.url]);
    expect({ code, note }).toEqual({
      code: 2,
      note: expect.stringContaining('your API at http://127.0.0.1:9/ did not answer'),
    });
  });
});
