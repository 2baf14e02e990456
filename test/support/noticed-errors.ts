import type { Sandbox, SandboxConfig } from '../../src/index.ts';
import type { DialectData } from '../../src/protocol/dialects/dialect-data.ts';
import { createSandbox as create } from './bundle.ts';

/** Makes sandboxes for the tests of a preset, and notices the reasons of their errors. */
export function noticingErrors() {
  const reasons = new Set<string>();
  return {
    async createSandbox(config?: SandboxConfig): Promise<Sandbox> {
      const sandbox = await create(config);
      for (const { events } of [sandbox, ...sandbox.issuers.values()])
        events.subscribe(event => {
          if (event.type === 'error.returned') reasons.add(event.reason);
        });
      return sandbox;
    },
    /** The rows of a table of errors that no test has provoked so far. */
    notProvoked: (errors: DialectData['errors']) => Object.keys(errors).filter(reason => !reasons.has(reason)),
  };
}
