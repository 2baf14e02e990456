import type { ConfigurationChanges } from '../../base/events/configuration-events.ts';
import type { FileState } from '../../base/events/file-state.ts';
import { changesInWords } from '../../base/events/reload-words.ts';
import { memberWords } from '../../record/words/configuration-words.ts';
import type { Desk } from '../desk.ts';
import { momentOf } from '../moment.ts';

/** Longer lists are cut. */
const mostShown = 50;
const none: ConfigurationChanges = { entries: [], settings: [], atNextStart: [] };

export function fileView({ fileState, configFile, startedAt, clock }: Desk) {
  const { used, changed, refused } = fileState();
  const now = clock();
  const { entries, settings } = changed ?? none;
  return {
    name: refused?.file ?? used?.file ?? configFile ?? 'built in',
    // whether there is a file to read again
    isThere: configFile !== undefined,
    read: momentOf(used?.at ?? startedAt, now),
    ...(changed === undefined ? {} : { changed: { at: momentOf(changed.at, now), words: changesInWords(changed) } }),
    entries: entries.slice(0, mostShown).map(({ kind, name, change, members }) => ({
      what: `${kind} ${name}`,
      how: memberWords(members) || change,
    })),
    settings,
    atNextStart: used?.atNextStart ?? [],
    ...(refused === undefined ? {} : { refused: { at: momentOf(refused.at, now), problems: refused.problems } }),
  };
}

/** Shown in the top bar until the file is corrected: `clients.config.ts refused`; empty for none. */
export function fileChip({ refused }: FileState): string {
  return refused === undefined ? '' : `${refused.file} refused`;
}
