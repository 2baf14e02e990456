import type { Change, ChangedBy } from '../events/change.ts';
import { type EntriesOfKind, type EntryAction, entriesOf } from './change-entry.ts';
import { clientRules } from './client-changes.ts';
import type { Control } from './control.ts';
import { type ControlParts, tell } from './control-parts.ts';
import { type Entry, type EntryKind, entryKinds } from './entry.ts';
import { keyControl } from './key-control.ts';
import { collectionRules, scopeRules } from './named-changes.ts';
import { type ChangeOutcome, changedMembers, configurationJson, configurationLine, linesFor } from './outcome.ts';
import { previewTokens } from './preview.ts';
import { endSession, liveSessions } from './sessions.ts';
import { expireToken, resumeToken, revokeToken } from './token-changes.ts';
import { replaceRules, withRules } from './token-claims.ts';
import { userRules } from './user-changes.ts';

export type { ControlParts } from './control-parts.ts';

/** Changes to one running issuer. */
export function createControl(parts: ControlParts): Control {
  const { server } = parts;
  const all: Readonly<Record<EntryKind, EntriesOfKind>> = {
    client: entriesOf(clientRules(parts)),
    user: entriesOf(userRules(parts)),
    scope: entriesOf(scopeRules(parts)),
    collection: entriesOf(collectionRules(parts)),
  };
  return {
    async apply(change, by) {
      const { kind, action, id, members } = partsOf(change);
      const outcome = await all[kind].change(action, id, members);
      if ('faults' in outcome) return { ok: false, ...outcome };
      const { subject, after, notes = [] } = outcome;
      tellChange(parts, kind, outcome, by);
      return { ok: true, lines: linesFor(kind, subject, after), notes };
    },
    clientEntry: all.client.entry,
    userEntry: all.user.entry,
    entry: (kind, id) => all[kind].entry(id),
    ids: kind => all[kind].ids(),
    configurationLines(kind, id, form = 'typescript') {
      const found = all[kind].entry(id);
      if (found === undefined) return '';
      return form === 'json' ? configurationJson(kind, found) : configurationLine(kind, found);
    },
    isChanged: (kind, id) => all[kind].isChanged(id),
    tokenRules: () => server.tokenRules,
    replaceTokenRules: async (rules, by) => void replaceRules(parts, rules, by),
    preview: async (client, user, scopes, rules) => previewTokens(withRules(server, rules), client, user, scopes),
    expireToken: tokenId => expireToken(parts, tokenId),
    resumeToken: tokenId => resumeToken(parts, tokenId),
    revokeToken: tokenId => revokeToken(parts, tokenId),
    sessions: sub => liveSessions(parts, sub),
    endSession: sid => endSession(parts, sid),
    ...keyControl(parts),
    reset: parts.reset,
    exportState: async () => (await import('./state/move-state.ts')).exportState(parts),
    importState: async (state, by) => (await import('./state/move-state.ts')).importState(parts, state, by),
  };
}

/** Splits `client.patch` into its two words. The id is in the member named by the kind. */
function partsOf({ kind: words, ...facts }: Change) {
  const [kind, action] = words.split('.') as [EntryKind, EntryAction]; // these are the words of the type
  const { [entryKinds[kind].id]: id = '', members = {} }: { readonly [member: string]: unknown } = facts;
  return { kind, action, id: String(id), members: members as Entry };
}

/** Nobody is told of what changes nothing. */
function tellChange(
  parts: ControlParts,
  what: EntryKind,
  { subject, before, after }: Exclude<ChangeOutcome, { readonly faults: unknown }>,
  by: ChangedBy,
): void {
  const members = changedMembers(before, after);
  if (members.length === 0) return;
  const change = before === undefined ? 'created' : after === undefined ? 'deleted' : 'changed';
  const told = change === 'deleted' ? [] : members;
  tell(parts, { type: 'configuration.changed', what, subject, change, members: told, by });
}
