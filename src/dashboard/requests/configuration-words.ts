import type { EventOf } from '../../events/event.ts';
import { duration } from '../duration.ts';

type Facts = Readonly<Record<string, string | undefined>>;

const things = { client: 'The client', user: 'The user', keys: 'The keys' } as const;

/** What the owner of the sandbox changed while it ran. */
export function configurationWords({
  what,
  subject,
  change,
  members,
  by,
}: EventOf<'configuration.changed'>): readonly [string, Facts] {
  const verb = what === 'keys' ? 'were changed' : `was ${change}`;
  return [`${things[what]} ${subject} ${verb}`, { members: members.join(', '), by: `the ${by.replaceAll('_', ' ')}` }];
}

/** What was forgotten, and what was not. */
export function resetWords({ part }: EventOf<'sandbox.reset'>): readonly [string, Facts] {
  if (part === 'history') return ['The history was cleared', {}];
  if (part === 'configuration') return ['Clients and users are as they were at the start', {}];
  if (part === 'resources') return ['The rows of the sample backend are as they were at the start', {}];
  if (part === 'sessions') return ['Every login was ended', {}];
  if (part === 'faults') return ['Nothing goes wrong on purpose any more', {}];
  if (part === 'clock') return ['The clock shows the real time again', {}];
  return ['The sandbox was reset', {}];
}

const clockOwners = { all: 'The clock', issuer: "The issuer's clock", api: 'The clock of the sample backend' } as const;

/** Whose time was moved, and where it is now. */
export function clockChangeWords({ who, by, offset, frozen }: EventOf<'clock.changed'>): readonly [string, Facts] {
  const where =
    offset === 0 ? 'shows the real time' : `is ${duration(Math.abs(offset))} ${offset > 0 ? 'ahead' : 'behind'}`;
  return [`${clockOwners[who]} ${where}${frozen ? ', and stands still' : ''}`, { by: `the ${by}` }];
}
