import {
  at,
  type ExportPart,
  entriesIn,
  ignores,
  reads,
  recordsIn,
  tellLost,
  textIn,
  textsIn,
  type UseTable,
} from '../members.ts';
import { type Role, type Roles, rolesIn } from './roles.ts';

/** A group. Its members also have the roles and attributes of the groups around it. */
export interface RealmGroup {
  /** `/acme/engineering` */
  readonly path: string;
  readonly name: string;
  readonly found: ExportPart;
  readonly parent: RealmGroup | undefined;
  readonly roles: readonly Role[];
  readonly attributes: ReadonlyMap<string, readonly string[]>;
}

const groupUses: UseTable = {
  ...reads('name subGroups realmRoles clientRoles attributes'),
  ...ignores('id description path parentId subGroupCount access'),
};

/** Reads `groups` of an export, by their full paths. */
export function readGroups(found: ExportPart): ReadonlyMap<string, RealmGroup> {
  const groups = new Map<string, RealmGroup>();
  readLevel(found, undefined, groups);
  return groups;
}

/** The depth of an export is bounded, so that this recursion is. */
function readLevel(found: ExportPart, parent: RealmGroup | undefined, groups: Map<string, RealmGroup>): void {
  for (const each of recordsIn(found)) {
    const name = textIn(at(each, 'name'));
    if (name === undefined) continue;
    tellLost(each, groupUses, 'a group');
    const group: RealmGroup = {
      name,
      found: each,
      path: `${parent?.path ?? ''}/${name}`,
      parent,
      roles: rolesIn(at(each, 'realmRoles'), at(each, 'clientRoles')),
      attributes: attributesIn(at(each, 'attributes')),
    };
    groups.set(group.path, group);
    readLevel(at(each, 'subGroups'), group, groups);
  }
}

/** The group and the groups around it, from the inside. */
export function withParents(group: RealmGroup): readonly RealmGroup[] {
  return group.parent === undefined ? [group] : [group, ...withParents(group.parent)];
}

/** Attributes of a user or a group, each with its values. */
export function attributesIn(found: ExportPart): ReadonlyMap<string, readonly string[]> {
  const entries = entriesIn(found).map(([name, values]) => {
    const list = typeof values.value === 'string' ? { ...values, value: [values.value] } : values;
    return [name, textsIn(list)] as const;
  });
  return new Map(entries.filter(([, values]) => values.length > 0));
}

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
