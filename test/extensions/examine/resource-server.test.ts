import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  compactVerify,
  createRemoteJWKSet,
  decodeJwt,
  decodeProtectedHeader,
  importJWK,
  type JSONWebKeySet,
  jwtVerify,
} from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { resourceServer } from '../../../src/extensions/examine/api/resource-server.ts';
import { createSandbox, type Sandbox } from '../../../src/index.ts';
import { fastTiming, type } from '../../client/cli/support.ts';
import { observes } from '../../observed.ts';
import { freePort } from '../../support/free-port.ts';
import { newFolder } from '../../support/new-folder.ts';

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

interface Asked {
  /** The token of the header. */
  readonly token: string | undefined;
  readonly scheme: string;
  readonly query: URLSearchParams;
  /** The address of the API. */
  readonly url: string;
}

async function api(answer: (asked: Asked) => Promise<Answer> | Answer): Promise<string> {
  let url = '';
  const server = createServer(async (req, res) => {
    const [scheme = '', token] = req.headers.authorization?.split(' ') ?? [];
    const { searchParams: query } = new URL(req.url ?? '', url);
    const [status, challenge] = await Promise.resolve(answer({ token, scheme, query, url })).catch((): Answer => [500]);
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

type Keys = () => Promise<JSONWebKeySet>;

/** An API that makes each check of the plan but the one named `off`, and remembers keys for as long as it is told. */
function checking(off: string, keysFor: Keys = () => keysOf(sandbox.issuer)) {
  const has = (name: string) => name !== off;
  return async ({ token: sent, scheme, query }: Asked): Promise<Answer> => {
    const token = sent ?? (has('token-in-query') ? undefined : (query.get('access_token') ?? undefined));
    if (token === undefined) return has('no-token') || query.has('access_token') ? [401, 'Bearer'] : [200];
    if (!has('scheme-case') && scheme !== 'Bearer') return [401, 'Bearer'];
    if (token.split('.').length !== 3) return has('garbage') ? invalid : [500];
    const isGood = (await isSigned(token, has, await keysFor())) && isInTime(token, has) && isForMe(token, has);
    return isGood ? scoped(token, has) : invalid;
  };
}

type Has = (name: string) => boolean;

/** The algorithm is the choice of the API, and the key the one that `kid` names. */
async function isSigned(token: string, has: Has, { keys }: JSONWebKeySet): Promise<boolean> {
  const header = decodeProtectedHeader(token);
  const alg = String(header.alg);
  const lapses = [
    [alg === 'none', 'none'],
    [alg !== 'none' && alg.toLowerCase() === 'none', 'none-in-other-letters'],
    [alg === 'HS256', 'hs256'],
    [alg === 'RS256' && token.endsWith('.'), 'empty-signature'],
    [decodeJwt(token).tampered === true, 'tampered'],
  ] as const;
  const lapse = lapses.find(([isIt]) => isIt);
  if (lapse !== undefined) return !has(lapse[1]);
  if (header.crit !== undefined && has('crit')) return false;
  const named = keys.find(({ kid }) => kid === header.kid);
  const key = named ?? (has('unknown-kid') ? undefined : keys.find(({ kty }) => kty === 'RSA'));
  if (key === undefined) return false;
  const options = { crit: { 'urn:grantbox:unknown': true } };
  const isRight = await compactVerify(token, await importJWK(key, 'RS256'), options).then(
    () => true,
    () => false,
  );
  return isRight || !has('wrong-key');
}

function isInTime(token: string, has: Has): boolean {
  const { exp, nbf } = decodeJwt(token);
  const now = Date.now() / 1000;
  const tolerance = has('clock-skew') ? 60 : 0;
  if (exp === undefined) return !has('no-expiry');
  if (exp < now - 600) return !has('expired');
  if (exp < now - tolerance) return !has('expired-four-minutes');
  if (nbf !== undefined && nbf > now + 600) return !has('not-yet-valid');
  return nbf === undefined || nbf <= now + tolerance;
}

function isForMe(token: string, has: Has): boolean {
  const { iss, aud, scope: said } = decodeJwt(token);
  if (decodeProtectedHeader(token).typ !== 'at+jwt') {
    const isAccessToken = said !== undefined;
    return !has(isAccessToken ? 'typ-jwt' : 'id-token');
  }
  if (iss !== sandbox.issuer) return !has(iss === undefined ? 'no-issuer' : 'issuer');
  if (aud === undefined) return !has('no-audience');
  if (Array.isArray(aud)) return has('audience-list') && aud.includes(audience);
  return aud === audience || !has('audience');
}

function scoped(token: string, has: Has): Answer {
  const said = String(decodeJwt(token).scope ?? '');
  if (said.split(' ').includes(scope) || !('scope' in decodeJwt(token) || has('scope'))) return [200];
  const isPart = said.includes(scope);
  if (decodeProtectedHeader(token).typ !== 'at+jwt') return [200];
  if (isPart ? !has('scope-part') : !has('scope')) return [200];
  return [403, `Bearer error="insufficient_scope", scope="${scope}"`];
}

let issuerAsked = '';

async function askingUserInfo({ token }: Asked): Promise<Answer> {
  const headers = { Authorization: `Bearer ${token}` };
  const { ok } = await fetch(`${issuerAsked}/userinfo`, token === undefined ? {} : { headers });
  return ok ? [200] : invalid;
}

interface Told {
  readonly modules: readonly {
    readonly id: string;
    readonly verdict: string;
    readonly why: string;
    readonly mend: string;
  }[];
}

async function check(url: string, ...argv: string[]) {
  const given = ['--api', url, '--sandbox', sandbox.url, ...argv, '--json'];
  const { code, out, note } = await type(['examine', ...given], { timing: fastTiming() });
  if (out === '') throw new Error(note);
  const { modules }: Told = JSON.parse(out);
  const found = modules.filter(({ verdict }) => verdict === 'fail' || verdict === 'warn');
  return { code, note, modules, found: found.map(row => [row.id, row.verdict]), mend: found[0]?.mend };
}

const ids = resourceServer.modules.map(({ id }) => id);
/** Checks that the specification only recommends. */
const onlyRecommended = resourceServer.modules.filter(({ otherwise }) => otherwise === 'warn').map(({ id }) => id);

describe('grantbox examine --api', () => {
  it('finds nothing wrong with an API that makes each check', async () => {
    observes(
      'command examine --api',
      'command examine --scope',
      'command examine --sandbox',
      'command examine --rotate',
    );
    const { code, note, found, modules } = await check(await api(checking('')), '--scope', scope, '--rotate');
    expect({ code, note, found }).toEqual({ code: 0, note: '', found: [] });
    expect(modules.map(({ id, verdict }) => [id, verdict])).toEqual(ids.map(id => [id, 'pass']));
  });

  it.each(ids.filter(id => id !== 'good' && id !== 'rotated'))(
    'finds an API without this check by this module, and by no other: %s',
    async id => {
      const { code, found, mend } = await check(await api(checking(id)), '--scope', scope);
      const verdict = onlyRecommended.includes(id) ? 'warn' : 'fail';
      expect({ code, found }).toEqual({ code: verdict === 'fail' ? 1 : 0, found: [[id, verdict]] });
      expect(mend).toMatch(/./);
    },
  );

  it('finds an API that never fetches keys again', async () => {
    const keys = await keysOf(sandbox.issuer);
    const { code, found, mend } = await check(
      await api(checking('', async () => keys)),
      '--rotate',
      '--module',
      'rotated',
    );
    expect({ code, found }).toEqual({ code: 1, found: [['rotated', 'fail']] });
    expect(mend).toContain(`${sandbox.issuer}/oauth2/jwks`);
  });

  it('says of a module that was not asked what it needs', async () => {
    const { modules } = await check(await api(checking('')));
    const absent = modules.filter(({ verdict }) => verdict === 'not_applicable');
    expect(absent.map(({ id, why }) => [id, why])).toEqual([
      ['scope', 'No scope was named: give it with --scope.'],
      ['scope-part', 'No scope was named: give it with --scope.'],
      ['rotated', 'The keys were not rotated: --rotate does it, and waits for 31 s.'],
    ]);
  });

  it('prints a table, and only warns of a refusal in another form', async () => {
    observes('command examine --audience', 'command examine --client');
    const careful = checking('');
    const url = await api(async asked => {
      const [status] = await careful(asked);
      return status === 200 ? [200] : [403];
    });
    const who = ['--sandbox', sandbox.url, '--audience', audience, '--client', 'app', '--user', 'bob'];
    const { code, out, note } = await type(['examine', '--api', url, ...who]);
    expect({ code, note }).toEqual({ code: 0, note: '' });
    expect(out).toMatch(/^pass {2}good {2,}A good token$/m);
    expect(out).toMatch(
      /^WARN {2}expired {2,}A token that has expired\n {8}The API must refuse this token with 401, and answered 403\./m,
    );
    expect(out).toContain('GET /bikes 403\n');
  });

  it('says why a good token is refused: the typ', async () => {
    const isOld = (token = '') => token.includes('.') && decodeProtectedHeader(token).typ === 'JWT';
    const url = await api(({ token }) => (isOld(token) ? [200] : invalid));
    await expect(check(url)).rejects.toThrow(
      /refuses a good token, so nothing can be examined\..*accepts the token if its typ is JWT/,
    );
  });

  it('says why a good token is refused: the audience', async () => {
    const isMine = (token = '', url: string) => token.includes('.') && decodeJwt(token).aud === new URL(url).origin;
    const mine = await api(({ token, url }) => (isMine(token, url) ? [200] : invalid));
    await expect(check(mine)).rejects.toThrow(/accepts the token if its aud is http:\/\/127\.0\.0\.1:\d+: /);
  });

  it('says why a good token is refused: the keys', async () => {
    await using other = await createSandbox();
    const { code, note } = await type(['examine', '--api', await api(() => invalid), '--sandbox', other.url]);
    expect(code).toBe(1);
    expect(note).toContain(`Nobody has fetched the keys at ${other.issuer}/oauth2/jwks`);
  });

  it('starts a sandbox where none runs', async () => {
    const port = String(await freePort());
    const issuer = `http://localhost:${port}`;
    const url = await api(async ({ token }) => {
      if (token === undefined) return [401, 'Bearer'];
      const keys = createRemoteJWKSet(new URL(`${issuer}/oauth2/jwks`));
      return jwtVerify(token, keys, { issuer }).then(
        (): Answer => [200],
        (): Answer => invalid,
      );
    });
    const world = { cwd: newFolder(), environment: { PORT: port } };
    const { code, out } = await type(['examine', '--api', url, '--module', 'issuer', '--module', 'audience'], world);
    expect(code).toBe(1);
    expect(out).toMatch(/^FAIL {2}audience/m);
    expect(out).toMatch(/^pass {2}issuer/m);
  });

  it.each([
    ['the sample API', (url: string) => `${url}/api/products`, 'products:read'],
    ['an API that asks the issuer about the user', () => api(askingUserInfo), 'openid'],
  ] as const)('sends nothing that the report takes for a mistake of the client: %s', async (_, addressOf, asked) => {
    await using own = await createSandbox();
    issuerAsked = own.url;
    const url = await addressOf(own.url);
    const { out } = await type(['examine', '--api', url, '--sandbox', own.url, '--scope', asked, '--json']);
    expect(JSON.parse(out).modules[0]).toMatchObject({ id: 'good', verdict: 'pass' });
    const fails = async () => (await own.report()).summary.fail;
    expect(await fails()).toBe(0);
    // the same call by an app is one
    const { token } = await own.issueToken({ client: 'frontend', user: 'alice', type: 'id' });
    expect((await fetch(url, { headers: { Authorization: `Bearer ${token}` } })).status).toBe(401);
    expect(await fails()).toBe(1);
  });

  it('says that the control API needs its token', async () => {
    await using locked = await createSandbox({ controlToken: 'secret' });
    const given = ['examine', '--api', await api(() => invalid), '--sandbox', locked.url];
    expect(await type(given)).toMatchObject({ code: 1, note: expect.stringMatching(/CONTROL_TOKEN is set/) });
    expect(await type([...given, '--control-token', 'secret'])).toMatchObject({
      note: expect.stringContaining('Nobody has fetched the keys'),
    });
  });

  it.each([
    [['examine', '--api', 'x'], 1, '--api is "x": give the address of your API'],
    [['examine', '--api', 'http://127.0.0.1:9/', '--login', 'x'], 1, '--api and --login cannot be used together'],
    [
      ['examine', '--api', 'http://127.0.0.1:9/', '--plan', 'oauth-bcp'],
      1,
      '--api examines the plan resource-server, not oauth-bcp',
    ],
    [['examine', '--api', 'http://127.0.0.1:9/', '--sandbox', 'x'], 1, '--sandbox expects an http or https address'],
  ])('refuses %j', async (argv, code, note) => {
    expect(await type(argv)).toMatchObject({ code, note: expect.stringContaining(note) });
  });

  it('refuses a module that is not in the plan, and does not pass without it', async () => {
    const given = ['--api', await api(checking('')), '--sandbox', sandbox.url, '--module', 'expird'];
    const note = expect.stringContaining('found the module expird, expected some of good, no-token');
    expect(await type(['examine', ...given])).toMatchObject({ code: 1, out: '', note });
  });

  it('says which one does not answer', async () => {
    const { code, note } = await type(['examine', '--api', 'http://127.0.0.1:9/', '--sandbox', sandbox.url]);
    expect({ code, note }).toEqual({
      code: 2,
      note: expect.stringContaining('your API at http://127.0.0.1:9/ did not answer'),
    });
  });
});

describe('sandbox.examine({ api })', () => {
  it('examines an API from a test, as the command does', async () => {
    const done: number[] = [];
    const { plan, issuers, modules, verdict } = await sandbox.examine({
      api: { url: await api(checking('audience')), scope },
      onResult: (_, progress) => done.push(progress.done),
    });
    expect({ plan, issuers, verdict }).toEqual({ plan: 'resource-server', issuers: 'given', verdict: 'fail' });
    expect(modules.filter(each => each.verdict === 'fail').map(({ id }) => id)).toEqual(['audience']);
    expect(done).toEqual(ids.map((_, index) => index + 1));
  });

  it('works with a sandbox that has a control token and TLS, and leaves no mistake in its report', async () => {
    await using own = await createSandbox({ controlToken: 'secret', tls: 'self-signed' });
    const api = { url: `${own.url}/api/products`, scope: 'products:read', insecure: true };
    const { verdict, modules } = await own.examine({ api, modules: ['audience', 'expired', 'scope'] });
    expect(modules.map(each => [each.id, each.verdict])).toEqual([
      ['good', 'pass'],
      ['expired', 'pass'],
      ['audience', 'pass'],
      ['scope', 'pass'],
    ]);
    expect(verdict).toBe('pass');
    expect((await own.report()).summary.fail).toBe(0);
  });

  it('refuses a module that is not in the plan, and a user whom nobody knows', async () => {
    const url = await api(checking(''));
    await expect(sandbox.examine({ api: { url }, modules: ['expird'] })).rejects.toThrow(TypeError);
    await expect(sandbox.examine({ api: { url, user: 'nobody' } })).rejects.toThrow(/examine: .*nobody/);
  });
});
