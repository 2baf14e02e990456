import type { TestUser } from '../../protocol/users/user.ts';
import type { FaultOrder, FaultTarget } from './fault.ts';
import { magicNames } from './fault-names.ts';

/** The sources of faults that nobody arms. */
export interface Standing {
  /** The faults in the configuration of a client. */
  readonly ofClient: (client_id: string) => readonly string[];
  /** Subject, username and e-mail address of a user. */
  readonly namesOf: (sub: string) => readonly string[];
}

/** Returns the faults from the configuration of the client and from the name of the user. */
export function standingOrders(
  { client_id, sub }: FaultTarget,
  { ofClient, namesOf }: Standing,
): readonly FaultOrder[] {
  const ofClients = client_id === undefined ? none : ofClient(client_id);
  const magic = sub === undefined ? undefined : magicOf(namesOf(sub));
  if (magic === undefined && ofClients.length === 0) return none;
  return [...ofClients, ...(magic === undefined ? none : [magic])].map(fault => ({ fault }));
}

const none: readonly never[] = [];

/** `expired@example.test` → `expired`; undefined for other names. */
export function magicOf(names: readonly string[]): string | undefined {
  for (const name of names) {
    const at = name.indexOf('@');
    const magic = at < 0 ? '' : name.slice(0, at).toLowerCase();
    if (Object.hasOwn(magicNames, magic)) return magicNames[magic as keyof typeof magicNames];
  }
  return undefined;
}

/** Returns the subject, username and e-mail address of a user. */
export function namesOf({ sub, username, claims: { email } }: TestUser): readonly string[] {
  return [sub, username, ...(typeof email === 'string' ? [email] : [])];
}
