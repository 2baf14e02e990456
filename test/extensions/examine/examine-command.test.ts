import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type } from '../../client/cli/support.ts';
import { observes } from '../../observed.ts';
import { freePort } from '../../support/free-port.ts';
import { newFolder } from '../../support/new-folder.ts';
import { careful } from './careful-client.ts';
import { servedWebApp } from './web-app.ts';

// The command starts its sandbox by the configuration of the folder, as in the folder of an app.

interface Folder {
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
}

/** The examiner records also where the configuration does not. */
async function folder(redirect_uris: readonly string[] = careful.redirect_uris): Promise<Folder> {
  const cwd = newFolder({ 'clients.config.json': { clients: [{ ...careful, redirect_uris }] } });
  return { cwd, environment: { PATH: process.env.PATH ?? '', PORT: String(await freePort()), RECORDING: 'off' } };
}

async function webApp(responseMode: 'query' | 'form_post'): Promise<Folder & { readonly url: string }> {
  let issuer = '';
  const url = await servedWebApp(() => issuer, { responseMode });
  const world = await folder([`${url}/callback`]);
  issuer = `http://localhost:${world.environment.PORT}`;
  return { ...world, url };
}

/** A command that signs in by one line: it follows the redirects to the callback and redeems the code, and checks nothing. */
const careless = `
const { GRANTBOX_ISSUER: issuer } = process.env;
const query = new URLSearchParams({ response_type: 'code', client_id: 'careful', redirect_uri: '${careful.redirect_uris[0]}', scope: 'openid', state: 'x' });
const response = await fetch(issuer + '/oauth2/authorize?' + query, { redirect: 'manual' });
const code = new URL(response.headers.get('location')).searchParams.get('code');
const tokens = await fetch(issuer + '/oauth2/token', { method: 'POST', headers: { Authorization: 'Basic ' + btoa('careful:careful-secret') }, body: new URLSearchParams({ grant_type: 'authorization_code', code, redirect_uri: '${careful.redirect_uris[0]}' }) });
console.log('the token endpoint said', tokens.status);
process.exit(tokens.ok ? 0 : 1);
`;

