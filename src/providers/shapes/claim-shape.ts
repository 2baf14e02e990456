import type { DialectData } from '../../protocol/dialects/dialect-data.ts';
import type { PresetOptions, ProviderPreset } from '../../sandbox/provider.ts';

/** A provider of which the sandbox imitates the tokens and the addresses of the standard endpoints, and no API of its own. */
interface ClaimShape extends Omit<ProviderPreset, 'dialect'>, Pick<DialectData, 'metadata'> {
  readonly forms: DialectData['forms'] | ((options: PresetOptions) => DialectData['forms']);
}

/** A preset of a provider by the shape of its tokens. */
export function shapePreset({ forms, metadata = {}, ...preset }: ClaimShape): ProviderPreset {
  return {
    ...preset,
    dialect: options => ({
      metadata,
      forms: typeof forms === 'function' ? forms(options) : forms,
      accessTokenType: 'JWT',
      errors: {},
    }),
  };
}
