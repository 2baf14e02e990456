import { readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createSandbox } from '../../../src/index.ts';
import { type } from '../../client/cli/support.ts';
import { observes } from '../../observed.ts';
import { loadConfig } from '../../support/load-config.ts';
import { newFolder } from '../../support/new-folder.ts';
import { plainServer, realm, recordedLogin } from '../../support/tenant.ts';

let cwd: string;
const write = (name: string, content: unknown) =>
  writeFileSync(join(cwd, name), typeof content === 'string' ? content : JSON.stringify(content));

beforeAll(() => {
  cwd = newFolder();
  const { metadata, accessToken, idToken } = realm();
  write('realm.json', metadata);
  write('access.txt', accessToken);
  write('id.txt', `Bearer ${idToken}\n`);
  write('login.har', recordedLogin());
  const plain = plainServer();
  write('plain.json', plain.metadata);
  write('plain.txt', plain.accessToken);
  write('service.txt', plain.serviceToken);
});

/** The rows of a table by their fact, without the values of those that are the same. */
function verdictsIn(text: string): ReadonlyMap<string, string> {
  const rows = [...text.matchAll(/^(same|different|cannot be) +(\S+) +(.*)$/gm)];
  return new Map(
    rows.map(([, verdict = '', fact = '', rest]) => [fact, verdict === 'same' ? 'same' : `${verdict}: ${rest}`]),
  );
}

