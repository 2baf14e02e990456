import type { ConfigurationChanges, ResetPart } from '../../base/events/configuration-events.ts';
import type { IssuerConfig } from '../config/config.ts';
import type { Issuer } from '../extension.ts';

/** Replaces the signing keys; with `unpublish` the old ones leave the JWK Set at once. */
export async function rotateKeysOf(
  { server, events }: Issuer,
  options?: { readonly unpublish?: boolean },
): Promise<void> {
  const { rotateKeys } = await import('../../protocol/tokens/rotate-keys.ts');
  await rotateKeys(server, fact => void events.append(fact, 'sandbox'), options);
}

/** Resets one part, or everything except the keys, to the state at the start. Logs the reset. */
export async function resetRunning(issuer: Issuer, part?: ResetPart): Promise<void> {
  const { server, events, clock, faults, breakpoints } = issuer;
  const reaches = (each: ResetPart) => part === undefined || part === each;
  if (part === 'sessions') {
    const { endEverySession } = await import('../control/sessions.ts');
    await endEverySession(issuer);
  }
  if (part === undefined) {
    await Promise.all([server.store.clear(), server.usedJwts.clear(), server.fetched.clear()]);
    server.random.restart();
  }
  if (reaches('clock')) clock.move({ kind: 'reset' });
  if (reaches('resources')) await issuer.front.resetResources();
  if (reaches('faults')) {
    faults.current()?.armed.disarmAll();
    breakpoints.current()?.clear();
  }
  if (reaches('configuration')) {
    const { forgetChanges } = await import('../control/forget-changes.ts');
    await forgetChanges(issuer);
  }
  if (reaches('history')) events.clear();
  events.append({ type: 'sandbox.reset', part }, 'sandbox');
}

/** Applies a new configuration, and loads the extensions that it asks for. */
export async function reloadRunning(issuer: Issuer, next: IssuerConfig): Promise<ConfigurationChanges> {
  const { reloadIssuer } = await import('./reload-issuer.ts');
  const changes = await reloadIssuer(issuer, next);
  await issuer.extensions.start();
  return changes;
}
