import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../support/load-config.ts';
import { problemsOf, withFile } from './support.ts';

const load = (env: Record<string, string>) => loadConfig({ env });

describe('an address for back ends', () => {
  it('is absent by default', async () => {
    expect(await load({})).not.toHaveProperty('backchannelUrl');
  });

  it('is an origin, by flag, environment or file', async () => {
    const backchannelUrl = 'http://idp:9000';
    expect(await load({ BACKCHANNEL_URL: backchannelUrl })).toMatchObject({ backchannelUrl });
    expect(await loadConfig({ flags: { 'backchannel-url': backchannelUrl } })).toMatchObject({ backchannelUrl });
    expect(await loadConfig(withFile({ backchannelUrl }))).toMatchObject({ backchannelUrl });
  });

  it('is shared by all issuers', async () => {
    const content = { backchannelUrl: 'http://idp:9000', issuers: { tenant: {} } };
    const { issuers } = await loadConfig(withFile(content));
    expect(issuers[0]?.config.backchannelUrl).toBe('http://idp:9000');
    const own = await problemsOf(withFile({ issuers: { tenant: { backchannelUrl: 'http://idp:9000' } } }));
    expect(own).toMatchObject([{ source: expect.stringContaining('backchannelUrl') }]);
  });

  it.each([
    ['idp:9000', 'an origin such as http://localhost:3000'],
    ['ftp://idp', 'an origin such as http://localhost:3000'],
    ['http://', 'an origin such as http://localhost:3000'],
    ['http://idp:9000/', 'an origin without a path: http://idp:9000'],
    ['http://idp:9000/tenant', 'an origin without a path: http://idp:9000'],
    ['http://idp:9000?x=1', 'an origin without a path: http://idp:9000'],
    ['http://idp:9000#x', 'an origin without a path: http://idp:9000'],
    ['http://me:secret@idp:9000', 'an origin without a path: http://idp:9000'],
    ['', 'origin'],
  ])('is not %s', async (value, expected) => {
    const problems = await problemsOf({ env: { BACKCHANNEL_URL: value }, overrides: { backchannelUrl: value } });
    expect(problems[0]?.expected).toContain(expected);
    expect(JSON.stringify(problems)).not.toContain('secret');
  });

  it.each([
    [{ ISSUER: 'https://login.test' }, 'http://login.test'],
    [{ PORT: '9000' }, 'https://localhost:9000'],
    [{ HOST: '0.0.0.0', PORT: '9000' }, 'https://localhost:9000'],
    [{ HOST: '::1', PORT: '9000' }, 'https://[::1]:9000'],
  ])('is told from the issuer by its Host: with %o it is not %s', async (env, BACKCHANNEL_URL) => {
    const [problem] = await problemsOf({ env: { ...env, BACKCHANNEL_URL } as Record<string, string> });
    expect(problem).toMatchObject({
      source: 'environment BACKCHANNEL_URL',
      expected: expect.stringContaining("a host or port that differs from the issuer's"),
    });
  });

  it('may be that of the issuer itself, and changes nothing then', async () => {
    const env = { PORT: '9000', BACKCHANNEL_URL: 'http://localhost:9000' };
    expect(await load(env)).toMatchObject({ backchannelUrl: 'http://localhost:9000' });
  });

  it('may be http behind a proxy that speaks HTTPS, and not where the sandbox itself does', async () => {
    const env = { ISSUER: 'https://login.test', BACKCHANNEL_URL: 'http://idp:9000' };
    expect(await load(env)).toMatchObject({ backchannelUrl: 'http://idp:9000' });
    expect(await problemsOf({ env: { ...env, TLS: 'self-signed' } })).toMatchObject([
      { source: 'environment BACKCHANNEL_URL', expected: 'an https URL, because this sandbox speaks HTTPS' },
    ]);
  });
});
