import { hash } from 'node:crypto';
import { defined } from '../../base/defined.ts';
import type { SandboxEvent } from '../../base/events/event.ts';
import { entryMessages } from './entry-messages.ts';
import type { Message, MessageSources, WebhookMessage } from './message.ts';
import { tokenMessages } from './token-messages.ts';

/** The messages of an event, made from the issuer as it is right now: none for most events, several for a reload of the configuration. */
export function toldBy(event: SandboxEvent, sources: MessageSources): readonly Message[] {
  return [...entryMessages(event, sources), ...sessionMessages(event), ...tokenMessages(event, sources.events)];
}

/** The messages of an event. */
export async function messagesOf(
  event: SandboxEvent,
  told: readonly Message[],
  sources: MessageSources,
): Promise<readonly WebhookMessage[]> {
  const all = [...told, ...(await problemMessages(event, sources))];
  const timestamp = new Date(event.at * 1000).toISOString();
  return all.map(([type, data], index) => ({
    id: messageId(sources.events.start, event.id, index),
    type,
    timestamp,
    data: { issuer: sources.issuer, ...data },
  }));
}

/** The same on each replica that reads the event. */
function messageId(start: string, eventId: number, index: number): string {
  return `msg_${hash('sha256', `${start} ${eventId} ${index}`, 'base64url').slice(0, 22)}`;
}

function sessionMessages(event: SandboxEvent): readonly Message[] {
  if (event.type === 'login.succeeded') {
    const { sid, sub, client_id, amr, by } = event;
    return [['session.started', { sid, sub, amr, ...defined({ client_id, by }) }]];
  }
  if (event.type !== 'session.ended') return [];
  const { sid, sub, client_id, replacedBy, endedBy } = event;
  const reason = replacedBy === undefined ? (endedBy ?? 'logout') : 'replaced';
  return [['session.ended', { sid, sub, reason, ...defined({ client_id }) }]];
}

/** The exchange that an explanation reads is in the log with the end of the request. */
async function problemMessages(event: SandboxEvent, { problems }: MessageSources): Promise<readonly Message[]> {
  if (event.type !== 'request.completed') return [];
  const found = await problems.foundBy(event.requestId);
  return found === undefined ? [] : [['problem.found', found]];
}
