import type { SandboxEvent } from '../../base/events/event.ts';
import type { Message, MessageData, MessageSources } from './message.ts';

type Kind = 'user' | 'client';
type Change = 'created' | 'updated' | 'deleted';

const changes = {
  created: 'created',
  added: 'created',
  changed: 'updated',
  deleted: 'deleted',
  removed: 'deleted',
} as const;

/** Users and clients that were created, changed or deleted: by a call or a page, by themselves, or in the file. */
export function entryMessages(event: SandboxEvent, sources: MessageSources): readonly Message[] {
  switch (event.type) {
    case 'configuration.changed': {
      const { what, subject, change, members, by } = event;
      if (what !== 'user' && what !== 'client') return [];
      return [told(sources, what, changes[change], subject, { changed: members, by })];
    }
    case 'client.registered':
      return [told(sources, 'client', 'created', event.client_id, { by: 'registration' })];
    case 'client.updated':
      return [told(sources, 'client', 'updated', event.client_id, { by: 'registration' })];
    case 'client.deleted':
      return [told(sources, 'client', 'deleted', event.client_id, { by: 'registration' })];
    case 'configuration.reloaded':
      return event.entries.flatMap(({ kind, name, change, members }) => {
        if (kind !== 'user' && kind !== 'client') return [];
        const changed = members.map(({ member }) => member);
        return [told(sources, kind, changes[change], name, { changed, by: 'configuration' })];
      });
    default:
      return [];
  }
}

function told(sources: MessageSources, kind: Kind, change: Change, id: string, facts: MessageData): Message {
  const entry = change === 'deleted' ? undefined : sources[kind](id);
  const named = kind === 'user' ? { sub: id } : { client_id: id };
  return [`${kind}.${change}`, { ...named, ...entry, ...facts }];
}
