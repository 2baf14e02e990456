import { defined } from '../../base/defined.ts';
import { expectedName } from '../../base/text/nearest.ts';
import { isRecord } from '../../base/text/record.ts';
import type { AuthorizationServer } from '../../protocol/authorization-server.ts';
import { invalidRequest, OAuthError } from '../../protocol/errors.ts';
import type { ParsedObject } from '../../protocol/json-parameter.ts';
import { describeValue, shorten } from '../../protocol/parameters.ts';
import { claimsObjectProblem } from '../../protocol/users/login-claims.ts';
import { findUser } from '../../protocol/users/login-need.ts';
import { chosenAnswers, mostNextLogins, type NextLogin, putNextLogin } from '../../protocol/users/next-login.ts';

const members = ['client', 'sub', 'claims', 'action'] as const;
export const nextLoginActions = ['approve', 'deny', ...chosenAnswers] as const;

/**
 * Chooses who signs in next without a click, once. It is checked now, so that a typo does not fail a sign-in later.
 * @throws invalid_request that names the member, what was sent and what was expected
 */
export async function addNextLogin(server: AuthorizationServer, said: unknown): Promise<NextLogin> {
  const login = readNextLogin(server, said);
  if (await putNextLogin(server, login)) return login;
  const expected = `at most ${mostNextLogins}: each waits ten minutes for a sign-in`;
  throw refused('too many choices wait for a sign-in', String(mostNextLogins), expected);
}

/** The same for a caller in this process, with an error of one sentence. */
export async function expectNextLogin(server: AuthorizationServer, login: NextLogin): Promise<void> {
  try {
    await addNextLogin(server, login);
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error;
    const { sent, expected } = error.details;
    throw new TypeError(`nextLogin: ${error.description}: found ${sent}, expected ${expected}`);
  }
}

function readNextLogin(server: AuthorizationServer, said: unknown): NextLogin {
  if (!isRecord(said)) throw refused('the body is not a JSON object', describeValue(said), '{"sub": "…"}');
  const unknown = Object.keys(said).find(name => !members.some(known => known === name));
  if (unknown !== undefined)
    throw refused(`${shorten(unknown, 60)} is not a member`, unknown, expectedName(unknown, members));
  const action = actionIn(said.action);
  const client = clientIn(server, said.client);
  const claims = claimsIn(said.claims);
  const signsIn = action === undefined || action === 'approve';
  const sub = said.sub === undefined && !signsIn ? undefined : subIn(server, said.sub);
  return defined({ client, sub, claims, action });
}

function actionIn(said: unknown): NextLogin['action'] {
  if (said === undefined) return undefined;
  const action = nextLoginActions.find(known => known === said);
  if (action !== undefined) return action;
  throw refused('action is not known', describeValue(said), expectedName(String(said), nextLoginActions));
}

function clientIn({ clients }: AuthorizationServer, said: unknown): string | undefined {
  if (said === undefined) return undefined;
  // one that describes itself at its own address is known when it comes
  if (typeof said === 'string' && (clients.has(said) || /^https?:\/\//.test(said))) return said;
  throw refused(
    'client names no client of this sandbox',
    describeValue(said),
    expectedName(String(said), [...clients.keys()]),
  );
}

function subIn(server: AuthorizationServer, said: unknown): string {
  const user = typeof said === 'string' ? findUser(server, said) : undefined;
  if (user !== undefined) return user.sub;
  const sent = said === undefined ? 'nothing' : describeValue(said);
  throw refused('sub names no user of this sandbox', sent, expectedName(String(said), [...server.users.keys()]));
}

function claimsIn(said: unknown): ParsedObject | undefined {
  if (said === undefined) return undefined;
  if (!isRecord(said)) throw refused('claims is not a JSON object', describeValue(said), '{"roles": ["admin"]}');
  const problem = claimsObjectProblem(said);
  if (problem === undefined) return said;
  throw refused(
    `claims: ${problem.reason}`,
    problem.name === '' ? 'claims' : problem.name,
    'claims that a sign-in can set',
  );
}

function refused(description: string, sent: string, expected: string): OAuthError {
  return invalidRequest('next_login_invalid', description, { sent: shorten(sent), expected: shorten(expected) });
}
