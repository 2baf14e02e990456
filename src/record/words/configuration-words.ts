import type { MemberChange } from '../../base/events/configuration-events.ts';
import type { EventOf } from '../../base/events/event.ts';
import { refusalLines, reloadSentence } from '../../base/events/reload.ts';
import { duration } from '../../base/text/duration.ts';

const things = {
  client: 'The client',
  user: 'The user',
  scope: 'The scope',
  collection: 'The collection',
  keys: 'The keys',
  rules: 'The rules of',
} as const;

/** A change made at run time, in words. */
export function configurationWords({
  what,
  subject,
  change,
  members,
  by,
}: EventOf<'configuration.changed'>): EventWords {
  const verb = what === 'keys' || what === 'rules' ? 'were changed' : `was ${change}`;
  return say(`${things[what]} ${subject} ${verb}`, {
    members: members.join(', '),
    by: `the ${by.replaceAll('_', ' ')}`,
  });
}

/** The changes of a reload, and the settings that wait for the next start. */
export function reloadWords(event: EventOf<'configuration.reloaded'>): EventWords {
  const { entries, settings, atNextStart, by } = event;
  const facts = [
    ...entries.map(({ kind, name, change, members }) => [`${kind} ${name}`, memberWords(members) || change]),
    ...settings.map(({ name, from, to }) => [name, `${from} → ${to}`]),
    ...atNextStart.map(({ name, from, to }) => [`${name}, at the next start`, `${from} → ${to}`]),
  ];
  return say(reloadSentence(event), { ...Object.fromEntries(facts), by: readers[by] });
}

/** `scope: "openid" → "openid email"`. A member that only one side has is `left out` on the other. */
export function memberWords(members: readonly MemberChange[]): string {
  return members.map(({ member, from = 'left out', to = 'left out' }) => `${member}: ${from} → ${to}`).join('; ');
}

/** The problems of a refused configuration. */
export function refusedWords(event: EventOf<'configuration.refused'>): EventWords {
  const [title = '', ...problems] = refusalLines(event);
  const numbered = problems.map((problem, index) => [`problem ${index + 1}`, problem]);
  return say(title, { ...Object.fromEntries(numbered), by: readers[event.by] });
}

const readers = { file: 'a change of the file', signal: 'a signal', api: 'the API', library: 'the library' } as const;

/** The parts that a reset cleared, and the parts that it kept. */
export function resetWords({ part }: EventOf<'sandbox.reset'>): EventWords {
  if (part === 'history') return say('The history was cleared', {});
  if (part === 'configuration')
    return say('Clients, users, scopes, collections and rules for claims were reset to the configuration', {});
  if (part === 'resources') return say('The rows of the sample backend were reset', {});
  if (part === 'sessions') return say('All sessions were ended', {});
  if (part === 'faults') return say('All faults were disarmed', {});
  if (part === 'clock') return say('The clock shows the real time again', {});
  return say('The sandbox was reset', {});
}

/** An issuer created or ended at run time, in words. */
export function issuerWords(event: EventOf<'issuer.created' | 'issuer.ended'>): EventWords {
  const { issuer } = event;
  if (event.type === 'issuer.created') {
    const { by, expiresAt } = event;
    const until = expiresAt === undefined ? {} : { 'expires at': new Date(expiresAt * 1000).toISOString() };
    return say('An issuer was created', { issuer, ...until, by: by === 'request' ? 'a request' : `the ${by}` });
  }
  if (event.by === 'lifetime') return say('An issuer expired', { issuer });
  return say('An issuer was ended', { issuer, by: `the ${event.by}` });
}

const clockOwners = { all: 'The clock', issuer: "The issuer's clock", api: 'The clock of the sample backend' } as const;

/** The clock that was moved, and its new time. */
export function clockChangeWords({ who, by, offset, frozen }: EventOf<'clock.changed'>): EventWords {
  const where =
    offset === 0 ? 'shows the real time' : `is ${duration(Math.abs(offset))} ${offset > 0 ? 'ahead' : 'behind'}`;
  return say(`${clockOwners[who]} ${where}${frozen ? ', and is frozen' : ''}`, { by: `the ${by}` });
}

/** An event in words, for the page of its request. */
export interface EventWords {
  readonly title: string;
  readonly facts: readonly (readonly [name: string, value: string])[];
  /** The page of the dashboard with more about the event. */
  readonly tokenId?: string;
  /** The pages where a user decides, for this browser and for a phone. */
  readonly decide?: { readonly href: string; readonly qr?: string };
}

/** A sentence with facts, of which the empty ones are left out. */
export function say(title: string, facts: Readonly<Record<string, string | undefined>>): EventWords {
  const told = Object.entries(facts).filter(
    (fact): fact is [string, string] => fact[1] !== undefined && fact[1] !== '',
  );
  return { title, facts: told };
}
