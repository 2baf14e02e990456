import type { Request, Response } from 'express';
import type { SandboxEvent } from '../../events/event.ts';
import type { EventLog } from '../../events/event-log.ts';
import { integerOf, textOf } from '../query.ts';
import { type FeedMessage, feedMessage } from './feed.ts';

const mostSeconds = 60;

/**
 * `GET …/events?wait=token&client=frontend&timeout=10`: the first message of this kind whose data has these values, as JSON,
 * once it comes; 204 when it does not. With `after`, what happened after that event counts, too.
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

/** Every parameter that does not control the wait is a member of the data. */
function matcherOf({ query }: Request): (message: FeedMessage) => boolean {
  const { wait, timeout: _, after: __, ...members } = query;
  const kind = textOf(wait);
  const wanted = Object.entries(members);
  return ({ kind: told, data }) => {
    const values = data as Readonly<Record<string, unknown>>; // of any shape, read only
    return told === kind && wanted.every(([name, value]) => String(values[name] ?? '') === value);
  };
}
