import { defined } from '../../../base/defined.ts';
import { isRecord } from '../../../base/text/record.ts';
import { CommandFailure } from '../../../client/cli/command.ts';
import { redacted } from '../../../record/flows/redaction-text.ts';
import { ConfigError, loadConfig } from '../../../sandbox/config/load-config.ts';
import type { SandboxConfig } from '../../../sandbox/config/sandbox-config.ts';
import { settingsWith } from '../../../sandbox/config/settings.ts';
import type { Modules } from '../../../sandbox/extension.ts';
import { type RecordedSetup, setupConfig } from '../read-session.ts';
import type { FileRequest, FileSession } from '../session-schema.ts';
import type { ChosenPart } from './choose.ts';

/** The secret of a client in a generated test, in place of the redacted one. */
export const secretOf = (client: string) => `secret-of-${client}`;

export const passwordOf = (sub: string) => `password-of-${sub}`;

/**
 * The configuration of the issuer of a generated test: the clients and users of the session, with secrets made up, and its settings.
 * @throws CommandFailure if the file has no configuration, or an invalid one
 */
export async function issuerConfig(
  { setup }: FileSession,
  { requests }: ChosenPart,
  user: string,
  modules: Modules,
): Promise<SandboxConfig> {
  if (setup === undefined || !('clients' in setup))
    throw new CommandFailure(
      'the file has no clients and users: an older version of Grantbox wrote it. Export the session again',
    );
  const { scopes, collections, ...lists } = withoutEmpty(setupConfig(partOf(setup, requests, user)));
  const named = { ...(isEmpty(scopes) ? {} : { scopes }), ...(isEmpty(collections) ? {} : { collections }) };
  const config = restored({ ...lists, ...named, ...settingsOf(setup.settings, modules) });
  try {
    await loadConfig({ modules, overrides: config });
    return config;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    throw new CommandFailure(`the clients and users of the file cannot be made again. ${error.message}`);
  }
}

type WholeSetup = Extract<RecordedSetup, { clients: unknown }>;

/** The entries that the repeated requests name. */
function partOf(setup: WholeSetup, requests: readonly FileRequest[], user: string): WholeSetup {
  const text = JSON.stringify(requests);
  const isNamed = (id: unknown) => typeof id === 'string' && text.includes(JSON.stringify(id).slice(1, -1));
  const clients = setup.clients.filter(({ client_id: id }) => isNamed(id));
  const scopes = new Set(clients.flatMap(({ scope }) => (typeof scope === 'string' ? scope.split(' ') : [])));
  return {
    ...setup,
    clients,
    users: setup.users.filter(({ sub }) => sub === user || isNamed(sub)),
    scopes: setup.scopes.filter(({ name }) => scopes.has(String(name))),
    collections: setup.collections.filter(({ name }) => requests.some(({ path }) => path.includes(`/api/${name}`))),
  };
}

function withoutEmpty(config: SandboxConfig): SandboxConfig {
  return Object.fromEntries(Object.entries(config).filter(([, value]) => !Array.isArray(value) || value.length > 0));
}

function isEmpty(members: object | undefined): boolean {
  return members === undefined || Object.keys(members).length === 0;
}

/** The settings that an issuer of a test can have, in the notation of a file. */
function settingsOf(written: Readonly<Record<string, string>>, modules: Modules): Readonly<Record<string, unknown>> {
  const rows = settingsWith(modules).filter(
    ({ env, inFile, isWhole }) => inFile && isWhole !== true && Object.hasOwn(written, env),
  );
  return Object.fromEntries(rows.map(({ name, env }) => [name, writtenValue(written[env] ?? '')]));
}

function writtenValue(text: string): unknown {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  return text === 'on' || text === 'off' ? text === 'on' : text;
}

/** Gives each client and user a secret in place of the redacted one. */
function restored(config: Readonly<Record<string, unknown>>): SandboxConfig {
  const each = (entries: unknown, id: string, made: (id: string) => string) =>
    Array.isArray(entries) ? entries.map(entry => restoredEntry(entry, id, made)) : undefined;
  const clients = each(config.clients, 'client_id', secretOf);
  const users = each(config.users, 'sub', passwordOf);
  return { ...config, ...defined({ clients, users }) } as SandboxConfig; // `loadConfig` checks it
}

function restoredEntry(entry: unknown, id: string, made: (id: string) => string): unknown {
  if (!isRecord(entry)) return entry;
  const { password_hash: hash, ...others } = entry;
  const all = hash === undefined ? others : { ...others, password: redacted };
  const own = String(entry[id]);
  return Object.fromEntries(Object.entries(all).map(([name, value]) => [name, value === redacted ? made(own) : value]));
}
