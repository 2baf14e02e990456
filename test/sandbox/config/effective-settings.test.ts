import { describe, expect, it } from 'vitest';
import type { ConfigSources } from '../../../src/sandbox/config/load-config.ts';
import { loadConfig } from '../../support/load-config.ts';
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
    ['a preset', { env: { PRESET: 'auth0' } }, 'ID_TOKEN_LIFETIME', '36000', 'preset auth0'],
    [
      'the environment, before a preset',
      { env: { PRESET: 'auth0', ID_TOKEN_LIFETIME: '1h' } },
      'ID_TOKEN_LIFETIME',
      '3600',
      'environment ID_TOKEN_LIFETIME',
    ],
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

  it.each([
    ['entra', '4500', '3600'],
    ['google', '3599', '3600'],
    ['auth0', '86400', '36000'],
    ['okta', '3600', '3600'],
    ['cognito', '3600', '3600'],
    ['keycloak', '300', '300'],
    ['apple,team=TEAM123456', '3600', '86400'],
    ['zitadel', '43200', '43200'],
  ])('is the lifetime that tokens have at %s', async (preset, access, id) => {
    const { settings, idTokenLifetime, clientDefaults } = await loadConfig({ env: { PRESET: preset } });
    const values = Object.fromEntries((await settings()).map(({ name, value }) => [name, value]));
    expect(values).toMatchObject({ ACCESS_TOKEN_LIFETIME: access, ID_TOKEN_LIFETIME: id });
    expect(String(idTokenLifetime)).toBe(id);
    expect(String(clientDefaults.accessTokenLifetime)).toBe(access);
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
