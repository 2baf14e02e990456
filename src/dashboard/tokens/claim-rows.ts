import { type Moment, momentOf } from '../moment.ts';
import { originOf } from './claim-origin.ts';
import { type ClaimMeaning, claimMeaning, headerMeaning } from './claims.ts';
import type { ClaimOrigin, Issuance } from './issuance.ts';

/** A claim with its value and meaning, stacked in one cell. */
export interface ClaimRow extends ClaimMeaning {
  readonly name: string;
  readonly value: string;
  /** For the claims that are times. */
  readonly moment?: Moment;
  /** What put it there; absent for a token of somebody else, and in headers. */
  readonly origin?: ClaimOrigin;
}

type Claims = Readonly<Record<string, unknown>>;

const times = new Set(['exp', 'iat', 'nbf', 'auth_time', 'updated_at']);

/** The claims of a token in their order; with an issuance, each with what put it there. */
export function claimRows(claims: Claims, now: number, issuance?: Issuance): ClaimRow[] {
  return Object.entries(claims).map(([name, value]) => ({
    name,
    value: valueText(value),
    ...(times.has(name) && typeof value === 'number' ? { moment: momentOf(value, now) } : {}),
    ...claimMeaning(name, value),
    ...(issuance === undefined ? {} : { origin: originOf(name, issuance) }),
  }));
}

export function headerRows(header: Claims): ClaimRow[] {
  return Object.entries(header).map(([name, value]) => ({ name, value: valueText(value), ...headerMeaning(name) }));
}

/** A value as a page shows it: text without quotes, all else as JSON. */
export function valueText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
