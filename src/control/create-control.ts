import { isSameJson } from '../oauth/json-parameter.ts';
import type { Change, Changed, ChangedBy } from './change.ts';
import { changeClient } from './client-changes.ts';
import type { Control } from './control.ts';
import { type ControlParts, tell } from './control-parts.ts';
import { clientEntryOf, type Entry, userEntryOf } from './entry.ts';
import { entryText } from './entry-text.ts';
import { keyControl } from './key-control.ts';
import { changedMembers, linesFor, type Outcome } from './outcome.ts';
import { previewTokens } from './preview.ts';
import { endSession, liveSessions } from './sessions.ts';
import { expireToken, resumeToken, revokeToken } from './token-changes.ts';
import { changeUser, type UserChange } from './user-changes.ts';

export type { ControlParts } from './control-parts.ts';

/** What can be changed of one running issuer. */
export function createControl(parts: ControlParts): Control {
  const { server, config } = parts;
  const clientEntry = (client_id: string) => {
    const client = server.clients.get(client_id);
    return client && clientEntryOf(client, config.clientDefaults);
  };
  const userEntry = (sub: string) => {
    const user = server.users.get(sub);
    return user && userEntryOf(user);
  };
  const configured = { client: configuredClients(parts), user: configuredUsers(parts) };
  const entry = { client: clientEntry, user: userEntry };
  return {
    apply: (change, by) => apply(parts, change, by),
    clientEntry,
    userEntry,
    configurationLines(kind, id, form = 'typescript') {
      const found = entry[kind](id);
      if (found === undefined) return '';
      return form === 'json' ? JSON.stringify(found, null, 2) : entryText(found);
    },
    isChanged: (kind, id) => !isSameJson(entry[kind](id), configured[kind](id)),
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
  const isUsers = isUserChange(change);
  const outcome = isUsers ? await changeUser(parts, change) : await changeClient(parts, change);
  if ('faults' in outcome) return { ok: false, faults: outcome.faults };
  const { subject, after, notes = [] } = outcome;
  tellChange(parts, isUsers ? 'user' : 'client', outcome, by);
  return { ok: true, lines: linesFor(isUsers ? 'users' : 'clients', subject, after), notes };
}

function isUserChange(change: Change): change is UserChange {
  return change.kind.startsWith('user.');
}

/** Nobody is told of what changes nothing. */
function tellChange(
  parts: ControlParts,
  what: 'client' | 'user',
  { subject, before, after }: Exclude<Outcome, { readonly faults: unknown }>,
  by: ChangedBy,
): void {
  const members = changedMembers(before, after);
  if (members.length === 0) return;
  const change = before === undefined ? 'created' : after === undefined ? 'deleted' : 'changed';
  const told = change === 'deleted' ? [] : members;
  tell(parts, { type: 'configuration.changed', what, subject, change, members: told, by });
}

type FindEntry = (id: string) => Entry | undefined;

function configuredClients({ config }: ControlParts): FindEntry {
  const entries = new Map(
    config.clients.map(client => [client.client_id, clientEntryOf(client, config.clientDefaults)]),
  );
  return id => entries.get(id);
}

function configuredUsers({ config }: ControlParts): FindEntry {
  const entries = new Map(config.users.map(user => [user.sub, userEntryOf(user)]));
  return sub => entries.get(sub);
}
