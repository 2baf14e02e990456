import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../support/load-config.ts';
import { problemsOf } from './support.ts';

describe('PROFILE=fapi2', () => {
  it('signs with PS256 by default', async () => {
    const { signingAlg, clientDefaults } = await loadConfig({ env: { PROFILE: 'fapi2' } });
    expect([signingAlg, clientDefaults.idTokenAlg]).toEqual(['PS256', 'PS256']);
  });

  it.each([
    ['SIGNING_ALG', 'RS256', '"RS256"', 'PS256, ES256, EdDSA, Ed25519'],
    ['CODE_LIFETIME', '61s', '61', 'at most 60 seconds'],
    ['PUSHED_REQUEST_LIFETIME', '10m', '600', 'at most 599 seconds'],
    ['FEATURES', 'par=off', 'par off', 'par on'],
  ])('refuses %s=%s, which is fine without', async (name, text, value, expected) => {
    const env = { [name]: text };
    await loadConfig({ env });
    expect(await problemsOf({ env: { ...env, PROFILE: 'fapi2' } })).toEqual([
      { source: `environment ${name}`, value, expected: `${expected}, under the profile fapi2` },
    ]);
  });

  it.each([
    ['CODE_LIFETIME', '60s'],
    ['PUSHED_REQUEST_LIFETIME', '599s'],
  ])('takes %s=%s', async (name, text) => {
    await expect(loadConfig({ env: { [name]: text, PROFILE: 'fapi2' } })).resolves.toMatchObject({ profile: 'fapi2' });
  });
});
