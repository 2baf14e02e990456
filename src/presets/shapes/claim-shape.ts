import type { Unserved } from '../../http/unknown-path.ts';
import type { EndpointPaths } from '../../oauth/authorization-server.ts';
import type { DialectData } from '../../oauth/dialects/dialect-data.ts';
import type { PresetOptions, ProviderPreset } from '../preset.ts';
import type { PresetName } from '../preset-names.ts';

/** A provider of which the sandbox imitates the tokens and the addresses of the standard endpoints, and no API of its own. */
export interface ClaimShape {
  readonly name: PresetName;
  /** The name of the provider for people. */
  readonly title: string;
  issuerPath(options: PresetOptions): string;
  readonly paths: Partial<EndpointPaths>;
  readonly forms: DialectData['forms'] | ((options: PresetOptions) => DialectData['forms']);
  readonly unserved?: readonly Unserved[];
}

/** A preset of a provider by the shape of its tokens. */
export function shapePreset({ name, title, issuerPath, paths, forms, unserved = [] }: ClaimShape): ProviderPreset {
  return {
    title,
    issuerPath,
    dialect: options => ({
      name,
      options,
      metadata: { add: {}, omit: [] },
      forms: typeof forms === 'function' ? forms(options) : forms,
      accessTokenType: 'JWT',
      errors: {},
    }),
    paths,
    routes: () => [],
    unserved,
  };
}