describe('grantbox examine', () => {
  it('--login runs a command for each module, with the issuer in its environment', async () => {
    observes('command examine', 'command examine --login', 'command examine --user', 'command examine --plan');
    observes('command examine --module', 'command examine --json');
    const world = await folder();
    writeFileSync(join(world.cwd, 'login.mjs'), careless);
    const names = ['--module', 'invalid-state', '--module', 'pkce', '--module', 'token-type-case-insensitivity'];
    const login = ['--login', 'node login.mjs', '--user', 'alice', '--plan', 'oauth-bcp'];
    const { code, out, note } = await type(['examine', ...login, ...names, '--json'], world);
    const { verdict, issuers, modules } = JSON.parse(out);
    expect([code, note, verdict, issuers]).toEqual([1, 'grantbox examine: 2 modules failed\n', 'fail', 'own']);
    const verdicts = modules.map(({ id, verdict }: { id: string; verdict: string }) => [id, verdict]);
    expect(verdicts).toEqual([
      ['test', 'pass'],
      ['invalid-state', 'fail'],
      ['pkce', 'fail'],
      ['token-type-case-insensitivity', 'pass'],
    ]);
    expect(modules[1]).toMatchObject({
      said: 'the token endpoint said 200',
      requests: [
        { endpoint: 'authorize', method: 'GET', status: 302, faults: ['wrong_state'] },
        { endpoint: 'token', method: 'POST', status: 200, faults: [] },
      ],
    });
  });

  it.each(['query', 'form_post'] as const)(
    '--login-url walks through an app that knows one issuer, one module after the other: %s',
    async mode => {
      observes('command examine --login-url', 'command examine --signed-in');
      const { url, ...world } = await webApp(mode);
      const names = ['invalid-state', 'invalid-authorization-response-iss'].flatMap(id => ['--module', id]);
      const walk = ['--login-url', `${url}/login`, '--signed-in', 'Sign out', '--plan', 'oauth-bcp'];
      const { code, out } = await type(['examine', ...walk, ...names], world);
      expect(code).toBe(1);
      expect(out).toContain('The app knows one issuer only');
      expect(out).toMatch(
        /^FAIL {2}invalid-authorization-response-iss {2}The authorization response is of another issuer$/m,
      );
      expect(out).toMatch(/^ {8}POST \/oauth2\/token 200 \(req_/m);
      expect(out).toMatch(/^pass {2}invalid-state/m);
      expect(out).toContain('1 failed, 0 warnings, 2 passed, 0 not applicable, 0 inconclusive');
    },
  );

  it('--login-recorded sends the forms of a record at the sign-in pages', async () => {
    observes('command examine --login-recorded');
    const { url, ...world } = await webApp('query');
    const record = {
      ...{ format: 'grantbox-sign-in', version: 1, url: `${url}/login`, signedIn: 'Sign out' },
      forms: [{ page: '/login', fields: { action: 'login', sub: 'bob' } }],
    };
    writeFileSync(join(world.cwd, 'sign-in.json'), JSON.stringify(record));
    const names = ['invalid-state', 'invalid-authorization-response-iss'].flatMap(id => ['--module', id]);
    const recorded = ['--login-recorded', 'sign-in.json', '--plan', 'oauth-bcp', ...names];
    const { code, out, note } = await type(['examine', ...recorded, '--json'], world);
    expect([code, note]).toEqual([1, 'grantbox examine: 1 module failed\n']);
    const verdicts = JSON.parse(out).modules.map(({ id, verdict }: { id: string; verdict: string }) => [id, verdict]);
    expect(verdicts).toEqual([
      ['test', 'pass'],
      ['invalid-state', 'pass'],
      ['invalid-authorization-response-iss', 'fail'],
    ]);
    writeFileSync(join(world.cwd, 'sign-in.json'), JSON.stringify({ ...record, signedIn: undefined }));
    const refused = await type(['examine', ...recorded], world);
    expect([refused.code, refused.note]).toEqual([
      1,
      expect.stringContaining('--login-recorded: sign-in.json: this is no recorded sign-in: signedIn: '),
    ]);
  });

  it.each([
    [
      'junit',
      '<testcase classname="grantbox.oauth-bcp" name="invalid-state: The authorization response has another state"',
    ],
    ['markdown', '| pass | `invalid-state` | The authorization response has another state | The app refused it. |'],
    ['html', '<h1>OAuth 2.0 security best current practice</h1>'],
    ['sarif', '"id": "invalid-state"'],
    ['badge', 'aria-label="grantbox oauth-bcp: 2 passed"'],
    ['certificate', '"format": "grantbox-examination-certificate"'],
    ['json', '"algorithm": "SHA-256"'],
    ['expected-failures', '[]'],
  ])('writes %s', async (format, words) => {
    observes('command examine --format');
    const { url, ...world } = await webApp('query');
    const walk = [
      '--login-url',
      `${url}/login`,
      '--signed-in',
      'Sign out',
      '--plan',
      'oauth-bcp',
      '--module',
      'invalid-state',
    ];
    const { code, out } = await type(['examine', ...walk, '--format', format], world);
    expect([code, out]).toEqual([0, expect.stringContaining(words)]);
  });

  it('stops where the app cannot sign in with nothing wrong, and says what was refused', async () => {
    const world = await folder();
    writeFileSync(join(world.cwd, 'login.mjs'), careless.replaceAll('careful:', 'nobody:'));
    const { code, note } = await type(['examine', '--login', 'node login.mjs', '--user', 'alice'], world);
    expect(code).toBe(1);
    expect(note).toContain('cannot sign in where nothing is wrong, so nothing can be examined. The provider refused:');
    expect(note).toContain('It said: the token endpoint said 401');
  });

  it('says that no request came, if the command does not use the issuer', async () => {
    const { code, note } = await type(['examine', '--login', 'exit 3'], await folder());
    expect(code).toBe(1);
    expect(note).toContain('It sent no request to the issuer that it was told, and none to http://localhost:');
  });

  it('says that nobody signed in at the provider, and how somebody does', async () => {
    const world = await folder();
    writeFileSync(join(world.cwd, 'login.mjs'), careless);
    const { code, note } = await type(['examine', '--login', 'node login.mjs'], world);
    expect(code).toBe(1);
    expect(note).toContain('The provider showed its sign-in page, and nobody signed in there. Name a user with --user');
    expect(note).toMatch(/^It said: [\s\S]*TypeError: /m);
    expect(note).not.toMatch(/^ +at /m);
  });

  it('--side-by-side runs modules at once', async () => {
    observes('command examine --side-by-side');
    const world = await folder();
    // each of the two sign-ins ends when the other one has begun
    writeFileSync(
      join(world.cwd, 'login.mjs'),
      `${careless.replace('process.exit(tokens.ok ? 0 : 1);', '')}
import { existsSync, writeFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
writeFileSync(process.env.GRANTBOX_MODULE, '');
while (process.env.GRANTBOX_MODULE !== 'test' && !(existsSync('pkce') && existsSync('token-type-unknown'))) await setTimeout(20);
`,
    );
    const flags = [
      '--user',
      'alice',
      '--plan',
      'oauth-bcp',
      '--module',
      'pkce',
      '--module',
      'token-type-unknown',
      '--json',
    ];
    const { out } = await type(['examine', '--login', 'node login.mjs', ...flags, '--side-by-side', '2'], world);
    expect(JSON.parse(out).summary).toEqual({ pass: 1, fail: 2, warn: 0, not_applicable: 0, inconclusive: 0 });
  });

  it('--seconds ends a sign-in that takes too long, with all that it started', async () => {
    observes('command examine --seconds');
    const login = 'node -e "setInterval(() => {}, 1000)" & wait';
    const { code, note } = await type(['examine', '--login', login, '--seconds', '1'], await folder());
    expect([code, note]).toEqual([1, expect.stringContaining('It said: No result in 1 s.')]);
  });

  it('--output writes a file, and --fail-on warn fails for what is only recommended', async () => {
    observes('command examine --output', 'command examine --fail-on');
    const world = await folder();
    writeFileSync(join(world.cwd, 'login.mjs'), careless);
    const flags = ['--user', 'alice', '--module', 'invalid-secondary-aud', '--json', '--output', 'result.json'];
    const run = (more: readonly string[]) => type(['examine', '--login', 'node login.mjs', ...flags, ...more], world);
    expect(await run([])).toEqual({ code: 0, out: '', note: '' });
    expect(JSON.parse(readFileSync(join(world.cwd, 'result.json'), 'utf8')).verdict).toBe('warn');
    const note = 'grantbox examine: 1 module failed or warned\n';
    expect(await run(['--fail-on', 'warn'])).toEqual({ code: 1, out: '', note });
  });

  it('--baseline accepts what failed before, and fails for what is new', async () => {
    observes('command examine --baseline');
    const world = await folder();
    writeFileSync(join(world.cwd, 'login.mjs'), careless);
    const login = [
      'examine',
      '--login',
      'node login.mjs',
      '--user',
      'alice',
      '--plan',
      'oauth-bcp',
      '--module',
      'pkce',
    ];
    await type([...login, '--json', '--output', 'before.json'], world);
    const again = [...login, '--baseline', 'before.json'];
    const same = 'grantbox examine: nothing new failed; 1 more as in the baseline\n';
    expect(await type(again, world)).toMatchObject({ code: 0, note: same });
    const worse = 'grantbox examine: 1 module failed; 1 more as in the baseline\n';
    expect(await type([...again, '--module', 'invalid-state'], world)).toMatchObject({ code: 1, note: worse });
    const list = [{ 'test-name': '*-pkce', 'expected-result': 'failure' }];
    writeFileSync(join(world.cwd, 'suite.json'), JSON.stringify(list));
    expect(await type([...login, '--baseline', 'suite.json'], world)).toMatchObject({ code: 0, note: same });
    writeFileSync(join(world.cwd, 'suite.json'), JSON.stringify([{ ...list[0], 'expected-result': 'warning' }]));
    const fresh = 'grantbox examine: 1 module failed\n';
    expect(await type([...login, '--baseline', 'suite.json'], world)).toMatchObject({ code: 1, note: fresh });
    writeFileSync(join(world.cwd, 'suite.json'), '[1]');
    const broken = '--baseline: suite.json is no file of expected failures: entry 1 has no test-name';
    const refused = await type([...login, '--baseline', 'suite.json'], world);
    expect([refused.code, refused.note]).toEqual([1, expect.stringContaining(broken)]);
    const other = await type(
      [
        ...login.map(each => (each === 'oauth-bcp' ? 'resilience' : each === 'pkce' ? 'token-error' : each)),
        '--baseline',
        'before.json',
      ],
      world,
    );
    expect([other.code, other.note]).toEqual([
      1,
      expect.stringContaining('before.json is not the result of the plan resilience'),
    ]);
  });

  it.each([
    [[], 'nothing signs in to the app. Give a command that does'],
    [['--login', 'a', '--login-url', 'http://localhost:1'], '--login and --login-url cannot be used together'],
    [['--login', 'a', '--login-recorded', 'b'], '--login and --login-recorded cannot be used together'],
    [['--login-recorded', 'none.json'], '--login-recorded: none.json cannot be read'],
    [['--login-url', 'localhost'], '--login-url expects an http or https address, not "localhost"'],
    [['--login-url', 'http://localhost:1'], '--login-url needs --signed-in. Give a text'],
    [['--login', 'true', '--signed-in', 'a'], '--signed-in needs --login-url'],
    [['--login', 'true', '--browser', 'chrome'], '--browser needs --login-script'],
    [['--login', 'true', '--audience', 'a'], '--audience needs --api'],
    [['--login', 'true', '--rotate'], '--rotate needs --api'],
    [['--login', 'true', '--plan', 'resource-server'], '--plan resource-server needs --api'],
    [['--api', 'http://localhost:1', '--signed-in', 'a'], '--api and --signed-in cannot be used together'],
    [['--login', 'true', '--user', 'zoe'], '--user names no user of this sandbox: found zoe'],
    [['--login', 'true', '--seconds', '0'], '--seconds expects a whole number from 1 to 3600, not "0"'],
    [['--login', 'true', '--seconds', '9999999'], '--seconds expects a whole number from 1 to 3600'],
    [['--login', 'true', '--side-by-side', '65'], '--side-by-side expects a whole number from 1 to 64'],
    [['--login', 'true', '--module', 'invalid-is'], 'found the module invalid-is, expected some of test, invalid-iss'],
  ])('refuses %j', async (flags, words) => {
    const { code, note } = await type(['examine', ...flags], await folder());
    expect([code, note]).toEqual([1, expect.stringContaining(words)]);
  });

  it('--list prints each module with its source', async () => {
    observes('command examine --list');
    const { out } = await type(['examine', '--list', '--json']);
    const plans: readonly { id: string; modules: readonly { id: string; references: readonly string[] }[] }[] =
      JSON.parse(out);
    for (const { modules } of plans)
      for (const { id, references } of modules) expect([id, references.length > 0]).toEqual([id, true]);
    expect((await type(['examine', '--list'])).out).toMatch(
      /^ {2}invalid-iss +The ID token names another issuer \(OIDC Core §3\.1\.3\.7\)$/m,
    );
  });
});
