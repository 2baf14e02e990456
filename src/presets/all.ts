import type { ProviderPreset } from './preset.ts';
import type { PresetName } from './preset-names.ts';

/** The presets. Each is loaded when an issuer chooses it. */
export const presets: Readonly<Record<PresetName, () => Promise<ProviderPreset>>> = {
  cognito: async () => (await import('./cognito/preset.ts')).cognito,
  keycloak: async () => (await import('./keycloak/preset.ts')).keycloak,
};
