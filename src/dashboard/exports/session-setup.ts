import type { ExportedRequest } from '../../flows/exports/export.ts';
import type { Flow } from '../../flows/flow.ts';
import { redacted, secrecyOf } from '../../flows/redaction-names.ts';
import { isRecord } from '../../text/record.ts';
import type { Desk } from '../desk.ts';

/** An entry as in `clients.config.ts`. */
type Entry = Readonly<Record<string, unknown>>;

/** Groups of settings that change the answers of the protocol. */
const groups: ReadonlySet<string> = new Set(['Protocol', 'Tokens', 'Login', 'Relaxations', 'Sample backend']);
/** Settings of these groups whose value is a place or a picture. */
const unneeded: ReadonlySet<string> = new Set(['KEYS_FILE', 'BRANDING', 'LESSONS', 'ANY_ISSUER', 'ISSUER_FROM_HOST']);

/**
 * The parts of the configuration that repeat the exported requests: their clients and users, with the scopes and collections that the
 * requests name. Secrets and passwords are redacted.
 */
export async function setupOf(
  { control, settings, time }: Desk,
  { flows, requests }: { readonly flows: readonly Flow[]; readonly requests: readonly ExportedRequest[] },
) {
  const facts = requests.flatMap(each => each.facts);
  const clientIds = [...flows, ...facts].map(each => ('client_id' in each ? each.client_id : undefined));
  const subs = [...flows, ...facts].map(each => ('sub' in each ? each.sub : undefined));
  const clients = entriesOf(clientIds, id => control.clientEntry(id));
  const scopes = clients.flatMap(({ scope }) => (typeof scope === 'string' ? scope.split(' ') : []));
  const paths = requests.filter(({ endpoint }) => endpoint === 'api').map(({ path }) => path);
  const { offset, frozen } = time.state();
  return {
    clients,
    users: entriesOf(subs, sub => control.userEntry(sub)),
    scopes: entriesOf(scopes, name => control.entry('scope', name)).filter(each => Object.keys(each).length > 1),
    collections: entriesOf(paths.map(collectionIn), name => control.entry('collection', name)),
    // those that are not at their default, by their variable, such as `ACCESS_TOKEN_LIFETIME`
    settings: Object.fromEntries(
      (await settings())
        .filter(({ group, name, from, value }) => groups.has(group) && isTold(name, from, value))
        .map(({ name, value }) => [name, value]),
    ),
    clock: { offset, frozen },
  };
}

function isTold(name: string, from: string, value: string): boolean {
  return from !== 'default' && value !== '***' && !unneeded.has(name);
}

function collectionIn(path: string): string | undefined {
  return /\/api\/([^/]+)/.exec(path)?.[1];
}

function entriesOf(ids: readonly (string | undefined)[], entryOf: (id: string) => Entry | undefined): Entry[] {
  const known = [...new Set(ids)].flatMap(id => (id === undefined ? [] : (entryOf(id) ?? [])));
  return known.map(entry => withoutSecrets(entry) as Entry); // an object stays one
}

function withoutSecrets(value: unknown, name = ''): unknown {
  if (Array.isArray(value)) return value.map(each => withoutSecrets(each, name));
  if (isRecord(value))
    return Object.fromEntries(Object.entries(value).map(([member, each]) => [member, withoutSecrets(each, member)]));
  return typeof value === 'string' && secrecyOf(name) !== 'none' ? redacted : value;
}
