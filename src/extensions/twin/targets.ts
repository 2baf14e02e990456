import { defined } from '../../base/defined.ts';
import type { LoadedConfig } from '../../sandbox/config/load-config.ts';
import type { SandboxConfig } from '../../sandbox/config/sandbox-config.ts';
import type { Modules } from '../../sandbox/extension.ts';
import { createSandboxOf, type Sandbox, startSandbox } from '../../sandbox/sandbox.ts';
import { send } from '../../server/wire/send.ts';
import type { Target } from './observe.ts';

interface OwnTarget extends Target {
  stop(): Promise<void>;
}

/** Stops the sandbox after the work, also after a failure. `await using` would add its helpers to each start. */
export async function withSandbox<T>(target: OwnTarget, work: (target: Target) => Promise<T>): Promise<T> {
  try {
    return await work(target);
  } finally {
    await target.stop();
  }
}

/** Starts a sandbox of a configuration on a free port. */
export async function inProcess(config: SandboxConfig, { providers }: Pick<Modules, 'providers'>): Promise<OwnTarget> {
  return targetOf(await createSandboxOf({ extensions: [], providers }, config));
}

/** Starts a sandbox of a configuration that was read from a file. */
export async function ofFile(config: LoadedConfig): Promise<OwnTarget> {
  return targetOf(await startSandbox(config));
}

function targetOf(sandbox: Sandbox): OwnTarget {
  const trust = defined({ ca: sandbox.tls?.ca });
  return {
    issuer: sandbox.issuer,
    ask: (path, sent) =>
      send(new URL(path, sandbox.url), { timeoutSeconds: 20, maxBytes: 4_000_000, ...trust, ...sent }),
    login: request => sandbox.login({ ...request, as: 'code' }),
    client: id => sandbox.clients.get(id),
    stop: () => sandbox.stop(),
  };
}
