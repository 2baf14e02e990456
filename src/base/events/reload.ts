import type {
  ConfigurationChanges,
  ConfigurationRefused,
  ConfigurationReloaded,
  EntryChange,
} from './configuration-events.ts';
import type { EventOf } from './event.ts';

/** `clients.config.ts reloaded: 1 client added (spa2), user alice changed (claims)`, for the log and the dashboard. */
export function reloadSentence({ file, path, ...changes }: ConfigurationReloaded): string {
  const where = path === undefined ? '' : ` for ${path}`;
  return `${file} reloaded${where}: ${changesInWords(changes)}`;
}

/** True if the configuration changed anything, now or at the next start. */
export function isChange({ entries, settings, atNextStart }: ConfigurationChanges): boolean {
  return [entries, settings, atNextStart].some(({ length }) => length > 0);
}

/** Changes of a configuration, in half a sentence. */
export function changesInWords({ entries, settings, atNextStart }: ConfigurationChanges): string {
  const words = [
    ...[...new Set(entries.map(({ kind }) => kind))].flatMap(kind =>
      entryWords(entries.filter(each => each.kind === kind)),
    ),
    ...settings.map(({ name, from, to }) => `${name} is now ${to} (was ${from})`),
    ...atNextStart.map(({ name, from, to }) => `${name} will be ${to} after the next start (now ${from})`),
  ];
  return words.join(', ') || 'nothing changed';
}

/** `clients.config.ts refused, the previous configuration stays in use: 2 problems`, and each of them in a line. */
export function refusalLines({ file, problems }: ConfigurationRefused): readonly string[] {
  const count = problems.length === 1 ? '1 problem' : `${problems.length} problems`;
  return [`${file} refused, the previous configuration stays in use: ${count}`, ...problems];
}

/** A longer list of names is not helpful. */
const mostNamed = 5;

function entryWords(entries: readonly EntryChange[]): readonly string[] {
  const counted = (['added', 'removed'] as const).flatMap(change => {
    const some = entries.filter(each => each.change === change);
    return some.length === 0 ? [] : [`${some.length} ${kindIn(some)} ${change} (${namesIn(some)})`];
  });
  const changed = entries.filter(({ change }) => change === 'changed');
  if (changed.length > mostNamed)
    return [...counted, `${changed.length} ${kindIn(changed)} changed (${namesIn(changed)})`];
  const told = changed.map(
    ({ kind, name, members }) => `${kind} ${name} changed (${members.map(({ member }) => member).join(', ')})`,
  );
  return [...counted, ...told];
}

function kindIn(entries: readonly EntryChange[]): string {
  const kind = entries[0]?.kind ?? '';
  return entries.length === 1 ? kind : `${kind}s`;
}

function namesIn(entries: readonly EntryChange[]): string {
  const names = entries.slice(0, mostNamed).map(({ name }) => name);
  return [...names, ...(entries.length > mostNamed ? ['…'] : [])].join(', ');
}

/** Result of the last reload of the configuration; kept when the history is cleared. */
export interface FileState {
  /** The last reload that was applied; absent if there was none since the start. */
  readonly used?: EventOf<'configuration.reloaded'>;
  /** The last reload that changed anything, now or for the next start. */
  readonly changed?: EventOf<'configuration.reloaded'>;
  /** The last reload, if it was refused. */
  readonly refused?: EventOf<'configuration.refused'>;
}
