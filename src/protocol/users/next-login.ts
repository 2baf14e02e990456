import { updateEntry } from '../../base/store.ts';
import type { AuthorizationServer } from '../authorization-server.ts';
import type { ParsedObject } from '../json-parameter.ts';

/** The user who signs in next without a click, or the error sent to the client instead. Plain data, so it can be stored. */
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

/** An entry, and when it stops waiting, in Unix seconds. */
interface WaitingLogin {
  readonly login: NextLogin;
  readonly exp: number;
}

/** Adds an entry after those that already wait. Returns false if too many wait. */
export async function putNextLogin(server: AuthorizationServer, login: NextLogin): Promise<boolean> {
  const exp = server.clock() + nextLoginLifetime;
  const before = await changeQueue(server, login.client ?? '', waiting =>
    waiting.length < mostNextLogins ? [...waiting, { login, exp }] : waiting,
  );
  return before.length < mostNextLogins;
}

/** Takes the next entry for a login of this client: first one for the client, then one for any client. */
export async function takeNextLogin(server: AuthorizationServer, client_id: string): Promise<NextLogin | undefined> {
  return (await takeFirst(server, client_id)) ?? takeFirst(server, '');
}

/** Takes the first entry. Two concurrent requests get different entries. */
async function takeFirst(server: AuthorizationServer, queue: string): Promise<NextLogin | undefined> {
  const [first] = await changeQueue(server, queue, waiting => waiting.slice(1));
  return first?.login;
}

/** `change` gets the entries that still wait, the first to be taken first. Returns those that waited before. */
async function changeQueue(
  { store, clock }: AuthorizationServer,
  queue: string,
  change: (waiting: readonly WaitingLogin[]) => readonly WaitingLogin[],
): Promise<readonly WaitingLogin[]> {
  const now = clock();
  const waitingIn = (kept: readonly WaitingLogin[] = []) => kept.filter(({ exp }) => exp > now);
  const before = await updateEntry<readonly WaitingLogin[]>(store, ['next_logins', queue], nextLoginLifetime, kept => {
    const after = change(waitingIn(kept));
    return after.length === 0 ? undefined : after;
  });
  return waitingIn(before);
}

/** Errors that a user can choose to send in place of an answer (RFC 6749 §4.1.2.1, OIDC Core §3.1.2.6). */
export const chosenErrors = [
  'access_denied',
  'login_required',
  'consent_required',
  'interaction_required',
  'account_selection_required',
  'temporarily_unavailable',
  'server_error',
] as const;

/** The chosen errors, and two answers without an error code: one with a wrong `state`, and none at all. */
export const chosenAnswers = [...chosenErrors, 'wrong_state', 'no_answer'] as const;
export type ChosenAnswer = (typeof chosenAnswers)[number];

export function isChosenAnswer(text: string): text is ChosenAnswer {
  return chosenAnswers.some(known => known === text);
}
