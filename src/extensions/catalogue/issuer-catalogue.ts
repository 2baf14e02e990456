import { lazily } from '../../sandbox/composition/lazily.ts';
import type { ClientCatalogue } from './catalogue.ts';

/** Loaded when its page is first opened. */
export const catalogue = lazily(async (): Promise<ClientCatalogue> => {
  const [{ createCatalogue }, { entryText }] = await Promise.all([
    import('./catalogue.ts'),
    import('../../sandbox/control/entry-text.ts'),
  ]);
  return createCatalogue(settings => entryText({ ...settings }));
});
