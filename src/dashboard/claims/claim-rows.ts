import { left } from '../../base/text/duration.ts';
import { momentOf } from '../moment.ts';
import type { TokenCheck } from './checks.ts';
import { briefOf } from './claim-brief.ts';
import { claimMeaning, headerMeaning } from './claim-meaning.ts';
import { type Issuance, originOf } from './claim-origin.ts';

/** A claim on one line, with what its details say. */
export type ClaimRow = ReturnType<typeof claimRows>[number];

type Claims = Readonly<Record<string, unknown>>;

const times = new Set(['exp', 'iat', 'nbf', 'auth_time', 'updated_at']);

/** The claims of a token in their order; with an issuance, each with its origin. */
export function claimRows(claims: Claims, now: number, issuance?: Issuance) {
  return Object.entries(claims).map(([name, value]) => {
    const origin = issuance === undefined ? {} : { origin: originOf(name, issuance) };
    return {
      name,
      value: valueText(value),
      line: lineOf(value),
      ...(times.has(name) && typeof value === 'number' ? timeOf(value, now) : {}),
      ...claimMeaning(name, value),
      ...origin,
      brief: briefOf({ name, ...origin }),
    };
  });
}

/** A time: on its line the time of day, with the date unless it is today's. */
function timeOf(seconds: number, now: number) {
  const moment = momentOf(seconds, now);
  const today = momentOf(now, now).absolute.slice(0, 11);
  const line = moment.absolute.startsWith(today) ? moment.absolute.slice(11) : moment.absolute;
  return { line, moment, left: seconds > now ? left(seconds - now, 2) : 'expired' };
}

/** Puts what the check says of a relaxed audience into the details of `aud`, too. */
export function withAudience(rows: readonly ClaimRow[], checks: readonly TokenCheck[]): ClaimRow[] {
  const relaxed = checks.find(({ name }) => name === 'audience relaxed');
  return rows.map(row =>
    row.name === 'aud' && relaxed !== undefined
      ? { ...row, brief: 'for whom (relaxed)', words: `${row.words} ${relaxed.text}.` }
      : row,
  );
}

/** The header parameters of a token with their meaning. */
export function headerRows(header: Claims) {
  return Object.entries(header).map(([name, value]) => {
    return { name, value: valueText(value), line: lineOf(value), ...headerMeaning(name), brief: briefOf({ name }) };
  });
}

/** A value as a page shows it: text without quotes, all else as JSON. */
export function valueText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** A value on one line: `admin, buyer` for a list of texts. */
function lineOf(value: unknown): string {
  const isList = Array.isArray(value) && value.length > 0 && value.every(each => typeof each === 'string');
  return isList ? value.join(', ') : valueText(value);
}
