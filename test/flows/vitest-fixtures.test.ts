import { describe, expect, it } from 'vitest';
import { createSandbox } from '../support/bundle.ts';
import { runVitest } from '../support/vitest-project.ts';

const passed = (title: string) => ({ title, status: 'passed', messages: [] });

describe('grantbox/vitest', () => {
  it('gives each worker a sandbox, and each test an issuer', async () => {
    const file = `
      import { expect } from 'vitest';
      import { test } from 'grantbox/vitest';
      const seen = [];
      const before = [];
      for (const name of ['one', 'two'])
        test(name, async ({ sandbox, issuer }) => {
          seen.push(sandbox.url);
          expect(new Set(seen).size).toBe(1);
          expect(issuer.issuer).toMatch(sandbox.url + '/i/');
          expect(await issuer.users.get('tess')).toBeUndefined();
          await issuer.users.create({ sub: 'tess' });
          for (const other of before) expect((await fetch(other + '/.well-known/openid-configuration')).status).toBe(410);
          before.push(issuer.issuer);
        });`;
    const { verdicts, output } = await runVitest({ 'a.test.js': file, 'b.test.js': file });
    expect(verdicts, output).toEqual([passed('one'), passed('two'), passed('one'), passed('two')]);
  });

  it('takes its configuration from `provide`, `extend` and `override`', async () => {
    const { verdicts, output } = await runVitest({
      'vitest.config.ts': `export default { test: { provide: {
        sandboxConfig: { users: [{ sub: 'provided' }] },
        issuerConfig: { idTokenLifetime: 77 },
      } } };`,
      'a.test.js': `
        import { describe, expect } from 'vitest';
        import { test as base } from 'grantbox/vitest';
        const subs = async ({ users }) => (await users.list()).map(({ sub }) => sub);
        base('provided', async ({ sandbox, issuer }) => {
          expect(await subs(sandbox)).toEqual(['provided']);
          expect(await subs(issuer)).toEqual(['provided']);
          const { expires_in } = await issuer.issueToken({ client: 'frontend', user: 'provided', type: 'id' });
          expect(expires_in).toBe(77);
        });
        const test = base.extend({ issuerConfig: { users: [{ sub: 'extended' }] } });
        test('extended', async ({ issuer }) => expect(await subs(issuer)).toEqual(['extended']));
        describe('inside', () => {
          base.override({ issuerConfig: { users: [{ sub: 'overridden' }] } });
          base('overridden', async ({ issuer }) => expect(await subs(issuer)).toEqual(['overridden']));
        });`,
      'b.test.js': `
        import { expect } from 'vitest';
        import { test as base } from 'grantbox/vitest';
        const test = base.extend({ sandboxConfig: [{ label: 'mine', tls: 'self-signed', controlToken: 'secret' }, { scope: 'worker' }] });
        test('over HTTPS, with a control token', async ({ sandbox, issuer }) => {
          expect(sandbox.url).toMatch('https:');
          expect(await issuer.login({ client: 'frontend', user: 'alice', as: 'tokens' })).toHaveProperty('id_token');
        });`,
    });
    const titles = ['provided', 'extended', 'overridden', 'over HTTPS, with a control token'];
    expect(verdicts, output).toHaveLength(4);
    expect(verdicts, output).toEqual(expect.arrayContaining(titles.map(passed)));
  });

  it('tells of a test that fails what its issuer has refused, and where the session lies', async () => {
    const { verdicts, output, attachments } = await runVitest({
      'a.test.js': `
        import { expect } from 'vitest';
        import { test } from 'grantbox/vitest';
        test('fails / "here"', async ({ issuer }) => {
          const body = new URLSearchParams({ grant_type: 'client_credentials' });
          const headers = { Authorization: 'Basic ' + btoa('sensor:wrong') };
          const { status } = await fetch(issuer.issuer + '/oauth2/token', { method: 'POST', headers, body });
          expect(status).toBe(200);
        });
        test('fails without', ({ issuer }) => expect(issuer.url).toBe(1));
        test('ends its issuer, and fails', async ({ issuer }) => {
          await issuer.stop();
          expect(issuer.url).toBe(1);
        });
        test('passes', ({ issuer }) => expect(issuer.issuer).toBeTruthy());
        test.fails('fails as it should', ({ issuer }) => expect(issuer.url).toBe(1));`,
    });
    const [refused, without, ended, ...others] = verdicts;
    expect(refused?.status).toBe('failed');
    expect(output).toMatch(
      /expected 401 to be 200.*\n\nThe issuer of this test refused:\n {2}token answered 401 invalid_client \(client_secret_wrong\) to sensor: .*\nRecorded session: \/.*\/\.vitest-attachments\/grantbox-fails-here-\S+\.html\n/,
    );
    expect(without?.status).toBe('failed');
    expect(output).toContain('The issuer of this test refused nothing.\nRecorded session: /');
    expect(ended?.messages).toHaveLength(1);
    expect(output).toMatch(
      /The issuer of this test refused:\n {2}unknown: events\.list: the issuer at this path has ended: it was deleted, expected the path of a running issuer; POST/,
    );
    expect(others).toEqual([passed('passes'), passed('fails as it should')]);
    // neither the page itself nor a second failure is between a user and the reason
    expect(output).not.toContain('<html');
    expect(output.match(/ FAIL /g)).toHaveLength(3);

    expect(attachments.size).toBe(2);
    const [page] = [...attachments].filter(([name]) => name.startsWith('grantbox-fails-here-')).map(([, text]) => text);
    expect(page).toContain('invalid_client');
    expect(page).not.toContain('sensor:wrong');
  });

  it('tells it without a dashboard, too', async () => {
    const { output, attachments } = await runVitest({
      'a.test.js': `
        import { expect } from 'vitest';
        import { test as base } from 'grantbox/vitest';
        const test = base.extend({ sandboxConfig: [{ dashboard: 'off' }, { scope: 'worker' }] });
        test('fails', ({ issuer }) => expect(issuer.url).toBe(1));`,
    });
    expect(output).toMatch(/The issuer of this test refused nothing\.\n(?!All that happened)/);
    expect(attachments.size).toBe(0);
  });

  it('examines an app, and fails the test with what it lacks', async () => {
    const { verdicts, output } = await runVitest({
      'a.test.js': `
        import { expect } from 'vitest';
        import { test as base } from 'grantbox/vitest';
        const redirect_uri = 'http://localhost:3000/callback';
        const app = { client_id: 'app', client_secret: 'secret', redirect_uris: [redirect_uri] };
        const test = base.extend({ issuerConfig: { clients: [app], users: [{ sub: 'tess' }] } });
        // it compares state, and sends no code_challenge
        const login = async ({ issuer }) => {
          const query = new URLSearchParams({ response_type: 'code', client_id: 'app', redirect_uri, state: 'x' });
          const response = await fetch(issuer + '/oauth2/authorize?' + query, { redirect: 'manual' });
          const { searchParams } = new URL(response.headers.get('location'));
          if (searchParams.get('state') !== 'x') return false;
          const body = new URLSearchParams({ grant_type: 'authorization_code', code: searchParams.get('code'), redirect_uri });
          const headers = { Authorization: 'Basic ' + btoa('app:secret') };
          return (await fetch(issuer + '/oauth2/token', { method: 'POST', headers, body })).ok;
        };
        const options = { plan: 'oauth-bcp', user: 'tess', login, modules: ['invalid-state', 'pkce'] };
        test('lacks PKCE', ({ examine }) => examine(options));
        test('as is known', async ({ examine }) => {
          const { summary } = await examine({ ...options, known: ['pkce'] });
          expect(summary).toMatchObject({ pass: 2, fail: 1 });
        });`,
    });
    const [lacking, known] = verdicts;
    expect(known, output).toEqual(passed('as is known'));
    expect(lacking?.status).toBe('failed');
    expect(output).toMatch(/FAIL {2}pkce {2}Each authorization request has a code_challenge/);
    expect(output).toContain('To mend it: Switch PKCE on');
    expect(output).not.toContain('invalid-state');
  });

  it('uses the sandbox at GRANTBOX_URL, and leaves it running', async () => {
    await using sandbox = await createSandbox({ controlToken: 'open-sesame', users: [{ sub: 'ann' }] });
    const files = {
      'a.test.js': `
        import { expect } from 'vitest';
        import { test } from 'grantbox/vitest';
        test('elsewhere', async ({ sandbox, issuer }) => {
          expect(sandbox.url).toBe('${sandbox.url}');
          expect(await issuer.users.list()).toEqual([{ sub: 'ann' }]);
        });`,
    };
    const env = { GRANTBOX_URL: sandbox.url, CONTROL_TOKEN: 'open-sesame' };
    const { verdicts, output } = await runVitest(files, env);
    expect(verdicts, output).toEqual([passed('elsewhere')]);
    expect((await fetch(`${sandbox.url}/health`)).status).toBe(200);

    const refused = await runVitest(files, { GRANTBOX_URL: sandbox.url });
    expect(refused.output).toContain('connectSandbox: CONTROL_TOKEN is set, but no token was sent');
    expect(refused.verdicts).toMatchObject([{ status: 'failed' }]);
  });
});
