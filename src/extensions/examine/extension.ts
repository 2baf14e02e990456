import { defined } from '../../base/defined.ts';
import type { WithCommands } from '../../client/cli/command.ts';
import type { WithRemote } from '../../client/remote/connected-issuer.ts';
import type { WithPages } from '../../dashboard/page.ts';
import type { Extension, Issuer } from '../../sandbox/extension.ts';
import type { Examination, ExamineApiOptions, ExamineOptions } from './examination.ts';
import { provoked } from './provoked.ts';
import type { ExamineHere } from './runs/examine-here.ts';
import { examineThere } from './runs/examine-there.ts';

declare module '../../sandbox/sandbox-members.ts' {
  interface SandboxMembers {
    /**
     * Examines an app: misbehaves in each way of a plan, and judges what the app does. Or examines an API: calls it with good
     * and bad tokens.
     * @throws Error if the app or the API does not work where nothing is wrong; TypeError for an unknown plan, module or user
     */
    examine(options: ExamineOptions | ExamineApiOptions): Promise<Examination>;
  }
}

/** Only the first issuer makes others, and a run is in the memory of one process. */
const isOffered = ({ first, sandbox }: Issuer) => first !== undefined && sandbox.stateOf === undefined;

/** Examines apps: the provider misbehaves on purpose, one module after the other. */
export const examine: Extension<ExamineHere> & WithPages<ExamineHere> & WithCommands & WithRemote = {
  name: 'examine',
  isOffered,
  load: async issuer => (await import('./runs/examine-here.ts')).examineHere(issuer),
  end: ({ runs }) => runs.end(),
  members: async (first, running) => ({
    async examine(options) {
      if ('api' in options) return apiExamined(first, options);
      const [{ examine }, { runs }] = await Promise.all([import('./examination.ts'), running.get()]);
      return examine(runs.host, options);
    },
  }),
  operations: async () => (await import('./runs/operations.ts')).examineOperations,
  remoteSandbox: examineThere,
  pages: [
    {
      path: '/dashboard/examine',
      entry: {
        name: 'Examine',
        key: 'i',
        icon: 'M3 2h10v12H3zM5 6l1 1 2-2M5 10l1 1 2-2M10 6h1M10 10h1',
        group: 'Tools',
      },
      isOffered,
      linkedFrom: [
        { page: 'client', name: 'Examine', query: 'client' },
        { page: 'report', name: 'Examine an app' },
        { page: 'check', name: 'Provoke it', query: 'check', only: Object.keys(provoked) },
      ],
      async routes(router, context, running) {
        (await import('./runs/examine-pages.ts')).examinePages(router, context, await running());
      },
    },
  ],
  commands: [['examine', 'tells whether an app or an API is safe', () => import('./command/examine-command.ts')]],
};

async function apiExamined(
  { sandbox, server, config, first }: Issuer,
  options: ExamineApiOptions,
): Promise<Examination> {
  const [{ examineApi }, { issuerUrl }, { endpointUrl }, { urlOf }] = await Promise.all([
    import('./api/examine-api.ts'),
    import('../../client/remote/control-calls.ts'),
    import('../../protocol/authorization-server.ts'),
    import('../../sandbox/config/own-url.ts'),
  ]);
  // over HTTP, because the client report knows the tokens of the examiner by the request that made them
  const connection = { insecure: true, ...defined({ controlToken: config.controlToken }) };
  const url = urlOf(sandbox.tls !== undefined, first?.config.host ?? 'localhost', sandbox.port);
  const base = await issuerUrl('examine', url, connection);
  return examineApi({ base, connection, issuer: server.issuer, jwksUri: endpointUrl(server, 'jwks') }, options);
}
