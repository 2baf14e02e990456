import { hash } from 'node:crypto';
import type { Change } from '../../../events/change.ts';
import { invalidRequest, type OAuthError } from '../../../oauth/errors.ts';
import type { ManagedIssuer } from '../../management/managed-issuer.ts';
import { inputInvalid, refusedChange } from '../../management/refusals.ts';
import type { OrgState } from './state.ts';

/** The org that the calls of the management API work on. */
export interface Org extends Omit<ManagedIssuer, 'adapter'> {
  readonly state: OrgState;
  /** `http://localhost:9000/api/v1` */
  readonly at: string;
}

/**
 * Makes a change by the rules of the control API, and tells the log.
 * @throws what these rules refuse; `taken` are the words of Okta for a name that is taken
 */
export async function apply({ control }: Org, change: Change, taken?: string): Promise<void> {
  const changed = await control.apply(change, 'api');
  if (!changed.ok) throw refusedChange(changed.faults, changed.isTaken ? taken : undefined);
}

/** The address of an entry of the API. */
export function addressOf({ at }: Org, ...steps: readonly string[]): string {
  return [at, ...steps.map(encodeURIComponent)].join('/');
}

/** An id in the form of Okta, the same in each run: a prefix such as `00g`, and 17 letters and digits. */
export function oktaId(prefix: string, ...names: readonly string[]): string {
  const text = hash('sha256', JSON.stringify(names), 'base64').replaceAll(/[^A-Za-z0-9]/g, '');
  return `${prefix}${text.slice(0, 17)}`;
}

/** Refuses by a code of Okta, such as `E0000016`. */
export function refusedBy(code: string, status: number, summary: string): OAuthError {
  return invalidRequest('management_input_invalid', `${code}: ${summary}`, { status });
}

/** More than an org for tests has. */
const most = 2000;

/** @throws 400 where there are too many of what only this API keeps */
export function requireRoom(count: number, what: string): void {
  if (count >= most) throw inputInvalid(`${what}: there are ${count}, remove some first`);
}
