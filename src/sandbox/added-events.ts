import type { EventType } from '../base/events/event.ts';
import { coreEventTypes, type Describe, describe, type WordsOf } from '../record/words/event-words.ts';
import type { AddedLines } from '../server/http/log/log-options.ts';
import type { RecordedAs } from './recorded.ts';

/** What an extension says of the types of events that it adds. */
export interface AddedEvents {
  /** What pages say of each type. */
  readonly words: Partial<WordsOf<EventType>>;
  /** What the log says; it is silent about other types. */
  readonly lines?: AddedLines;
  /** The members that pages read from a recorded session, which is shown without other types. */
  recorded?(): Promise<Partial<RecordedAs<EventType>>>;
}

type Adding = readonly { readonly events?: AddedEvents }[];

/** All types of events that there are with these extensions. */
export function eventTypesOf(extensions: Adding): readonly string[] {
  return [...coreEventTypes, ...extensions.flatMap(({ events }) => Object.keys(events?.words ?? {}))];
}

/** Describes the events of the core and of these extensions. */
export function describerOf(extensions: Adding): Describe {
  const added = Object.assign({}, ...extensions.map(({ events }) => events?.words));
  return event => describe(event, added);
}

/** The members of the events that these extensions add. */
export async function addedRecords(extensions: Adding): Promise<Partial<RecordedAs<EventType>>> {
  return Object.assign({}, ...(await Promise.all(extensions.map(({ events }) => events?.recorded?.()))));
}
