import { createRemoteJWKSet, decodeJwt, decodeProtectedHeader, type JSONWebKeySet, jwtVerify } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { resourceServer } from '../../../src/extensions/report/api/resource-server.ts';
import { createSandbox, type Sandbox } from '../../../src/index.ts';
import { fastTiming, type } from '../../client/cli/support.ts';
import { observes } from '../../observed.ts';
import { freePort } from '../../support/free-port.ts';
import { newFolder } from '../../support/new-folder.ts';
import {
  type Answer,
  type Asked,
  api,
  audience,
  checking as checkingOf,
  closeApis,
  invalid,
  keysOf,
  scope,
} from './careful-api.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await createSandbox({
    clients: [
      { client_id: 'robot', client_secret: 's', grant_types: ['client_credentials'], scope },
      {
        client_id: 'app',
        grant_types: ['authorization_code', 'refresh_token'],
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
  closeApis();
  await sandbox.stop();
});

const checking = (off: string, keys?: () => Promise<JSONWebKeySet>) => checkingOf(off, sandbox.issuer, keys);

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
const ofKeys = new Set(resourceServer.modules.filter(({ needs }) => needs === 'rotation').map(({ id }) => id));

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
      const rotate = ofKeys.has(id) ? ['--rotate'] : [];
      const { code, found, mend } = await check(await api(checking(id)), '--scope', scope, ...rotate);
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
      ...[...ofKeys].map(id => [
        id,
        'The keys were not rotated: --rotate does it, and waits until the API may fetch them again.',
      ]),
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

  it.each([404, 405])('says that the address is wrong, if the API answers a good token with %i', async status => {
    const given = ['examine', '--api', await api(() => [status]), '--sandbox', sandbox.url];
    const note = expect.stringContaining(`answered ${status}. Give an address of the API that answers to GET`);
    expect(await type(given)).toMatchObject({ code: 1, note });
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
