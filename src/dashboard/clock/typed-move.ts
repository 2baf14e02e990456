import { secondsIn } from '../../base/clock/duration.ts';

/** A move of the clock: to a time, or by a step in seconds. */
export type Jump =
  | { readonly kind: 'advance'; readonly seconds: number }
  | { readonly kind: 'set'; readonly to: number };

/** Reads `5m`, `+2 h 30 min`, `-90s`, `2026-11-20 16:27` (UTC by default) or Unix seconds; undefined for anything else. */
export function typedMove(typed: string): Jump | undefined {
  const text = typed.trim();
  if (/^\d{1,12}$/.test(text)) return { kind: 'set', to: Number(text) };
  const seconds = secondsIn(text);
  if (seconds !== undefined) return { kind: 'advance', seconds };
  const to = dateOf(text);
  return to === undefined ? undefined : { kind: 'set', to };
}

function dateOf(text: string): number | undefined {
  const date = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2})?) ?(?:(Z|[+-]\d{2}:\d{2})|UTC)?)?$/i.exec(text);
  if (date === null) return undefined;
  const [, day, at = '00:00', zone = 'Z'] = date;
  const milliseconds = Date.parse(`${day}T${at}${zone.toUpperCase()}`);
  return Number.isNaN(milliseconds) ? undefined : milliseconds / 1000;
}
