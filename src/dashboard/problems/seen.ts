import type { Request, Response } from 'express';
import { cookieSuffix, readCookie } from '../../server/http/cookies.ts';
import type { PageContext } from '../page.ts';

interface Seen {
  readonly upTo: number;
  readonly also: readonly number[];
}

const nothing: Seen = { upTo: 0, also: [] };
const mostAlso = 30;
const aWeek = 604_800;

type SeenFacts = Pick<PageContext, 'issuer' | 'base' | 'startedAt' | 'problems' | 'opened'>;

/** Whether this browser has seen an occurrence, by the id of its event. */
export function seenBy(context: SeenFacts, req: Pick<Request, 'headers'>): (eventId: number) => boolean {
  if (context.opened !== undefined) return () => true; // nothing is new in a record
  const { upTo, also } = read(context, req);
  return eventId => eventId <= upTo || also.includes(eventId);
}

/** The number of problems that this browser has not seen. Those that this response marks count as seen. */
export function unseenCount(context: SeenFacts, res: Response): number {
  if (context.opened !== undefined) return 0;
  const { upTo, also } = marked.get(res) ?? read(context, res.req);
  return context.problems.newestEventIds().filter(id => id > upTo && !also.includes(id)).length;
}

/** Marks all problems as seen, after a view of the list. */
export function markAllSeen(context: SeenFacts, res: Response): void {
  const upTo = Math.max(0, ...context.problems.newestEventIds());
  write(context, res, { upTo, also: [] });
}

/** Marks one problem as seen. */
export function markSeen(context: SeenFacts, res: Response, eventId: number): void {
  const { upTo, also } = read(context, res.req);
  if (eventId <= upTo || also.includes(eventId)) return;
  write(context, res, { upTo, also: [...also, eventId].slice(-mostAlso) });
}

const marked = new WeakMap<Response, Seen>();

function nameOf({ issuer }: SeenFacts): string {
  return `grantbox_seen${cookieSuffix(issuer)}`;
}

/** `<start of the sandbox>.<up to>.<also>.<also>`, because ids of events restart at 1 with each start. */
function read(context: SeenFacts, req: Pick<Request, 'headers'>): Seen {
  const [start, upTo = Number.NaN, ...also] = (readCookie(req, nameOf(context)) ?? '').split('.').map(Number);
  if (start !== context.startedAt || ![upTo, ...also].every(Number.isSafeInteger)) return nothing;
  return { upTo, also };
}

function write(context: SeenFacts, res: Response, seen: Seen): void {
  if (context.opened !== undefined) return;
  marked.set(res, seen);
  const value = [context.startedAt, seen.upTo, ...seen.also].join('.');
  const secure = context.issuer.startsWith('https:') ? '; Secure' : '';
  const flags = `Path=${context.base}/dashboard; Max-Age=${aWeek}; HttpOnly; SameSite=Lax${secure}`;
  res.append('Set-Cookie', `${nameOf(context)}=${value}; ${flags}`);
}
