import type { RealmGroup } from './groups.ts';
import type { Roles } from './roles.ts';

/** A user of an export, as mappers see it. */
export interface Person {
  readonly id: string;
  readonly username: string;
  readonly email: string | undefined;
  readonly emailVerified: boolean;
  readonly firstName: string | undefined;
  readonly lastName: string | undefined;
  readonly attributes: ReadonlyMap<string, readonly string[]>;
  /** The groups the user was put into. */
  readonly groups: readonly RealmGroup[];
  /** Those of the user and of the groups, with composites resolved. */
  readonly roles: Roles;
}

/** First and last name; undefined if the user has none. */
export function fullName({ firstName, lastName }: Pick<Person, 'firstName' | 'lastName'>): string | undefined {
  return [firstName, lastName].filter(part => part !== undefined).join(' ') || undefined;
}