describe('grantbox twin', () => {
  it('writes a realm of Keycloak with its preset, and measures that its tokens look the same', async () => {
    observes('command twin', 'command twin --discovery', 'command twin --token', 'command twin --out');
    const samples = ['--discovery', 'realm.json', '--token', 'access.txt', '--token', 'id.txt'];
    const { code, out } = await type(['twin', ...samples, '--out', 'realm.config.ts'], { cwd });
    expect(code).toBe(0);
    const rows = verdictsIn(out);
    for (const fact of [
      ...['metadata.issuer', 'metadata.token_endpoint', 'access_token.lifetime', 'access_token.claims.typ'],
      ...['access_token.claims.resource_access.billing.roles', 'access_token.claims.employee_number'],
      ...['id_token.claims.sub', 'id_token.claims.department', 'id_token.claims.nonce'],
    ])
      expect([fact, rows.get(fact)]).toEqual([fact, 'same']);
    expect(rows.get('metadata.code_challenge_methods_supported')).toMatch(
      /^cannot be: PKCE with `plain` is refused.*lacks plain$/,
    );
    const config = await loadConfig({ cwd, flags: { config: 'realm.config.ts' } });
    expect(config).toMatchObject({
      preset: { name: 'keycloak', options: { realm: 'shop' } },
      accessTokenLifetime: 600,
      clients: [{ client_id: 'web', audience: ['billing', 'account'] }],
    });
  });

  it('replaces personal values and secrets, and says where', async () => {
    observes('command twin --har');
    const { out, note } = await type(['twin', '--har', 'login.har'], { cwd });
    for (const text of [
      'Jane',
      'Roe',
      'acme.test"',
      '5a3b1c9e',
      'Sales West',
      '48213',
      '555 12 34',
      'secret-',
      'correct horse',
    ])
      expect(out + note).not.toContain(text);
    expect(note).toContain('replaced by made-up values of the same form: ');
    for (const place of ['id_token.email', 'access_token.sub', 'userinfo.phone']) expect(note).toContain(place);
    expect(note).toContain('in the recorded sign-in, and nothing was made of them: 1 cookies, 1 passwords, 2 codes');
    expect(out).toMatch(/sub: '[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-9[0-9a-f]{3}-[0-9a-f]{12}'/);
  });

  it('takes clients with their addresses from a recorded login, and compares its answers', async () => {
    const { code, out } = await type(['twin', '--har', 'login.har', '--out', 'login.config.ts'], { cwd });
    expect(code).toBe(0);
    const { clients } = await loadConfig({ cwd, flags: { config: 'login.config.ts' } });
    expect(clients).toMatchObject([
      {
        client_id: 'web',
        redirect_uris: ['https://shop.acme.test/callback'],
        post_logout_redirect_uris: ['https://shop.acme.test/'],
        grant_types: ['authorization_code', 'refresh_token'],
      },
    ]);
    const rows = verdictsIn(out);
    for (const fact of [
      'answer.refresh_expires_in',
      'answer.not-before-policy',
      'answer.session_state',
      'callback.session_state',
      'userinfo.claims.phone',
    ])
      expect([fact, rows.get(fact)]).toEqual([fact, 'same']);
  });

  it('makes a server of no known provider from rules, for users and for services', async () => {
    observes('command twin --jwks');
    write('keys.json', { keys: [{ kty: 'EC', crv: 'P-256', alg: 'ES256', use: 'sig', kid: 'k1', x: 'x', y: 'y' }] });
    const argv = [
      'twin',
      '--discovery',
      'plain.json',
      '--token',
      'plain.txt',
      '--token',
      'service.txt',
      '--jwks',
      'keys.json',
    ];
    const { code, out, note } = await type(argv, { cwd });
    expect(code).toBe(0);
    expect(out).toContain('Made by grantbox twin from samples of a server of no known provider.');
    const rows = verdictsIn(note);
    for (const fact of [
      ...[
        'access_token.format',
        'access_token.header.alg',
        'access_token.lifetime',
        'access_token.claims.ver',
        'access_token.claims.sub',
      ],
      ...['access_token.claims.https://acme.test/roles', 'access_token.claims.limits.day', 'access_token.claims.beta'],
      ...['client_token.claims.region', 'metadata.token_endpoint'],
    ])
      expect([fact, rows.get(fact)]).toEqual([fact, 'same']);
    expect(rows.get('keys.kty')).toMatch(/^different: the keys of the sandbox are its own; has RSA besides$/);
    expect(rows.get('metadata.authorization_endpoint')).toMatch(/^different: .*an app with discovery finds it/);
    expect(rows.get('access_token.claims.nbf')).toMatch(/^cannot be: .*the sandbox writes it/);
  });

  it('recognises a provider by a token alone', async () => {
    const firebase = { identities: { email: ['a@b.test'] }, sign_in_provider: 'password' };
    const times = { iat: 1_790_000_000, exp: 1_790_003_600 };
    const claims = {
      iss: 'https://securetoken.google.com/acme',
      aud: 'acme',
      sub: 'u1',
      user_id: 'u1',
      ...times,
      firebase,
    };
    write('firebase.json', claims);
    const { code, out, note } = await type(['twin', '--token', 'firebase.json'], { cwd });
    expect(code).toBe(0);
    expect(out).toContain("preset: { project: 'acme', name: 'firebase' }");
    expect(out + note).not.toContain('a@b.test');
    expect(verdictsIn(note).get('id_token.claims.firebase.sign_in_provider')).toBe('same');
    expect(note).not.toContain('id_token.header'); // the sample has none
  });

  it('recognises the authorization server of an org of Okta, which has no name', async () => {
    const claims = {
      iss: 'https://acme.okta.com',
      cid: 'web',
      uid: '00u1',
      scp: ['openid'],
      sub: 'jane@acme.test',
      ver: 1,
    };
    write('org.json', claims);
    const { out } = await type(['twin', '--token', 'org.json'], { cwd });
    expect(out).toContain("preset: { server: 'org', name: 'okta' }");
  });

  it('says which provider it is where this version has no preset for it', async () => {
    write('workos.json', {
      iss: 'https://api.workos.com/user_management/client_1',
      sub: 'user_1',
      org_id: 'org_1',
      feature_flags: [],
    });
    const { code, out } = await type(['twin', '--token', 'workos.json'], { cwd });
    expect(code).toBe(0);
    expect(out).toContain('from samples of WorkOS, for which this version has no preset.');
  });
});

