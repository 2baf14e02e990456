import type { ProgramModules } from './client/cli/command.ts';
import { addedPages } from './dashboard/extension-pages.ts';
import { all } from './extensions/all.ts';

/** What Grantbox is put together from. */
export const modules: ProgramModules = {
  extensions: all,
  dashboard: {
    // those of extensions may be below /dashboard, and so come before it
    paths: issuer => [...addedPages(all, issuer).map(({ path }) => path), '/dashboard'],
    async load() {
      const { createDashboard } = await import('./dashboard/dashboard.ts');
      return (options, issuer) => createDashboard(options, addedPages(all, issuer));
    },
  },
};
