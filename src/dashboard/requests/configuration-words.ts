import type { EventOf } from '../../events/event.ts';

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
  return ['The sandbox was reset', {}];
}
