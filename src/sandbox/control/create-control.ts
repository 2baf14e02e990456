import type { Change, Changed, ChangedBy, ChangeProblem } from '../../base/events/change.ts';
import { type EntriesOfKind, type EntryAction, entriesOf } from './change-entry.ts';
import { clientRules } from './client-changes.ts';
import { type ControlParts, tell } from './control-parts.ts';
import { type Entry, type EntryKind, entryKinds } from './entry.ts';
import { keyControl } from './key-control.ts';
import { collectionRules, scopeRules } from './named-changes.ts';
import { type ChangeOutcome, changedMembers, configurationJson, configurationLine, linesFor } from './outcome.ts';
import { previewTokens } from './preview.ts';
import { endSession, liveSessions } from './sessions.ts';
import { expireToken, resumeToken, revokeToken } from './token-changes.ts';
import { replaceRules } from './token-claims.ts';
import { userRules } from './user-changes.ts';

export type { ControlParts } from './control-parts.ts';

/** Changes to the running sandbox: one implementation for dashboard, API and library. */
export type Control = ReturnType<typeof createControl>;

/** Changes to one running issuer. */
export function createControl(parts: ControlParts) {
  const { server } = parts;
  const all: Readonly<Record<EntryKind, EntriesOfKind>> = {
    client: entriesOf(clientRules(parts)),
    user: entriesOf(userRules(parts)),
    scope: entriesOf(scopeRules(parts)),
    collection: entriesOf(collectionRules(parts)),
  };
  return {
    /** Checks by the rules of `clients.config.ts`, applies in memory, and tells the log. */
    async apply(change: Change, by: ChangedBy): Promise<Changed> {
      const { kind, action, id, members } = partsOf(change);
      const outcome = await all[kind].change(action, id, members);
      if ('problems' in outcome) return { ok: false, ...outcome };
      const { subject, after, notes = [] } = outcome;
      tellChange(parts, kind, outcome, by);
      return { ok: true, lines: linesFor(kind, subject, after), notes };
    },
    /** What would refuse a change that creates or patches an entry; empty where it would be applied. Changes nothing. */
    problemsOf(change: Change): readonly ChangeProblem[] {
      const { kind, action, id, members } = partsOf(change);
      return action === 'create' || action === 'patch' ? all[kind].problemsOf(action, id, members) : [];
    },
    /** An entry as one would write it into `clients.config.ts`, without defaults; undefined for an unknown one. */
    clientEntry: all.client.entry,
    userEntry: all.user.entry,
    entry: (kind: EntryKind, id: string) => all[kind].entry(id),
    /** In their stored order. */
    ids: (kind: EntryKind) => all[kind].ids(),
    /** The entry as text: a part of `clients.config.ts`, or JSON; empty for an unknown one. */
    configurationLines(kind: EntryKind, id: string, form: 'typescript' | 'json' = 'typescript'): string {
      const found = all[kind].entry(id);
      const write = form === 'json' ? configurationJson : configurationLine;
      return found === undefined ? '' : write(kind, found);
    },
    /** True if it differs from the configuration of the start. */
    isChanged: (kind: EntryKind, id: string) => all[kind].isChanged(id),
    /** The rules for claims in effect; undefined for none. */
    tokenRules: () => server.tokenRules,
    replaceTokenRules: async (rules: unknown, by: ChangedBy) => void replaceRules(parts, rules, by),
    /** Claims of the tokens for a user, a client and scopes; with `rules` in place of those in effect. */
    preview: previewTokens.bind(undefined, server),
    expireToken: (tokenId: string) => expireToken(parts, tokenId),
    resumeToken: (tokenId: string) => resumeToken(parts, tokenId),
    revokeToken: (tokenId: string) => revokeToken(parts, tokenId),
    sessions: (sub?: string) => liveSessions(parts, sub),
    endSession: (sid: string) => endSession(parts, sid),
    ...keyControl(parts),
    /** Forgets what happened, and every change; or one part of it. */
    reset: parts.reset,
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
  { subject, before, after }: Exclude<ChangeOutcome, { readonly problems: unknown }>,
  by: ChangedBy,
): void {
  const members = changedMembers(before, after);
  if (members.length === 0) return;
  const change = before === undefined ? 'created' : after === undefined ? 'deleted' : 'changed';
  const told = change === 'deleted' ? [] : members;
  tell(parts, { type: 'configuration.changed', what, subject, change, members: told, by });
}
