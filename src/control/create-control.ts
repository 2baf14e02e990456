import type { Change, Changed, ChangedBy, NamedChange } from '../events/change.ts';
import { changeClient } from './client-changes.ts';
import { namedCollections } from './collection-changes.ts';
import type { Control } from './control.ts';
import { type ControlParts, tell } from './control-parts.ts';
import { entriesByKind } from './entries-by-kind.ts';
import type { EntryKind } from './entry.ts';
import { keyControl } from './key-control.ts';
import { changeNamed } from './named-changes.ts';
import { type ChangeOutcome, changedMembers, configurationJson, configurationLine, linesFor } from './outcome.ts';
import { previewTokens } from './preview.ts';
import { namedScopes } from './scope-changes.ts';
import { endSession, liveSessions } from './sessions.ts';
import { expireToken, resumeToken, revokeToken } from './token-changes.ts';
import { changeUser } from './user-changes.ts';

export type { ControlParts } from './control-parts.ts';

/** What can be changed of one running issuer. */
export function createControl(parts: ControlParts): Control {
  const { server } = parts;
  const all = entriesByKind(parts);
  return {
    apply: (change, by) => apply(parts, change, by),
    clientEntry: all.client.entry,
    userEntry: all.user.entry,
    entry: (kind, id) => all[kind].entry(id),
    ids: kind => all[kind].ids(),
    configurationLines(kind, id, form = 'typescript') {
      const { list, entry } = all[kind];
      const found = entry(id);
      if (found === undefined) return '';
      return form === 'json' ? configurationJson(list, found) : configurationLine(list, found);
    },
    isChanged: (kind, id) => all[kind].isChanged(id),
    preview: async (client, user, scopes) => previewTokens(server, client, user, scopes),
    expireToken: tokenId => expireToken(parts, tokenId),
    resumeToken: tokenId => resumeToken(parts, tokenId),
    revokeToken: tokenId => revokeToken(parts, tokenId),
    sessions: sub => liveSessions(parts, sub),
    endSession: sid => endSession(parts, sid),
    ...keyControl(parts),
    reset: parts.reset,
  };
}

async function apply(parts: ControlParts, change: Change, by: ChangedBy): Promise<Changed> {
  const [what, outcome] = await doChange(parts, change);
  if ('faults' in outcome) return { ok: false, ...outcome };
  const { subject, after, notes = [] } = outcome;
  tellChange(parts, what, outcome, by);
  return { ok: true, lines: linesFor(lists[what], subject, after), notes };
}

const lists = { client: 'clients', user: 'users', scope: 'scopes', collection: 'collections' } as const;

async function doChange(parts: ControlParts, change: Change): Promise<readonly [EntryKind, ChangeOutcome]> {
  if (isOf('client', change)) return ['client', await changeClient(parts, change)];
  if (isOf('user', change)) return ['user', await changeUser(parts, change)];
  if (isOf('scope', change)) return ['scope', changeNamed(namedScopes(parts), change)];
  return ['collection', changeNamed(namedCollections(parts), change as NamedChange<'collection'>)]; // the only ones left
}

function isOf<Kind extends EntryKind>(
  kind: Kind,
  change: Change,
): change is Extract<Change, { readonly kind: `${Kind}.${string}` }> {
  return change.kind.startsWith(`${kind}.`);
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
