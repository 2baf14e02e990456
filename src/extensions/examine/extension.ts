import type { WithCommands } from '../../client/cli/command.ts';
import type { Extension, Issuer } from '../../sandbox/extension.ts';
import type { Examination, ExamineOptions } from './examination.ts';

declare module '../../sandbox/sandbox-members.ts' {
  interface SandboxMembers {
    /**
     * Examines an app: misbehaves in each way of a plan, and judges what the app does.
     * @throws Error if the app cannot sign in where nothing is wrong; TypeError for an unknown plan, module or user
     */
    examine(options: ExamineOptions): Promise<Examination>;
  }
}

/** Examines apps: the provider misbehaves on purpose, one module after the other. */
export const examine: Extension & WithCommands = {
  name: 'examine',
  members: async first => ({ examine: options => examined(first, options) }),
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