it('leaves out promises of the metadata that the tenant does not make, and adds none', async () => {
  const more = { claims_supported: ['sub', 'plan'], tls_client_certificate_bound_access_tokens: true };
  write('few.json', { ...realm().metadata, scopes_supported: ['openid', 'email'], ...more });
  const { code, out } = await type(['twin', '--discovery', 'few.json', '--out', 'few.config.ts'], { cwd });
  expect(code).toBe(0);
  const { metadataOverrides } = await loadConfig({ cwd, flags: { config: 'few.config.ts' } });
  expect(metadataOverrides).toMatchObject({ claims_supported: ['sub', 'plan'], subject_types_supported: null });
  expect(metadataOverrides).not.toHaveProperty('tls_client_certificate_bound_access_tokens');
  const different = [...verdictsIn(out)].filter(([, verdict]) => verdict !== 'same').map(([fact]) => fact);
  expect(different).toEqual([
    'metadata.tls_client_certificate_bound_access_tokens',
    'metadata.code_challenge_methods_supported',
  ]);
});

describe('grantbox twin --check', () => {
  it('ends with 0 while nothing has changed, and with 1 after a change of the configuration', async () => {
    observes('command twin --check', 'command twin --record', 'command twin --config');
    await type(['twin', '--discovery', 'realm.json', '--token', 'id.txt', '--out', 'c.config.ts'], { cwd });
    const argv = ['twin', '--check', '--record', 'c.twin.json', '--config', 'c.config.ts'];
    expect(await type(argv, { cwd })).toMatchObject({ code: 0, out: expect.stringContaining('No drift.') });
    const text = readFileSync(join(cwd, 'c.config.ts'), 'utf8');
    write('d.config.ts', text.replace('idTokenLifetime: 600', 'idTokenLifetime: 60'));
    const changed = await type([...argv.slice(0, -1), 'd.config.ts'], { cwd });
    expect(changed).toMatchObject({
      code: 1,
      out: expect.stringMatching(/Drift: not the same any more \(1\):\n- id_token\.lifetime\n$/),
    });
  });

  it('finds what changed in the tenant, by new samples', async () => {
    await type(['twin', '--discovery', 'realm.json', '--out', 'e.config.ts'], { cwd });
    const argv = ['twin', '--check', '--record', 'e.twin.json', '--config', 'e.config.ts', '--discovery'];
    expect(await type([...argv, 'realm.json'], { cwd })).toMatchObject({ code: 0 });
    write('moved.json', { ...realm().metadata, userinfo_endpoint: 'https://sso.acme.test/realms/shop/people' });
    expect(await type([...argv, 'moved.json'], { cwd })).toMatchObject({
      code: 1,
      out: expect.stringMatching(/Drift: not the same any more \(1\):\n- metadata\.userinfo_endpoint\n$/),
    });
  });

  it('compares a running sandbox by its control API', async () => {
    await type(['twin', '--har', 'login.har', '--out', 'f.config.ts'], { cwd });
    const config = (await import(join(cwd, 'f.config.ts'))).default;
    const sandbox = await createSandbox({ ...config, controlToken: 'a-token-of-the-test' });
    onTestFinished(() => sandbox.stop());
    const argv = ['twin', '--check', '--record', 'f.twin.json', '--url', sandbox.issuer];
    expect(await type(argv, { cwd })).toMatchObject({
      code: 2,
      note: expect.stringContaining('the control API answered 401'),
    });
    const withToken = { cwd, controlToken: 'a-token-of-the-test' };
    expect(await type(argv, withToken)).toMatchObject({ code: 0, out: expect.stringContaining('No drift.') });
    await sandbox.tokenClaims.replace([]);
    expect(await type(argv, withToken)).toMatchObject({
      code: 1,
      out: expect.stringContaining('- id_token.claims.department'),
    });
  });
});

