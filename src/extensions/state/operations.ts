import * as v from 'valibot';
import type { ChangedBy } from '../../base/events/change.ts';
import { operation } from '../../sandbox/control/api/operation.ts';
import { type ControlParts, tell } from '../../sandbox/control/control-parts.ts';
import { object } from '../../sandbox/control/described.ts';
import { problemsOf } from '../../sandbox/control/outcome.ts';
import { refusedInput } from '../../sandbox/control/refusal.ts';
import { jsonAnswer } from '../../server/http/answer.ts';
import { captureIssuer, issuerAt, restoreIssuer } from './saved-entries.ts';
import { readSavedState, type SavedState, stateVersion } from './saved-state.ts';

/** Ten thousand sessions, and as many refresh tokens, need less. */
const mostBytes = 64 * 1024 * 1024;

/** The state of an issuer, to be moved to another sandbox. It has private keys, so it is a secret. */
export const stateOperations = [
  operation({
    name: 'exportState',
    method: 'GET',
    path: '/state',
    summary:
      'Export what the issuer remembers: private keys, changed clients, users, scopes and collections, sessions and refresh tokens. The response is a secret',
    answers: { 200: { description: 'The content of a state file', schema: object } },
    run: async (_input, _controlled, { exportState }: MovedState) => jsonAnswer(200, await exportState()),
  }),
  operation({
    name: 'importState',
    method: 'PUT',
    path: '/state',
    changes: true,
    summary: 'Replace what the issuer remembers by an exported state, or by the content of a state file',
    body: object,
    checksBody: true,
    mostBytes,
    answers: {
      200: { description: 'The state is in effect', schema: v.object({ imported: v.string() }) },
      400: { description: 'The members that are not valid; nothing was changed' },
    },
    async run({ body }, { server }, { importState }: MovedState) {
      const { SavedStateError } = await import('./saved-state.ts');
      await importState(body, 'api').catch(error => {
        throw error instanceof SavedStateError ? refusedInput(problemsOf(error.findings)) : error;
      });
      return jsonAnswer(200, { imported: server.issuer });
    },
  }),
];

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
