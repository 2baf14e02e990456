import { dirname, resolve } from 'node:path';
import { nearestName } from '../oauth/nearest.ts';
import type { Config } from './config.ts';
import { type Document, isRecord, type Located } from './documents.ts';
import { findConfigFiles } from './find-config-files.ts';
import { ConfigError, type Problem, show, toProblem } from './problem.ts';
import {
  buildRegistration,
  builtInDocument,
  collectEntries,
  type Registration,
  type RegistrationEntries,
  registrationMembers,
} from './registration.ts';
import type { SandboxConfig } from './sandbox-config.ts';
import { readSetting, readSettings, type SettingSources } from './setting-values.ts';
import { type SettingValues, settingList } from './settings.ts';

export { ConfigError, type Problem } from './problem.ts';
export type { Environment, Flags } from './setting-values.ts';

/** Where configuration comes from, strongest first: overrides and flags, environment, file, defaults. */
export interface ConfigSources extends Pick<SettingSources, 'flags' | 'env'> {
  /** Where `clients.config.*` is looked for and what relative paths mean. Absent: no file is looked for by name. */
  readonly cwd?: string;
  /** What `createSandbox` was given; ranks like flags. */
  readonly overrides?: SandboxConfig;
}

/** What is known before any file is read, so that key generation can start at once. */
export interface EarlySettings {
  /** Of flag, environment or default; undefined where what was given is not valid. */
  readonly signingAlg: string | undefined;
  /** Whether flag or environment names a keys file: then no key needs to be made. */
  readonly hasKeysFile: boolean;
}

/** Never throws: what is wrong is told by `loadConfig`. */
export function readEarlySettings({ flags, env }: Pick<ConfigSources, 'flags' | 'env'>): EarlySettings {
  const alg = readSetting('signingAlg', { flags, env });
  return {
    signingAlg: alg.problems.length === 0 ? alg.value : undefined,
    hasKeysFile: readSetting('keysFile', { flags, env }).source !== undefined,
  };
}

/** Reads and checks everything. Throws one ConfigError that lists every problem. */
export async function loadConfig(sources: ConfigSources): Promise<Config> {
  const { file, problems: fileProblems } = await readFile(sources);
  const overrides: Document | undefined =
    sources.overrides === undefined
      ? undefined
      : { name: 'createSandbox', content: { ...sources.overrides }, isOverride: true, folder: sources.cwd };
  const documents = [overrides, file].filter(document => document !== undefined);
  const settings = readSettings({ ...sources, overrides, file });
  const { entries, problems: entryProblems } = collectEntries(documents, settings.values);
  const keys = await readKeys({ ...sources, overrides, file }, settings.values, sources.cwd);
  const problems = [
    ...fileProblems,
    ...documents.flatMap(unknownMembers),
    ...settings.problems,
    ...entryProblems,
    ...(await checkEntries(entries)),
    ...keys.problems,
  ];
  if (problems.length > 0) throw new ConfigError(problems);
  return toConfig(settings.values, buildRegistration(entries, settings.values), keys.keys, file);
}

/** The file that was asked for, or the one that lies in the working directory. */
async function readFile({ flags, env, cwd }: ConfigSources): Promise<FileReading> {
  const asked = readSetting('configFile', { flags, env });
  // A faulty value is told with the other settings.
  if (asked.problems.length > 0) return { problems: [] };
  if (asked.value !== undefined) return loadDocument(asked.value, cwd, asked.source);
  if (cwd === undefined) return { problems: [] };
  const [found, another] = findConfigFiles(cwd);
  if (found === undefined) return { problems: [] };
  if (another === undefined) return loadDocument(found, cwd);
  const expected = `one configuration file, not both ${found} and ${another}: remove one, or choose with --config`;
  return { problems: [{ source: 'working directory', expected }] };
}

interface FileReading {
  readonly file?: Document;
  readonly problems: readonly Problem[];
}

/** `askedBy` is the flag or variable that named the file; what is wrong with loading it is wrong there. */
async function loadDocument(name: string, cwd = '', askedBy?: string): Promise<FileReading> {
  const path = resolve(cwd, name);
  const { loadConfigFile } = await import('./clients-file.ts');
  const loaded = await loadConfigFile(path);
  if ('fault' in loaded) {
    const asked = askedBy === undefined ? { source: name } : { source: askedBy, value: show(name) };
    return { problems: [{ ...asked, expected: loaded.fault }] };
  }
  if (isRecord(loaded.content)) return { file: { name, content: loaded.content, folder: dirname(path) }, problems: [] };
  return { problems: [toProblem(name, { path: [], value: loaded.content, expected: 'an object as default export' })] };
}

const memberNames: readonly string[] = [
  ...registrationMembers,
  ...settingList.filter(row => row.inFile).map(row => row.name),
];

function unknownMembers({ name, content }: Document): Problem[] {
  return Object.keys(content)
    .filter(member => !memberNames.includes(member))
    .map(member =>
      toProblem(name, { path: [member], expected: 'a known name', nearest: nearestName(member, memberNames) }),
    );
}

/** The built-in file is not checked at every start: a test does that. */
async function checkEntries(entries: RegistrationEntries): Promise<readonly Problem[]> {
  const { clients, users, scopes, collections } = entries;
  const all: readonly Located[] = [...clients, ...users, ...scopes, ...collections];
  if (all.every(({ document, replaced }) => document === builtInDocument.name && replaced === undefined)) return [];
  const { checkRegistration } = await import('./check-registration.ts');
  return checkRegistration(entries);
}

async function readKeys(
  sources: SettingSources,
  { keysFile, signingAlg }: SettingValues,
  cwd = '',
): Promise<{ keys: Config['keys']; problems: readonly Problem[] }> {
  if (keysFile === undefined) return { keys: [], problems: [] };
  const { source = '', folder = cwd } = readSetting('keysFile', sources);
  const { readKeysFile } = await import('./keys-file.ts');
  const { keys, findings } = await readKeysFile(resolve(folder, keysFile), signingAlg);
  const problems = findings.map(finding =>
    finding.path.length === 0
      ? { source, value: show(keysFile), expected: finding.expected }
      : toProblem(keysFile, finding),
  );
  return { keys, problems };
}

function toConfig(values: SettingValues, registration: Registration, keys: Config['keys'], file?: Document): Config {
  const { configFile: _, issuer, ...others } = values;
  // What only shapes the registration is in there by now.
  const { clients, users, scopes, collections } = registration;
  const { frontendClientId, frontendRedirectUris, sensorClientId, sensorClientSecret, ...settings } = others;
  const { accessTokenLifetime, requirePkce, registrationToken, ...kept } = settings;
  return Object.freeze({
    ...kept,
    ...(issuer === undefined ? {} : { issuer }),
    ...(file === undefined ? {} : { configFile: file.name }),
    ...(registrationToken === undefined ? {} : { registrationToken }),
    clientDefaults: { accessTokenLifetime, requirePkce },
    clients,
    users,
    scopes,
    collections,
    keys,
  });
}
