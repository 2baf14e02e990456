// Judges the claims of a token as a careful receiver does: for every page and answer that says whether a token is right.
import { duration } from '../text/duration.ts';

/** What a receiver finds about one claim. */
export interface Judgement {
  readonly level: 'pass' | 'note' | 'fail';
  /** A clause without a period. */
  readonly text: string;
  /** `RFC 7519 §4.1.4` */
  readonly reference: string;
}

interface Times {
  readonly exp?: unknown;
  readonly nbf?: unknown;
}

/** Compares `iss` with the issuer, character by character. */
export function judgeIssuer(iss: unknown, expected: string): Judgement {
  const reference = 'RFC 7519 §4.1.1';
  if (iss === expected) return { level: 'pass', text: 'iss is this sandbox', reference };
  if (iss === undefined) return { level: 'note', text: 'no iss: the token does not name its issuer', reference };
  return { level: 'fail', text: `iss is ${shown(iss)}; this sandbox is ${expected}`, reference };
}

/** Compares `nbf`, if there is one, and `exp` with the time, in Unix seconds. */
export function judgeTimes({ exp, nbf }: Times, now: number): readonly Judgement[] {
  return [...judgeStart(nbf, now), judgeEnd(exp, now)];
}

function judgeStart(nbf: unknown, now: number): readonly Judgement[] {
  const reference = 'RFC 7519 §4.1.5';
  if (nbf === undefined) return [];
  if (!isTime(nbf)) return [{ level: 'fail', text: `nbf is ${shown(nbf)}, but must be a number`, reference }];
  if (nbf <= now) return [];
  return [{ level: 'fail', text: `not valid yet, valid in ${duration(nbf - now)}`, reference }];
}

/** A number this large is a time in milliseconds. */
const milliseconds = 1e11;

function judgeEnd(exp: unknown, now: number): Judgement {
  const reference = 'RFC 7519 §4.1.4';
  if (exp === undefined) return { level: 'note', text: 'no exp: the token never expires', reference };
  if (!isTime(exp)) return { level: 'fail', text: `exp is ${shown(exp)}, but must be a number`, reference };
  if (exp > milliseconds)
    return { level: 'fail', text: `exp is ${exp}: this looks like milliseconds, but exp is in seconds`, reference };
  return exp > now
    ? { level: 'pass', text: `not expired, ${duration(exp - now)} left`, reference }
    : { level: 'fail', text: `expired ${duration(now - exp)} ago`, reference };
}

/** RFC 9068 §4: `at+jwt`, with or without `application/`, in any case. */
export function isAccessTokenType(typ: unknown): boolean {
  return typeof typ === 'string' && /^(?:application\/)?at\+jwt$/i.test(typ);
}

function isTime(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

function shown(value: unknown): string {
  return (JSON.stringify(value) ?? 'absent').slice(0, 200);
}
