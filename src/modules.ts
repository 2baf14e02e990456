import type { ProgramModules } from './client/cli/command.ts';
import { addedPages } from './dashboard/page.ts';
import { all as extensions } from './extensions/all.ts';
import { all as providers } from './providers/all.ts';

/** The extensions, the providers and the dashboard of Grantbox. */
export const modules: ProgramModules = {
  extensions,
  providers,
  dashboard: {
    // those of extensions may be below /dashboard, and so come before it
    paths: issuer => [...addedPages(extensions, issuer).map(({ path }) => path), '/dashboard'],
    async load() {
      const { dashboardOf } = await import('./dashboard/dashboard.ts');
      return (issuer, tools) => dashboardOf(issuer, tools, extensions);
    },
  },
};
