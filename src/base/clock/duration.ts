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
