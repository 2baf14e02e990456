import { hash } from 'node:crypto';
import { invalidRequest, type OAuthError } from '../../../protocol/errors.ts';
import type { ManagedIssuer } from '../../../sandbox/managed-issuer.ts';
import { inputInvalid, missing } from '../../management/refusals.ts';
import type { OrgState } from './state.ts';

/** The org that the calls of the management API work on. */
export interface Org extends Omit<ManagedIssuer, 'adapter'> {
  readonly state: OrgState;
  /** `http://localhost:9000/api/v1` */
  readonly at: string;
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

/** @throws 404; `kind` is the name of Okta for entries of this kind */
export function missingEntry(kind: string, id: string): never {
  missing(`Not found: Resource not found: ${id.slice(0, 100)} (${kind})`, id);
}

/** The time of the sandbox in ISO 8601. */
export function now({ server }: Org): string {
  return new Date(server.clock() * 1000).toISOString();
}

/** More than an org for tests has. */
const most = 2000;

/** @throws 400 where there are too many of what only this API keeps */
export function requireRoom(count: number, what: string): void {
  if (count >= most) throw inputInvalid(`${what}: there are ${count}, remove some first`);
}
