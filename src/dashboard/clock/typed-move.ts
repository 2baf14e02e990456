/** To a moment, or by a step. */
export type Jump =
  | { readonly kind: 'advance'; readonly seconds: number }
  | { readonly kind: 'set'; readonly to: number };

const unitSeconds: Readonly<Record<string, number>> = { s: 1, m: 60, min: 60, h: 3600, d: 86_400 };

/** Reads `+2 h 30 min`, `-90s`, `2026-11-20 16:27` (UTC, where no zone is said) or Unix seconds; undefined for anything else. */
export function typedMove(typed: string): Jump | undefined {
  const text = typed.trim();
  const seconds = durationOf(text.replace(/\s+/g, ''));
  if (seconds !== undefined) return { kind: 'advance', seconds };
  const to = /^\d{1,12}$/.test(text) ? Number(text) : dateOf(text);
  return to === undefined ? undefined : { kind: 'set', to };
}

function durationOf(text: string): number | undefined {
  const [, sign, amounts] = /^([+-])((?:\d{1,9}(?:s|min|m|h|d))+)$/.exec(text) ?? [];
  if (amounts === undefined) return undefined;
  const parts = [...amounts.matchAll(/(\d+)(s|min|m|h|d)/g)];
  const sum = parts.reduce((total, [, amount, unit = 's']) => total + Number(amount) * (unitSeconds[unit] ?? 1), 0);
  return sign === '-' ? -sum : sum;
}

function dateOf(text: string): number | undefined {
  const date = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2})?) ?(?:(Z|[+-]\d{2}:\d{2})|UTC)?)?$/i.exec(text);
  if (date === null) return undefined;
  const [, day, at = '00:00', zone = 'Z'] = date;
  const milliseconds = Date.parse(`${day}T${at}${zone.toUpperCase()}`);
  return Number.isNaN(milliseconds) ? undefined : milliseconds / 1000;
}
