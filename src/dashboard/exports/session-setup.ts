import type { SandboxEvent } from '../../base/events/event.ts';
import { isRecord } from '../../base/text/record.ts';
import type { Pieces } from '../../base/turns.ts';
import { flatMapInPieces } from '../../base/turns.ts';
import type { Export } from '../../record/flows/exports/export.ts';
import type { Flow } from '../../record/flows/flow.ts';
import { redacted, secrecyOf } from '../../record/flows/redaction-names.ts';
import type { Desk } from '../desk.ts';

/** An entry as in `clients.config.ts`. */
type Entry = Readonly<Record<string, unknown>>;

type Exported = Pick<Export, 'flows' | 'requests'>;
type SettingLine = Awaited<ReturnType<Desk['settings']>>[number];

/** Groups of settings that change the answers of the protocol. */
const groups: ReadonlySet<string> = new Set(['Protocol', 'Tokens', 'Login', 'Relaxations', 'Sample backend']);
/** Settings of these groups whose value is a place or a picture. */
const unneeded: ReadonlySet<string> = new Set(['KEYS_FILE', 'BRANDING', 'LESSONS', 'ANY_ISSUER', 'ISSUER_FROM_HOST']);

/**
 * The parts of the configuration that repeat the exported requests: their clients and users, with the scopes and collections that the
 * requests name. Secrets and passwords are redacted.
 */
export function* setupOf(
  { control, time }: Pick<Desk, 'control' | 'time'>,
  exported: Exported,
  settings: readonly SettingLine[],
): Pieces<object> {
  const { clientIds, subs, collections } = yield* namesIn(exported);
  const clients = yield* entriesOf(clientIds, id => control.clientEntry(id));
  const scopes = new Set(clients.flatMap(({ scope }) => (typeof scope === 'string' ? scope.split(' ') : [])));
  const described = yield* entriesOf(scopes, name => control.entry('scope', name));
  const { offset, frozen } = time.state();
  return {
    clients,
    users: yield* entriesOf(subs, sub => control.userEntry(sub)),
    scopes: described.filter(each => Object.keys(each).length > 1),
    collections: yield* entriesOf(collections, name => control.entry('collection', name)),
    // those that are not at their default, by their variable, such as `ACCESS_TOKEN_LIFETIME`
    settings: Object.fromEntries(
      settings
        .filter(({ group, name, from, value }) => groups.has(group) && isTold(name, from, value))
        .map(({ name, value }) => [name, value]),
    ),
    clock: { offset, frozen },
  };
}

/** The names that flows and requests have; each of these is a piece of work. */
function* namesIn({ flows, requests }: Exported) {
  const [clientIds, subs, collections] = [new Set<string>(), new Set<string>(), new Set<string>()];
  const note = (each: Flow | SandboxEvent) => {
    if ('client_id' in each && each.client_id !== undefined) clientIds.add(each.client_id);
    if ('sub' in each && each.sub !== undefined) subs.add(each.sub);
  };
  for (const flow of flows) {
    note(flow);
    yield;
  }
  for (const { endpoint, path, facts } of requests) {
    const name = endpoint === 'api' ? collectionIn(path) : undefined;
    if (name !== undefined) collections.add(name);
    facts.forEach(note);
    yield;
  }
  return { clientIds, subs, collections };
}

function isTold(name: string, from: string, value: string): boolean {
  return from !== 'default' && value !== '***' && !unneeded.has(name);
}

function collectionIn(path: string): string | undefined {
  return /\/api\/([^/]+)/.exec(path)?.[1];
}

function entriesOf(ids: Iterable<string>, entryOf: (id: string) => Entry | undefined): Pieces<Entry[]> {
  return flatMapInPieces(ids, id => {
    const entry = entryOf(id);
    return entry === undefined ? [] : [withoutSecrets(entry) as Entry]; // an object stays one
  });
}

function withoutSecrets(value: unknown, name = ''): unknown {
  if (Array.isArray(value)) return value.map(each => withoutSecrets(each, name));
  if (isRecord(value))
    return Object.fromEntries(Object.entries(value).map(([member, each]) => [member, withoutSecrets(each, member)]));
  return typeof value === 'string' && secrecyOf(name) !== 'none' ? redacted : value;
}
