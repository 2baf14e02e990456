import type { EventLog } from '../../base/events/event-log.ts';
import type { WebhookType } from './webhook-types.ts';

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
