import type { ConfigurationRefused, ConfigurationReloaded } from '../../base/events/configuration-events.ts';
import type { EventLog } from '../../base/events/event-log.ts';
import { type FileState, isChange } from '../../base/events/reload.ts';
import { isSameJson } from '../../protocol/json-parameter.ts';

type Fact = ConfigurationReloaded | ConfigurationRefused;

/**
 * Logs the result of a configuration reload, and keeps it for later readers. Does not log a file that was rewritten without a
 * change, and logs the same problems only once.
 */
export function createFileTelling(events: EventLog) {
  let state: FileState = {};
  return {
    fileState: () => state,
    tell(fact: Fact): void {
      if (fact.by === 'file' && !isNews(fact, state)) return;
      const event = events.append(fact, 'sandbox');
      if (event.type === 'configuration.reloaded') {
        const { refused: _, ...before } = state; // the file is valid again
        state = { ...before, used: event, ...(isChange(event) ? { changed: event } : {}) };
      }
      if (event.type === 'configuration.refused') state = { ...state, refused: event };
    },
  };
}

function isNews(fact: Fact, { used, refused }: FileState): boolean {
  if (fact.type === 'configuration.refused') return !isSameJson(fact.problems, refused?.problems);
  const isChanged = fact.entries.length > 0 || fact.settings.length > 0;
  return isChanged || refused !== undefined || !isSameJson(fact.atNextStart, used?.atNextStart ?? []);
}
