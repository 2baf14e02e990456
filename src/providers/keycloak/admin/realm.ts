import type { ManagedIssuer } from '../../../sandbox/managed-issuer.ts';
import { inputInvalid } from '../../management/refusals.ts';
import type { StableIds } from '../../management/stable-id.ts';
import type { RealmState } from './state.ts';

/** The realm that the calls of the admin API work on. */
export interface Realm extends Omit<ManagedIssuer, 'adapter'> {
  readonly name: string;
  readonly ids: StableIds;
  readonly state: RealmState;
  /** `http://localhost:9000/admin/realms/demo` */
  readonly at: string;
}

/** The address of an entry below the realm. */
export function addressOf({ at }: Realm, ...steps: readonly string[]): string {
  return [at, ...steps.map(encodeURIComponent)].join('/');
}

/** The issuer of the realm `master`, which is there for the admin alone. */
export function masterOf({ address }: Pick<Realm, 'address'>): string {
  return `${address}/realms/master`;
}

/** More than a realm for tests has. */
const most = 2000;

/** @throws 400 where there are too many of what only the admin API keeps */
export function requireRoom(count: number, what: string): void {
  if (count >= most) throw inputInvalid(`there are ${count} ${what}: remove some first`);
}
