import type { Request, Response } from 'express';
import { cookieSuffix, readCookie } from '../../server/http/cookies.ts';
import type { Desk } from '../desk.ts';

interface Seen {
  readonly upTo: number;
  readonly also: readonly number[];
}

const nothing: Seen = { upTo: 0, also: [] };
const mostAlso = 30;
const aWeek = 604_800;

type Place = Pick<Desk, 'issuer' | 'base' | 'startedAt' | 'problems' | 'opened'>;

/** Whether this browser has seen an occurrence, by the id of its event. */
export function seenBy(desk: Place, req: Pick<Request, 'headers'>): (eventId: number) => boolean {
  if (desk.opened !== undefined) return () => true; // nothing is new in a record
  const { upTo, also } = read(desk, req);
  return eventId => eventId <= upTo || also.includes(eventId);
}

/** The number of problems that this browser has not seen. Those that this response marks count as seen. */
export function unseenCount(desk: Place, res: Response): number {
  if (desk.opened !== undefined) return 0;
  const { upTo, also } = marked.get(res) ?? read(desk, res.req);
  return desk.problems.newestEventIds().filter(id => id > upTo && !also.includes(id)).length;
}

/** Marks all problems as seen, after a view of the list. */
export function markAllSeen(desk: Place, res: Response): void {
  const upTo = Math.max(0, ...desk.problems.newestEventIds());
  write(desk, res, { upTo, also: [] });
}

/** Marks one problem as seen. */
export function markSeen(desk: Place, res: Response, eventId: number): void {
  const { upTo, also } = read(desk, res.req);
  if (eventId <= upTo || also.includes(eventId)) return;
  write(desk, res, { upTo, also: [...also, eventId].slice(-mostAlso) });
}

const marked = new WeakMap<Response, Seen>();

function nameOf({ issuer }: Place): string {
  return `grantbox_seen${cookieSuffix(issuer)}`;
}

/** `<start of the sandbox>.<up to>.<also>.<also>`, because ids of events restart at 1 with each start. */
function read(desk: Place, req: Pick<Request, 'headers'>): Seen {
  const [start, upTo = Number.NaN, ...also] = (readCookie(req, nameOf(desk)) ?? '').split('.').map(Number);
  if (start !== desk.startedAt || ![upTo, ...also].every(Number.isSafeInteger)) return nothing;
  return { upTo, also };
}

function write(desk: Place, res: Response, seen: Seen): void {
  if (desk.opened !== undefined) return;
  marked.set(res, seen);
  const value = [desk.startedAt, seen.upTo, ...seen.also].join('.');
  const secure = desk.issuer.startsWith('https:') ? '; Secure' : '';
  const flags = `Path=${desk.base}/dashboard; Max-Age=${aWeek}; HttpOnly; SameSite=Lax${secure}`;
  res.append('Set-Cookie', `${nameOf(desk)}=${value}; ${flags}`);
}
