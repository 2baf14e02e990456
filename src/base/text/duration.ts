const units: readonly (readonly [seconds: number, name: string])[] = [
  [86_400, 'd'],
  [3600, 'h'],
  [60, 'min'],
  [1, 's'],
];

/** `58 min 12 s`; at most `parts` units, the small ones left out. */
export function duration(seconds: number, parts = 2): string {
  let rest = Math.max(0, Math.floor(seconds));
  const words: string[] = [];
  for (const [size, name] of units) {
    const amount = Math.floor(rest / size);
    if (words.length > 0 || amount > 0) words.push(`${amount} ${name}`);
    rest -= amount * size;
    if (words.length === parts) break;
  }
  const said = words.filter(word => !word.startsWith('0 '));
  return said.length === 0 ? '0 s' : said.join(' ');
}

/** `12 s ago`, `just now`. */
export function ago(seconds: number): string {
  return seconds < 1 ? 'just now' : `${duration(seconds, 1)} ago`;
}

/** A time from now in seconds: `in 58 min 12 s`, `12 s ago`. */
export function relative(distance: number): string {
  return distance < 1 ? ago(-distance) : `in ${duration(distance)}`;
}

/** A time from now in a narrow column: `12 s` for the past, `now`, `in 58 min`. */
export function age(distance: number): string {
  if (distance >= 1) return `in ${duration(distance, 1)}`;
  return distance > -1 ? 'now' : duration(-distance, 1);
}

/** `4 min left`. */
export function left(seconds: number, parts = 1): string {
  return `${duration(seconds, parts)} left`;
}

/** A number of seconds, or text: `90`, `90s`, `5m`, `8h`, `1d`, `1h30m`; a leading minus if it may be negative. */
export type Duration = number | string;

/** Completes "expected …" for a duration. */
export const durationWords = 'seconds, or 90s, 5m, 8h, 1d';

const unitSeconds: Readonly<Record<string, number>> = { s: 1, m: 60, min: 60, h: 3600, d: 86_400 };

/** The seconds of a duration; undefined for anything else. */
export function secondsIn(said: unknown): number | undefined {
  if (typeof said === 'number') return Number.isFinite(said) ? said : undefined;
  if (typeof said !== 'string') return undefined;
  const text = said.trim();
  if (/^[+-]?\d{1,12}(?:\.\d{1,3})?$/.test(text)) return Number(text);
  const [, sign, amounts] = /^([+-]?)\s*((?:\d{1,12}(?:\.\d{1,3})?\s*(?:s|min|m|h|d)\s*)+)$/.exec(text) ?? [];
  if (amounts === undefined) return undefined;
  const parts = [...amounts.matchAll(/([\d.]+)\s*(s|min|m|h|d)/g)];
  const sum = parts.reduce((total, [, amount, unit = 's']) => total + Number(amount) * (unitSeconds[unit] ?? 1), 0);
  return sign === '-' ? -sum : sum;
}
