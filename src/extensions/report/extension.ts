import type { WithCommands } from '../../client/cli/command.ts';
import type { WithRemote } from '../../client/remote/connected-issuer.ts';
import type { WithPages } from '../../dashboard/page.ts';
import { readOwn } from '../../sandbox/config/setting-values.ts';
import { ownSettings } from '../../sandbox/config/settings.ts';
import type { Extension } from '../../sandbox/extension.ts';
import { reportHere, reportThere } from './issuer-calls.ts';
import { reportSettings } from './settings.ts';

/** What clients did, checked against best practice. */
export const report: Extension & WithPages & WithCommands & WithRemote = {
  name: 'report',
  settings: { Log: reportSettings },
  async wholeProblems(sources) {
    if (readOwn(reportSettings, 'reportDir', sources).value === undefined) return [];
    return (await import('./report-dir.ts')).reportDirProblems(sources);
  },
  whole({ config, log }) {
    const { reportDir } = ownSettings<typeof reportSettings>(config);
    if (reportDir === undefined) return undefined;
    return import('./report-files.ts').then(({ createReporting }) => createReporting(reportDir, log));
  },
  handle: reportHere,
  remote: reportThere,
  pages: [
    {
      path: '/dashboard/report',
      entry: { name: 'Report', key: 'o', icon: 'M3 13V8m5 5V3m5 10V6', group: 'Tools' },
      linkedFrom: [
        { page: 'clients', name: 'See the client report' },
        { page: 'client', name: 'Report', query: 'client' },
      ],
      routes: async (router, context) => (await import('./report-pages.ts')).reportPages(router, context),
    },
  ],
  operations: async () => (await import('./operations.ts')).reportOperations,
  commands: [
    ['report', 'checks the clients of a sandbox, and can fail a pipeline', () => import('./report-command.ts')],
  ],
};