describe('a discovery document by URL', () => {
  async function served(
    answers: Readonly<
      Record<string, (base: string) => readonly [status: number, headers: Record<string, string>, body: string]>
    >,
  ) {
    const server = createServer((request, response) => {
      const base = `http://127.0.0.1:${(server.address() as { port: number }).port}`;
      const [status, headers, body] = answers[request.url ?? '']?.(base) ?? [404, {}, ''];
      response.writeHead(status, headers).end(body);
    });
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    return `http://127.0.0.1:${(server.address() as { port: number }).port}`;
  }

  it('is downloaded, also after a redirect to the same host', async () => {
    const base = await served({
      '/a': () => [302, { location: '/b' }, ''],
      '/b': at => [200, {}, JSON.stringify({ issuer: at, token_endpoint: `${at}/oauth2/token` })],
    });
    const { code, note } = await type(['twin', '--discovery', `${base}/a`], { cwd });
    expect(code).toBe(0);
    expect(verdictsIn(note).get('metadata.token_endpoint')).toBe('same');
  });

  it.each([
    ['/elsewhere', 'redirects to another host, which is not followed'],
    ['/loop', 'redirects more than 3 times'],
    ['/large', 'has more than 1048576 bytes'],
    ['/none', 'answered 404'],
    ['/page', 'it is not valid JSON'],
    ['/other', 'has no member `issuer`'],
  ])('that answers as %s is refused with a sentence', async (path, said) => {
    const base = await served({
      '/elsewhere': () => [302, { location: 'http://localhost:1/' }, ''],
      '/loop': () => [302, { location: '/loop' }, ''],
      '/large': () => [200, {}, 'x'.repeat(1024 * 1024 + 1)],
      '/page': () => [200, {}, '<html>'],
      '/other': () => [200, {}, '{}'],
    });
    expect(await type(['twin', '--discovery', base + path], { cwd })).toMatchObject({
      code: 2,
      out: '',
      note: expect.stringContaining(said),
    });
  });
});

describe('a hostile sample', () => {
  it.each([
    ['no sample', [], 1, 'name at least one sample'],
    ['a file that is not there', ['--token', 'none.txt'], 2, 'none.txt cannot be read'],
    ['a device', ['--har', '/dev/zero'], 2, 'is a pipe or a device, not a file'],
    ['a JWKS without keys', ['--jwks', 'realm.json'], 2, 'realm.json is no JWK Set'],
    ['a HAR without entries', ['--har', 'realm.json'], 2, 'realm.json is no HAR file'],
    ['a record without facts', ['--check', '--record', 'realm.json'], 2, 'realm.json is no record of grantbox twin'],
    ['a check that writes', ['--check', '--out', 'x.ts'], 1, '--check writes nothing'],
    [
      'a check of two things',
      ['--check', '--url', 'http://localhost:1', '--config', 'x.ts'],
      1,
      'cannot be used together',
    ],
  ])('%s ends with a sentence', async (_, argv, code, said) => {
    expect(await type(['twin', ...argv], { cwd })).toMatchObject({
      code,
      out: '',
      note: expect.stringContaining(said),
    });
  });

  it.each([
    ['malformed JSON', '{"log":', 'it is not valid JSON'],
    ['a depth of 100,000', `{"log":${'['.repeat(100_000)}`, 'nested more than 100 levels deep'],
    ['many values', `{"log":[${'{},'.repeat(4_000_000)}0]}`, 'more than 6 million names, values and brackets'],
  ])('a HAR file with %s is refused with exit code 2', async (_, text, said) => {
    write('hostile.har', text);
    expect(await type(['twin', '--har', 'hostile.har'], { cwd })).toMatchObject({
      code: 2,
      note: expect.stringContaining(said),
    });
  });

  it('of more than 64 MB is refused unread', async () => {
    write('large.har', '');
    truncateSync(join(cwd, 'large.har'), 64 * 1024 * 1024 + 1);
    expect(await type(['twin', '--har', 'large.har'], { cwd })).toMatchObject({
      code: 2,
      note: expect.stringContaining('it is larger than 64 MB'),
    });
  });
});
