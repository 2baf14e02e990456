import type { Lazy } from '../../base/lazily.ts';
import { lazily } from '../../base/lazily.ts';
import { randomSecret } from '../../protocol/random.ts';
import type { Adapter } from '../../server/http/adapter.ts';
import type { ManagedCalls } from '../../server/http/managed-calls.ts';
import type { Handler } from '../../server/http/request-context.ts';
import type { ControlGate } from '../control/api/control-gate.ts';
import type { Control } from '../control/create-control.ts';
import type { Issuer } from '../extension.ts';

/** The management API of the preset by its paths, loaded with the first call. It makes each change by the control. */
export function managementOf(
  { preset, server, events, sandbox, state }: Issuer,
  adapter: Adapter,
  control: Lazy<Control>,
  gate: ControlGate | undefined,
): readonly ManagedCalls[] {
  const { management } = preset ?? {};
  if (preset === undefined || management === undefined) return [];
  const address = preset.addressOf(server.issuer);
  const api = lazily(async () => {
    const create = await management.load();
    return create({
      server,
      control: await control.get(),
      events,
      adapter,
      address,
      secret: state.sandboxSecret?.('management') ?? ofProcess,
      inTurn: state.inTurn,
      requireControlToken: gate?.requireTyped,
    });
  });
  const handle: Handler = (req, res) => {
    api.get().then(
      answer => answer(req, res),
      error => {
        sandbox.log.error(error, 'sandbox');
        res.destroy();
      },
    );
  };
  const { header } = management;
  return [
    ...preset.managedPaths(server.issuer).map(path => ({ path, handle })),
    ...(header === undefined ? [] : [{ path: new URL(address).pathname.replace(/\/$/, ''), header, handle }]),
  ];
}

/** Issuers of one address have one realm `master`, so they share it. */
const ofProcess = randomSecret();
