import { hash } from 'node:crypto';
import { defined } from '../../base/defined.ts';
import type { EventOf, SandboxEvent } from '../../base/events/event.ts';
import type { EventLog } from '../../base/events/event-log.ts';
import { decodeJwt } from '../../base/text/jwt.ts';
import { limits } from './limits.ts';

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

/** The message about one event. Every endpoint gets the same one. */
export interface WebhookMessage {
  /** `webhook-id`: the same for each attempt, and on each replica. */
  readonly id: string;
  readonly type: WebhookType;
  /** The time of the event by the clock of the sandbox, ISO 8601. */
  readonly timestamp: string;
  readonly data: MessageData;
}

/** The JSON body of a message (Standard Webhooks). */
export function bodyOf({ type, timestamp, data }: WebhookMessage): string {
  return JSON.stringify({ type, timestamp, data });
}

/** The state of the issuer that a message may read. Nothing of it is a secret. */
export interface MessageSources {
  readonly issuer: string;
  readonly events: EventLog;
  /** The user as others may know them; undefined for a deleted one. */
  readonly user: (sub: string) => MessageData | undefined;
  /** Metadata of the client; undefined for a deleted one. */
  readonly client: (client_id: string) => MessageData | undefined;
  readonly problems: ProblemFinder;
}

export type MessageData = Readonly<Record<string, unknown>>;

/** A message without its id and time. */
export type Message = readonly [type: WebhookType, data: MessageData];

/** Finds the problems that requests cause. */
export interface ProblemFinder {
  /** The problem whose first occurrence is this request; undefined for a later one, and for a request without a problem. */
  foundBy(requestId: string): Promise<MessageData | undefined>;
}

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
function entryMessages(event: SandboxEvent, sources: MessageSources): readonly Message[] {
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

/** Issued and revoked tokens. A token is named by its `jti` or its hash, never by its value. */
function tokenMessages(event: SandboxEvent, events: EventLog): readonly Message[] {
  if (event.type === 'token.issued') {
    const { client_id, sub, scope, grant_type, iat, exp, authorizationId, minted } = event;
    const facts = { client_id, grant_type, authorizationId, iat, exp };
    return [['token.issued', { ...nameOf(event), ...facts, ...defined({ sub, scope, minted }) }]];
  }
  if (event.type !== 'token.revoked') return [];
  const { client_id, reason, authorizationId } = event;
  const before = events.ofAuthorization(authorizationId);
  const issued = before.filter((each): each is EventOf<'token.issued'> => each.type === 'token.issued');
  const tokens = issued.slice(-limits.tokens).map(nameOf);
  return [['token.revoked', { client_id, reason, authorizationId, tokens }]];
}

/** `hash` is the SHA-256 of the token in base64url. */
function nameOf({ tokenType, format, token, signed }: EventOf<'token.issued'>): MessageData {
  const jti = decodeJwt(signed ?? token)?.claims.jti;
  const named = typeof jti === 'string' ? { jti } : {};
  return { token_type: tokenType, format, ...named, hash: hash('sha256', token, 'base64url') };
}

/** The types of webhooks, with the words of the page and of the documentation. */
export const webhookTypes = {
  'user.created': 'a user was created',
  'user.updated': 'members of a user were changed',
  'user.deleted': 'a user was deleted',
  'client.created': 'a client was created, or registered itself',
  'client.updated': 'members of a client were changed',
  'client.deleted': 'a client was deleted',
  'session.started': 'a user signed in',
  'session.ended': 'a session ended: by a logout, by a different user, or in the dashboard',
  'token.issued': 'an access token, refresh token or ID token was issued',
  'token.revoked': 'all tokens of one authorization were revoked',
  'problem.found': 'a request was refused for a cause that this client did not have before',
} as const;

/** A type of webhooks: `user.created`. */
export type WebhookType = keyof typeof webhookTypes;

/** True for a type, `*`, or a group such as `user.*`. */
export function isWebhookPattern(text: string): boolean {
  return text === '*' || Object.keys(webhookTypes).some(type => type === text || text === groupOf(type));
}

/** Whether an endpoint with these patterns wants a type. */
export function wantsType(patterns: readonly string[], type: WebhookType): boolean {
  return patterns.some(pattern => pattern === '*' || pattern === type || pattern === groupOf(type));
}

function groupOf(type: string): string {
  return `${type.split('.', 1)[0]}.*`;
}
