import { describe, expect, it } from 'vitest';
import type { SandboxConfig } from '../../../src/sandbox/config/sandbox-config.ts';
import { loadConfig } from '../../support/load-config.ts';
import { problemsOf } from './support.ts';

describe('features', () => {
  it.each([
    ['text', { env: { FEATURES: 'device=off, ciba=off' } }],
    ['an object', { overrides: { features: { device: false, ciba: false } } }],
  ])('are switched by %s', async (_how, sources) => {
    expect((await loadConfig(sources)).features).toEqual({ device: false, ciba: false });
  });

  it.each<[string, unknown]>([
    ['a name alone', 'device'],
    ['an empty list', []],
    ['another state', 'device=perhaps'],
    ['a name nobody knows', { devise: false }],
    ['null', null],
  ])('are refused as %s', async (_what, features) => {
    const problems = await problemsOf({ overrides: { features } as unknown as SandboxConfig });
    expect(problems).toEqual([expect.objectContaining({ source: expect.stringMatching(/^createSandbox: features/) })]);
  });
});

it.each(['trustedIssuers', 'authorizationDetailsTypes', 'scopes', 'collections'])(
  '%s of null are refused',
  async name => {
    const problems = await problemsOf({ overrides: { [name]: null } as unknown as SandboxConfig });
    expect(problems).toEqual([expect.objectContaining({ source: `createSandbox: ${name}` })]);
  },
);
