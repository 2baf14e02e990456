import { lazily } from '../../base/lazily.ts';
import { randomSecret } from '../../protocol/random.ts';
import type { Adapter } from '../../server/http/adapter.ts';
import type { ManagedCalls } from '../../server/http/managed-calls.ts';
import type { Handler } from '../../server/http/request-context.ts';
import type { ControlGate } from '../control/api/control-gate.ts';
import type { Control } from '../control/create-control.ts';
import type { Core } from '../extension.ts';

interface ManagementParts extends Pick<Core, 'preset' | 'server' | 'events' | 'log' | 'sandboxSecret' | 'inTurn'> {
  readonly adapter: Adapter;
  readonly control: () => Promise<Control>;
  readonly gate: ControlGate | undefined;
}

/** The management API of the preset by its paths, loaded with the first call. It makes each change by the control. */
export function managementOf(parts: ManagementParts): readonly ManagedCalls[] {
  const { preset, server, events, log, adapter, control, gate, inTurn } = parts;
  const { management } = preset ?? {};
  if (preset === undefined || management === undefined) return [];
  const address = preset.addressOf(server.issuer);
  const api = lazily(async () => {
    const create = await management.load();
    const secret = parts.sandboxSecret?.('management') ?? ofProcess;
    return create({
      server,
      control: await control(),
      events,
      adapter,
      address,
      secret,
      inTurn,
      requireControlToken: gate?.requireTyped,
    });
  });
  const handle: Handler = (req, res) => {
    api.get().then(
      answer => answer(req, res),
      error => {
        log.error(error, 'sandbox');
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
