import type { MovedClock } from '../../base/clock.ts';
import type { ConfigurationChanges, ResetPart } from '../../base/events/configuration-events.ts';
import type { Emit } from '../../base/events/event.ts';
import type { NextLogin } from '../../protocol/users/next-login.ts';
import type { IssuerConfig } from '../config/config.ts';
import type { ControlParts } from '../control/create-control.ts';
import type { Core } from '../extension.ts';
import type { Front } from '../front/front.ts';

/** The parts that operations work on. */
export interface OperationsParts
  extends Pick<Core, 'breakpoints' | 'collections' | 'config' | 'events' | 'faults' | 'server' | 'extensions'> {
  readonly clock: MovedClock;
  readonly emit: Emit;
  /** It is made after these. */
  readonly front: () => Front;
}

/** Operations on a running issuer; each loads its modules when it is first called. */
export interface IssuerOperations extends Pick<ControlParts, 'rotateKeys' | 'reset'> {
  reload(config: IssuerConfig): Promise<ConfigurationChanges>;
  nextLogin(login: NextLogin): Promise<void>;
}

/** Creates the operations of one issuer. */
export function createOperations(parts: OperationsParts): IssuerOperations {
  const { config, server, events, collections, clock, faults, breakpoints, emit, front, extensions } = parts;
  const controlled = { config, server, events, collections, rotateKeys, reset };

  async function rotateKeys(options?: { readonly unpublish?: boolean }): Promise<void> {
    const { rotateKeys } = await import('../../protocol/tokens/rotate-keys.ts');
    await rotateKeys(server, emit, options);
  }
  async function reset(part?: ResetPart): Promise<void> {
    const { resetIssuer } = await import('./reset-issuer.ts');
    const { resetResources } = front();
    const disarmFaults = () => {
      faults.current()?.armed.disarmAll();
      breakpoints.current()?.clear();
    };
    await resetIssuer({ ...controlled, clock, resetResources, disarmFaults }, part);
  }
  async function reload(next: IssuerConfig): Promise<ConfigurationChanges> {
    const { reloadIssuer } = await import('./reload-issuer.ts');
    const changes = await reloadIssuer(controlled, next);
    await extensions.start();
    return changes;
  }
  async function nextLogin(login: NextLogin): Promise<void> {
    const { expectNextLogin } = await import('../control/next-login.ts');
    await expectNextLogin(server, login);
  }
  return { rotateKeys, reset, reload, nextLogin };
}
