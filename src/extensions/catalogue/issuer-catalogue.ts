import { lazily } from '../../base/lazily.ts';
import type { ClientCatalogue } from './catalogue.ts';

/** The catalogue as an issuer has it. */
export interface IssuerCatalogue {
  /** Whether the issuer has its clients. */
  readonly isOn: () => boolean;
  /** The ids of clients that those of the user's configuration replace. */
  readonly replaced: () => readonly string[];
  readonly read: () => Promise<ClientCatalogue>;
}

/** Loaded when its page is first opened. */
export const catalogue = lazily(async (): Promise<ClientCatalogue> => {
  const [{ createCatalogue }, { entryText }] = await Promise.all([
    import('./catalogue.ts'),
    import('../../sandbox/control/entry-text.ts'),
  ]);
  return createCatalogue(settings => entryText({ ...settings }));
});
