import { describe, expect, it } from 'vitest';
import { type ConfigSources, loadConfig } from '../../src/config/load-config.ts';
import { withFile } from './support.ts';

async function effective(sources: ConfigSources, name: string) {
  const { settings } = await loadConfig(sources);
  const { value, from } = (await settings()).find(each => each.name === name) ?? {};
  return { value, from };
}

describe('a setting in effect', () => {
  it.each([
    ['the flag', { flags: { label: 'a' }, env: { SANDBOX_LABEL: 'b' } }, 'SANDBOX_LABEL', 'a', 'flag --label'],
    ['the environment', { env: { CONSENT: 'yes' } }, 'CONSENT', 'on', 'environment CONSENT'],
    [
      'code',
      { overrides: { corsOrigins: ['https://a.example'] } },
      'CORS_ORIGINS',
      'https://a.example',
      'createSandbox: corsOrigins',
    ],
    ['nowhere', {}, 'CORS_ORIGINS', 'none', 'default'],
    ['a profile', { env: { PROFILE: 'fapi2' } }, 'SIGNING_ALG', 'PS256', 'profile fapi2'],
    [
      'a list of switches',
      { env: { FEATURES: 'device=off,par=on' } },
      'FEATURES',
      'device=off par=on',
      'environment FEATURES',
    ],
  ])('says that it is from %s', async (_where, sources, name, value, from) => {
    expect(await effective(sources, name)).toEqual({ value, from });
  });

  it('says the file', async () => {
    const sources = withFile({ consent: true });
    expect(await effective(sources, 'CONSENT')).toEqual({ value: 'on', from: 'clients.config.json: consent' });
  });

  it.each(['SEED', 'SENSOR_CLIENT_SECRET', 'REGISTRATION_TOKEN', 'CLIENTS'])(
    'is masked where it is secret: %s',
    async name => {
      const secret =
        name === 'CLIENTS'
          ? '[{"client_id":"a","client_secret":"secret","redirect_uris":["https://a.example/"]}]'
          : 'secret';
      const env = { [name]: secret, ...(name === 'REGISTRATION_TOKEN' ? { REGISTRATION: 'token' } : {}) };
      expect(await effective({ env }, name)).toEqual({ value: '***', from: `environment ${name}` });
    },
  );

  it('is the issuer’s own, for further issuers', async () => {
    const { issuers } = await loadConfig({ overrides: { issuers: { 'tenant-a': { label: 'A' } } } });
    const settings = await issuers[0]?.config.settings();
    expect(settings?.find(({ name }) => name === 'SANDBOX_LABEL')).toMatchObject({ value: 'A' });
  });
});
