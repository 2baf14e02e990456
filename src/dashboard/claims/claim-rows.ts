import { momentOf } from '../moment.ts';
import { claimMeaning, headerMeaning } from './claim-meaning.ts';
import { type Issuance, originOf } from './claim-origin.ts';

/** A claim with its value and meaning, stacked in one cell. */
export type ClaimRow = ReturnType<typeof claimRows>[number];

type Claims = Readonly<Record<string, unknown>>;

const times = new Set(['exp', 'iat', 'nbf', 'auth_time', 'updated_at']);

/** The claims of a token in their order; with an issuance, each with its origin. */
export function claimRows(claims: Claims, now: number, issuance?: Issuance) {
  return Object.entries(claims).map(([name, value]) => ({
    name,
    value: valueText(value),
    ...(times.has(name) && typeof value === 'number' ? { moment: momentOf(value, now) } : {}),
    ...claimMeaning(name, value),
    ...(issuance === undefined ? {} : { origin: originOf(name, issuance) }),
  }));
}

/** The header parameters of a token with their meaning. */
export function headerRows(header: Claims) {
  return Object.entries(header).map(([name, value]) => ({ name, value: valueText(value), ...headerMeaning(name) }));
}

/** A value as a page shows it: text without quotes, all else as JSON. */
export function valueText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
