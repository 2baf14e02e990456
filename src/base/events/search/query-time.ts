import { secondsIn } from '../../clock/duration.ts';

/** The operators that compare the time of an item; every list has them. */
export const timeOperators = ['before', 'after', 'age'] as const;

/** A condition for the time of an item. */
export interface TimeTest {
  readonly must: 'be before' | 'not be before';
  /** Seconds before now, or Unix seconds, or seconds of today in UTC. */
  readonly point: { readonly ago: number } | { readonly unix: number } | { readonly today: number };
}

const hint = 'such as 5m, 2h, 09:30 or 2026-03-01T09:30 (UTC)';

/** Reads the value of a time operator, in lower case; gives a sentence where the value is not a time. */
export function parseTime(operator: (typeof timeOperators)[number], value: string): TimeTest | string {
  if (operator === 'age') return parseAge(value);
  const point = parsePoint(value);
  if (point === undefined) return `\`${operator}:${value}\` needs a time, ${hint}.`;
  return { must: operator === 'before' ? 'be before' : 'not be before', point };
}

/** `age:<5m` is younger than five minutes, and so is `age:5m`; `age:>5m` is older. */
function parseAge(value: string): TimeTest | string {
  const sign = /^[<>]/.exec(value)?.[0] ?? '';
  const ago = secondsOf(value.slice(sign.length));
  if (ago === undefined) return `\`age:${value}\` needs a duration, such as <5m or >2h.`;
  return { must: sign === '>' ? 'be before' : 'not be before', point: { ago } };
}

function parsePoint(value: string): TimeTest['point'] | undefined {
  const ago = secondsOf(value);
  if (ago !== undefined) return { ago };
  const clock = /^(\d{1,2}):(\d{2})(?::(\d{2}))?$/.exec(value);
  if (clock !== null) return { today: Number(clock[1]) * 3600 + Number(clock[2]) * 60 + Number(clock[3] ?? 0) };
  const date = /^(\d{4}-\d{2}-\d{2})(?:t(\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)(z|[+-]\d{2}:\d{2})?)?$/.exec(value);
  if (date === null) return undefined;
  const [, day, time = '00:00', zone = 'z'] = date;
  const unix = Date.parse(`${day}T${time}${zone.toUpperCase()}`) / 1000;
  return Number.isNaN(unix) ? undefined : { unix };
}

/** Reads `5m`, `1h30m` or `90s`; a number without a unit is not a duration here, and a sign is not allowed. */
function secondsOf(duration: string): number | undefined {
  return /^\d.*[a-z]$/.test(duration) ? secondsIn(duration) : undefined;
}

/** Tells whether a time meets the condition; both times in Unix seconds. */
export function holdsFor({ must, point }: TimeTest, at: number, now: number): boolean {
  return at < pointOf(point, now) === (must === 'be before');
}

function pointOf(point: TimeTest['point'], now: number): number {
  if ('ago' in point) return now - point.ago;
  if ('unix' in point) return point.unix;
  return Math.floor(now / 86_400) * 86_400 + point.today;
}
