import type { ProgramModules } from './client/cli/command.ts';
import { all } from './extensions/all.ts';

/** What Grantbox is put together from. */
export const modules: ProgramModules = {
  extensions: all,
  dashboard: {
    paths: [...all.flatMap(({ pages = [] }) => pages.map(({ path }) => path)), '/dashboard'],
    async load() {
      const { createDashboard } = await import('./dashboard/dashboard.ts');
      return (options, running) => createDashboard(options, all, running);
    },
  },
};
