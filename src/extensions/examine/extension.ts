import type { WithCommands } from '../../client/cli/command.ts';
import type { Extension, Issuer } from '../../sandbox/extension.ts';
import type { Examination, ExamineApiOptions, ExamineOptions } from './examination.ts';

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

/** Examines apps: the provider misbehaves on purpose, one module after the other. */
export const examine: Extension & WithCommands = {
  name: 'examine',
  members: async first => ({
    examine: options => ('api' in options ? apiExamined(first, options) : examined(first, options)),
  }),
  commands: [['examine', 'tells whether an app or an API is safe', () => import('./command/examine-command.ts')]],
};

async function examined(first: Issuer, options: ExamineOptions): Promise<Examination> {
  const [{ examine }, { handleOf }] = await Promise.all([
    import('./examination.ts'),
    import('../../sandbox/library/handle.ts'),
  ]);
  const issuers = await first.first?.issuers();
  return examine(
    {
      first: handleOf(first),
      async make() {
        if (issuers === undefined) throw new TypeError('examine: this issuer cannot make others');
        const { issuer, stop } = await issuers.createHere({}, {});
        return { issuer: handleOf(issuer), stop };
      },
    },
    options,
  );
}

async function apiExamined(
  { sandbox, server, config, first }: Issuer,
  options: ExamineApiOptions,
): Promise<Examination> {
  const [{ examineApi }, { createControlCalls, issuerUrl }, { endpointUrl }, { urlOf }] = await Promise.all([
    import('./api/examine-api.ts'),
    import('../../client/remote/control-calls.ts'),
    import('../../protocol/authorization-server.ts'),
    import('../../sandbox/config/own-url.ts'),
  ]);
  // over HTTP, because the client report knows the tokens of the examiner by the request that made them
  const trust = { insecure: true, controlToken: config.controlToken };
  const own = await issuerUrl(
    'examine',
    urlOf(sandbox.tls !== undefined, first?.config.host ?? 'localhost', sandbox.port),
    trust,
  );
  const { issuer } = server;
  return examineApi({ calls: createControlCalls(own, trust), issuer, jwksUri: endpointUrl(server, 'jwks') }, options);
}
