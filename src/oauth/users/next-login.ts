import type { AuthorizationServer } from '../authorization-server.ts';
import type { ChosenAnswer } from '../chosen-answer.ts';
import type { ParsedObject } from '../json-parameter.ts';

/**
 * The next login: the user who signs in without a click, or the error sent to the client instead. Plain data, so it can
 * be stored.
 */
export interface NextLogin {
  /** The `client_id` it is for; absent: any client. */
  readonly client?: string;
  /** Absent only if nobody signs in. */
  readonly sub?: string;
  /** Claims for this login, which override those of the user. */
  readonly claims?: ParsedObject;
  /** `approve` also allows everything on the consent screen; absent: only the login. */
  readonly action?: 'approve' | 'deny' | ChosenAnswer;
}

/** Seconds that an entry waits for its login. */
export const nextLoginLifetime = 600;
/** Most entries that may wait for one client. */
export const mostNextLogins = 100;

/** Adds an entry after those that already wait. Returns false if too many wait. */
export async function putNextLogin(server: AuthorizationServer, login: NextLogin): Promise<boolean> {
  const queue = login.client ?? '';
  const [head, tail] = await ends(server, queue);
  if (tail - head >= mostNextLogins) return false;
  let place = tail;
  while (!(await server.store.add(placeOf(queue, place), login, nextLoginLifetime))) place++;
  const [, current] = await ends(server, queue);
  await server.store.put(['next_login_tail', queue], Math.max(current, place + 1), countedFor);
  return true;
}

/** Takes the next entry for a login of this client: first one for the client, then one for any client. */
export async function takeNextLogin(server: AuthorizationServer, client_id: string): Promise<NextLogin | undefined> {
  return (await takeFirst(server, client_id)) ?? takeFirst(server, '');
}

/** Takes the first entry. Two concurrent requests get different entries. */
async function takeFirst(server: AuthorizationServer, queue: string): Promise<NextLogin | undefined> {
  const [head, tail] = await ends(server, queue);
  for (let place = head; place < tail; place++) {
    const login = await server.store.take<NextLogin>(placeOf(queue, place));
    if (login !== undefined) return login;
  }
  return undefined;
}

/** Seconds to keep the counters; longer than any entry waits. */
const countedFor = 24 * 3600;

/** The range of waiting entries: from the first that still waits to the first free place. */
async function ends({ store }: AuthorizationServer, queue: string): Promise<[head: number, tail: number]> {
  const tail = (await store.get<number>(['next_login_tail', queue])) ?? 0;
  const before = (await store.get<number>(['next_login_head', queue])) ?? 0;
  let head = Math.min(before, tail);
  while (head < tail && (await store.get(placeOf(queue, head))) === undefined) head++;
  if (head > before) await store.put(['next_login_head', queue], head, countedFor);
  return [head, tail];
}

function placeOf(queue: string, place: number): readonly ['next_login', string] {
  return ['next_login', `${place} ${queue}`];
}
