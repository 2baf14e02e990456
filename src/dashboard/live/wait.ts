import type { Request, Response } from 'express';
import type { SandboxEvent } from '../../base/events/event.ts';
import type { EventLog } from '../../base/events/event-log.ts';
import { integerOf, textOf } from '../query.ts';
import { type FeedMessage, feedMessage } from './feed.ts';

const mostSeconds = 60;

/**
 * Serves `GET …/events?wait=token&client=frontend&timeout=10`: answers with the first message of this kind and these values as
 * JSON, or with 204 after the timeout. With `after`, events after that id are searched first.
 */
export function waitForMessage(events: EventLog, req: Request, res: Response): void {
  const isWanted = matcherOf(req);
  const seconds = Math.min(integerOf(req.query.timeout) ?? 10, mostSeconds);
  const tell = (event: SandboxEvent) => {
    const message = feedMessage(event, events);
    if (message === undefined || !isWanted(message)) return false;
    res.json({ kind: message.kind, id: event.id, data: message.data });
    return true;
  };
  const after = integerOf(req.query.after);
  if (after !== undefined && events.since(after)?.some(tell)) return;
  const stop = events.subscribe(event => {
    if (tell(event)) end();
  });
  const timer = setTimeout(() => {
    end();
    if (!res.headersSent) res.status(204).end();
  }, seconds * 1000);
  const end = () => {
    stop();
    clearTimeout(timer);
  };
  res.once('close', end);
}

/** All query parameters other than `wait`, `timeout` and `after` are compared with the data of the message. */
function matcherOf({ query }: Request): (message: FeedMessage) => boolean {
  const { wait, timeout: _, after: __, ...members } = query;
  const kind = textOf(wait);
  const wanted = Object.entries(members);
  return ({ kind: told, data }) => {
    const values = data as Readonly<Record<string, unknown>>; // of any shape, only read
    return told === kind && wanted.every(([name, value]) => String(values[name] ?? '') === value);
  };
}
