import { describe, shorten } from './challenge.ts';

/** The two values a developer has to compare. For the log only, never for the wire; contains no secret. */
export interface Compared {
  readonly sent?: string;
  readonly expected?: string;
}

const longest = 400;

/** A value as it was sent, so that it can be compared letter by letter; `no aud` if it is missing. */
export function asSent(name: string, value: unknown): string {
  if (value === undefined) return `no ${name}`;
  const all = [value].flat();
  return all.every(each => typeof each === 'string') ? shorten(all.join(', '), longest) : describe(value);
}

/** Description of the accepted values. */
export function anyOf(values: readonly string[]): string {
  return shorten(values.join(' or '), longest);
}

/** Unix seconds, as a token has them and as people do: `1700000300 (2023-11-14T22:18:20Z)`. */
export function moment(seconds: number): string {
  const date = new Date(seconds * 1000);
  return Number.isNaN(date.getTime()) ? `${seconds}` : `${seconds} (${date.toISOString().replace(/\.\d+/, '')})`;
}
