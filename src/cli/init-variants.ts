import { apiVariants } from './init-variants/apis.ts';
import { browserVariants } from './init-variants/browser-apps.ts';
import { nativeVariants } from './init-variants/native.ts';
import type { Variant } from './init-variants/variant.ts';
import { webVariants } from './init-variants/web-apps.ts';

export type { Variant } from './init-variants/variant.ts';

/** What `grantbox init` knows, by the word that asks for it. */
export const variants: ReadonlyMap<string, Variant> = new Map(
  [...browserVariants, ...webVariants, ...apiVariants, ...nativeVariants].map(variant => [variant.name, variant]),
);
