import type { ChangeProblem } from '../../base/events/change.ts';
import { nearestName } from '../../base/text/nearest.ts';
import type { AuthorizationServer } from '../../protocol/authorization-server.ts';
import { invalidRequest, OAuthError } from '../../protocol/errors.ts';
import { shorten } from '../../protocol/parameters.ts';
import { mostProblems } from '../config/many-problems.ts';

/**
 * Error of an operation for bad input: status 400, with all problems up to the first fifty. `problems` must be safe to show
 * and not empty.
 */
export function refusedInput(problems: readonly ChangeProblem[]): OAuthError {
  const [first] = problems;
  const place = first === undefined || first.member === '' ? 'the body' : first.member;
  const others = problems.length > 1 ? `, and ${problems.length - 1} more` : '';
  const told = problems.slice(0, mostProblems);
  const untold = problems.length - told.length;
  return invalidRequest(
    'control_input_invalid',
    `${shorten(place, 100)} is not as expected${others}${untold === 0 ? '' : `; the first ${told.length} are listed`}`,
    {
      sent: shorten(first?.sent ?? 'nothing', 200),
      expected: first === undefined ? 'a different value' : expectedOf(first),
      problems: told,
    },
  );
}

/** 413, for a body that is short enough and has too much in it (RFC 9110 §15.5.14). */
export function tooManyValues(most: number): OAuthError {
  return invalidRequest('body_too_large', `the body has more than ${most} values`, {
    status: 413,
    sent: `more than ${most} values`,
    expected: `at most ${most}, counting lists, objects and the values inside: send the rest in further calls, or use the configuration file`,
  });
}

/** 409: nothing is wrong with what was sent, but another has what must be its own (RFC 9110 §15.5.10). There is at least one problem. */
export function takenEntry(problems: readonly ChangeProblem[]): OAuthError {
  const [first] = problems;
  return invalidRequest('control_entry_taken', `${shorten(first?.member ?? 'it', 100)} is taken`, {
    status: 409,
    sent: shorten(first?.sent ?? 'nothing', 200),
    expected: first === undefined ? 'another' : expectedOf(first),
    problems,
  });
}

/** 404, with the name that comes closest. `what` is a word: `client`. */
export function unknownEntry(what: string, sent: string, known: Iterable<string> = []): OAuthError {
  const expected = nearestName(sent, known) ?? `a ${what} that exists`;
  return invalidRequest('control_entry_unknown', `this ${what} does not exist`, {
    status: 404,
    sent: shorten(sent, 200),
    expected: shorten(expected, 200),
  });
}

/** 404, with the address at the first issuer. `what` is a sentence, and `path` begins below `/_sandbox`. */
export function onlyAtTheFirst(
  { issuer }: Pick<AuthorizationServer, 'issuer'>,
  path: string,
  what: string,
): OAuthError {
  const { origin, pathname } = new URL(issuer);
  return invalidRequest('control_entry_unknown', what, {
    status: 404,
    sent: `${pathname}/_sandbox/${path}`,
    expected: `${origin}/_sandbox/${path}`,
  });
}

/** 503, for what waits or streams. */
export function tooManyWaiting(most: number): OAuthError {
  return new OAuthError('temporarily_unavailable', 'control_busy', 'too many callers are waiting for events', {
    sent: `one more than ${most}`,
    expected: `at most ${most} at a time`,
    headers: { 'Retry-After': '5' },
  });
}

/** 503, for an issuer that is one too many. */
export function tooManyIssuers(most: number): OAuthError {
  return new OAuthError('temporarily_unavailable', 'control_busy', 'too many issuers exist', {
    sent: `one more than ${most}`,
    expected: `at most ${most} at a time: end some with DELETE /_sandbox/issuers/{id}, or give them a shorter lifetime`,
  });
}

function expectedOf({ expected, nearest }: ChangeProblem): string {
  return shorten(nearest === undefined ? expected : `${expected}; did you mean ${nearest}?`, 300);
}
