import type { ChangedBy } from '../../base/events/change.ts';
import { type ControlParts, tell } from '../../sandbox/control/control-parts.ts';
import { captureIssuer } from './capture.ts';
import { issuerAt, restoreIssuer } from './restore.ts';
import { readSavedState, type SavedState, stateVersion } from './saved-state.ts';

/** The path of an issuer: its name in a state file. */
export function pathOf({ server }: Pick<ControlParts, 'server'>): string {
  return new URL(server.issuer).pathname.replace(/\/$/, '') || '/';
}

/** Moves the state of one issuer. */
export interface MovedState {
  /** In the form of a state file. */
  exportState(): Promise<SavedState>;
  /**
   * Replaces the state.
   * @throws SavedStateError; then nothing has changed
   */
  importState(sent: unknown, by: ChangedBy): Promise<void>;
}

export function movedState(parts: ControlParts): MovedState {
  return {
    exportState: async () => ({
      grantbox_state: stateVersion,
      issuers: { [pathOf(parts)]: await captureIssuer(parts) },
    }),
    async importState(sent, by) {
      await restoreIssuer(parts, issuerAt(readSavedState(sent), pathOf(parts)));
      tell(parts, { type: 'sandbox.reset', part: 'configuration' }); // the changes made before are gone
      tell(parts, { type: 'state.imported', by });
    },
  };
}
