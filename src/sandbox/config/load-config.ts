import { resolve } from 'node:path';
import { defined } from '../../base/defined.ts';
import type { Extension, Modules } from '../extension.ts';
import type { AddedDocuments } from './added-documents.ts';
import type { ClientDefaults, Config, IssuerConfig } from './config.ts';
import { type FileReading, readFile } from './config-file.ts';
import { type Document, type Located, placed } from './documents.ts';
import { type EffectiveSetting, effectiveSettings } from './effective-settings.ts';
import type { IssuerSources } from './issuers.ts';
import { addedTo, checkEntries, issuersIn, readKeys, withLogos, withoutEffectIn } from './on-demand.ts';
import { urlOf } from './own-url.ts';
import { presetSettings } from './preset-settings.ts';
import { ConfigError, type ConfigProblem } from './problem.ts';
import { fapiDefault, idTokenAlgOf, profiledAlg } from './profile-defaults.ts';
import { chosenOf, type ProviderTraits } from './provider-traits.ts';
import {
  buildRegistration,
  collectEntries,
  isShipped,
  type RegistrationConfig,
  type RegistrationEntries,
} from './registration.ts';
import type { ClientEntry, SandboxConfig } from './sandbox-config.ts';
import type { ConfiguredBy } from './setting.ts';
import { readRow, readSetting, readSettings, type SettingSources, type ValueSources } from './setting-values.ts';
import { type Setting, type SettingRows, type SettingValues, settingsWith } from './settings.ts';
import type { TlsReading } from './tls-files.ts';
import { unknownMembers, wholeMembers } from './unknown-members.ts';

export { ConfigError, type ConfigProblem } from './problem.ts';
export type { Environment, Flags } from './setting-values.ts';

/** Where configuration comes from, strongest first: overrides and flags, environment, file, defaults. */
export interface ConfigSources extends Pick<ValueSources, 'flags' | 'env'> {
  /**
   * Folder in which `clients.config.*` is looked for, and base of relative paths. Absent: no file is looked for by
   * name.
   */
  readonly cwd?: string;
  /** The options of `createSandbox`; they rank like flags. */
  readonly overrides?: SandboxConfig;
  /** What the sandbox is put together from: settings of extensions are read, too. Default: the core alone. */
  readonly modules?: Modules;
}

/** Settings known before any file is read, so that key generation can start at once. */
export interface EarlySettings {
  /** From flag, environment or default; undefined where the given one is invalid. */
  readonly signingAlg: string | undefined;
  /** True if flag or environment gives a source of keys, so that none needs to be generated. */
  readonly hasKeys: boolean;
}

/** Never throws: `loadConfig` reports the problems. */
export function readEarlySettings({ flags, env }: Pick<ConfigSources, 'flags' | 'env'>): EarlySettings {
  const alg = readSetting('signingAlg', { flags, env });
  return {
    signingAlg: alg.problems.length === 0 ? profiledAlg(alg, { flags, env }) : undefined,
    hasKeys: (['keysFile', 'seed'] as const).some(name => readSetting(name, { flags, env }).source !== undefined),
  };
}

/** A configuration, and what the sandbox of it is put together from. */
export interface LoadedConfig extends Config {
  readonly modules: Modules;
}

/** Reads and checks everything. Throws one ConfigError that lists every problem. */
export async function loadConfig(sources: ConfigSources): Promise<LoadedConfig> {
  return configFrom(sources, await readFile(sources));
}

async function configFrom(sources: ConfigSources, reading: FileReading): Promise<LoadedConfig> {
  const { file: found, problems: fileProblems } = reading;
  const [{ document: overrides, problems: givenLogos }, { document: file, problems: foundLogos }] = await Promise.all([
    withLogos(givenIn(sources)),
    withLogos(found),
  ]);
  const written = [overrides, file].filter(document => document !== undefined);
  const { modules = { extensions: [], providers: [] }, cwd } = sources;
  const { extensions, providers } = modules;
  const given = { sources: { ...sources, overrides, file }, documents: written, again: reading.again, cwd: cwd ?? '' };
  const added = await addedTo(given, extensions);
  const { documents, imported } = added;
  const all = { ...sources, overrides, file, imported, extensions, providers, table: settingsWith(modules) };
  const { issuers, problems: issuerProblems } = await issuersIn(documents, all);
  const first = await readIssuer(all, documents, sources.cwd);
  // members left out are those of the first issuer
  function readOther(document: Document): Promise<IssuerReading> {
    const own = { ...document, content: { ...overrides?.content, ...document.content } };
    return readIssuer({ ...all, overrides: own }, [document, ...documents], sources.cwd);
  }
  const others = await Promise.all(
    issuers.map(async ({ path, document }) => ({ path, reading: await readOther(document) })),
  );
  const problems = [
    ...fileProblems,
    ...givenLogos,
    ...foundLogos,
    ...written.flatMap(document => unknownMembers(document, wholeMembers(all.table))),
    ...added.problems,
    ...issuerProblems,
    ...first.problems,
    ...others.flatMap(({ reading }) => reading.problems),
    ...(await Promise.all(extensions.map(each => each.wholeProblems?.(all) ?? []))).flat(),
  ];
  if (problems.length > 0) throw new ConfigError(distinct(problems).map(problem => placed(problem, file)));
  const built = others.map(({ path, reading }) => ({ path, config: reading.build() }));
  const derive = deriverOf(all, readOther, cwd);
  const config = first.build();
  const folder = file?.folder ?? cwd;
  const again = rereadable(sources, added);
  return Object.freeze({ ...config, folder, issuers: built, derive, modules, notes: added.notes, ...again });
}

/** Makes configurations at run time. */
function deriverOf(
  all: IssuerSources,
  readOther: (document: Document) => Promise<IssuerReading>,
  cwd: string | undefined,
): Config['derive'] {
  return async (name, content, isAlone) => {
    const { deriveIssuer, aloneIn } = await import('./derive-issuer.ts');
    const alone = aloneIn(all);
    const readAlone = (own: Document) => readIssuer({ ...alone(own), extensions: all.extensions }, [own], cwd);
    return deriveIssuer(name, content, all.table, isAlone ? readAlone : readOther);
  };
}

/**
 * Reads the same file again, even if other configuration files were added beside it; flags and environment still take
 * precedence.
 */
function rereadable(sources: ConfigSources, { again }: AddedDocuments): Pick<Config, 'file'> {
  if (again === undefined) return {};
  return { file: { ...again, read: async () => configFrom(sources, await again.read()) } };
}

function givenIn({ overrides, cwd }: ConfigSources): Document | undefined {
  return overrides && { name: 'createSandbox', content: { ...overrides }, isOverride: true, folder: cwd };
}

interface IssuerReading {
  readonly problems: readonly ConfigProblem[];
  /** Called only if there are no problems. */
  build(): IssuerConfig;
}

/** Makes one issuer from documents that were read before; `documents` strongest first. */
async function readIssuer(
  sources: IssuerSources,
  documents: readonly Document[],
  cwd: string | undefined,
): Promise<IssuerReading> {
  const { values, problems } = settingsOf(sources);
  const provider = chosenOf(sources.providers, values.preset);
  const { entries: own, problems: entryProblems } = collectEntries(documents, values, provider);
  const { entries, readyClients } = await withAdded(own, values, sources.extensions);
  const keys = await readKeys(sources, values, cwd);
  const tls = await readDemands(sources, values, entries.clients, cwd);
  const found = [
    ...problems,
    ...entryProblems,
    ...(await checkEntries(entries, sources, values)),
    ...(await Promise.all(sources.extensions.map(each => each.problems?.(sources) ?? []))).flat(),
    ...keys.problems,
    ...tls.problems,
  ];
  return {
    problems: found,
    build() {
      const defaults = clientSettings(values, provider);
      const registration = { ...buildRegistration(entries, defaults, sources.providers), readyClients };
      const config = toConfig(values, registration, keys.keys, sources);
      let effective: readonly EffectiveSetting[] | undefined;
      const settings = async () => {
        effective ??= effectiveSettings(sources, values);
        return effective;
      };
      const withoutEffect = withoutEffectIn({ entries, registration, values, provider }, sources.file);
      const { table } = sources;
      return Object.freeze({ ...config, table, settings, ...defined({ provider, tls: tls.tls, withoutEffect }) });
    },
  };
}

/** The user's entries, followed by those of extensions. */
async function withAdded(own: RegistrationEntries, values: SettingValues, extensions: readonly Extension[]) {
  const found = await Promise.all(extensions.map(each => each.entries?.(own, values)));
  const added = found.filter(each => each !== undefined);
  const clients = added.flatMap(each => each.clients);
  return {
    entries: {
      ...own,
      clients: [...own.clients, ...clients],
      trustedIssuers: [...own.trustedIssuers, ...added.flatMap(each => each.trustedIssuers)],
    },
    readyClients: {
      added: clients.map(({ raw }) => (raw as ClientEntry).client_id), // a test has checked them
      replaced: added.flatMap(({ replaced }) => replaced),
    },
  };
}

function settingsOf(sources: SettingSources): ReturnType<typeof readSettings> {
  const { values, problems } = readSettings(sources);
  const reading = { values: { ...values, ...presetSettings(values, sources) }, problems };
  return values.profile === 'none' ? reading : underFapi(reading, sources);
}

/**
 * Reads the TLS settings and checks that all demands can be met. Both checks are loaded only if needed, to keep the
 * start fast.
 */
async function readDemands(
  sources: SettingSources,
  values: SettingValues,
  clients: readonly Located[],
  cwd: string | undefined,
): Promise<TlsReading> {
  const { tls, tlsCert, tlsKey, tlsClientCa, features, profile, registration, backchannelUrl, anyIssuer } = values;
  const isBuiltIn = clients.every(isShipped);
  const hasTls = tls !== 'off' || [tlsCert, tlsKey, tlsClientCa].some(file => file !== undefined);
  const isAlone = !anyIssuer && profile === 'none' && registration !== 'token';
  const isPlain = isAlone && Object.keys(features).length === 0;
  if (isBuiltIn && !hasTls && isPlain && backchannelUrl === undefined) return { problems: [] };
  const [{ readTls }, { unmetDemands }] = await Promise.all([import('./tls.ts'), import('./unmet-demands.ts')]);
  const reading = await readTls(sources, values, clients, cwd);
  const isHttps = reading.tls !== undefined;
  const unmet = unmetDemands(sources, values, clients, { isHttps });
  return { ...reading, problems: [...reading.problems, ...unmet, ...backchannelProblems(sources, values, isHttps)] };
}

/** Problems of settings that several issuers share, each once. */
function distinct(problems: readonly ConfigProblem[]): ConfigProblem[] {
  return [...new Map(problems.map(problem => [JSON.stringify(problem), problem])).values()];
}

/** Each setting that a file may set and that has a value, by name. The registration already has the others. */
function toConfig(
  values: SettingValues,
  registration: RegistrationConfig & Pick<Config, 'readyClients'>,
  keys: Config['keys'],
  sources: SettingSources,
) {
  const { file } = sources;
  const { tls: _tls, ...configured } = configuredOf(values, sources); // made from more than its row
  return { ...configured, ...(file === undefined ? {} : { configFile: file.name }), ...registration, keys };
}

function configuredOf(values: SettingValues, sources: SettingSources): ConfiguredBy<SettingRows> {
  const all: Readonly<Record<string, unknown>> = { ...values };
  const named = sources.table.filter(({ name, inFile }) => inFile && all[name] !== undefined);
  const configured = (row: Setting) => (row.isPath ? absolute(row, String(all[row.name]), sources) : all[row.name]);
  // the names are those of the type, and those of extensions, which read their own
  return Object.fromEntries(named.map(row => [row.name, configured(row)])) as unknown as ConfiguredBy<SettingRows>;
}

function absolute(row: Setting, path: string, sources: SettingSources): string {
  return resolve(readRow(row, sources).folder ?? sources.cwd ?? '', path);
}

/** Settings that a client takes over where its entry leaves the member out. */
function clientSettings(values: SettingValues, provider: ProviderTraits | undefined): Omit<ClientDefaults, 'scope'> {
  const { accessTokenLifetime, requirePkce, consent } = values;
  const given = defined({ ofPreset: provider?.clientDefaults, subjectPrefix: provider?.subjectPrefix });
  return { accessTokenLifetime, requirePkce, consent, idTokenAlg: idTokenAlgOf(values), ...given };
}

/** FAPI 2.0 Security Profile §5.4.1. */
const fapiAlgs: readonly string[] = ['PS256', 'ES256', 'EdDSA', 'Ed25519'];

interface Reading {
  readonly values: SettingValues;
  readonly problems: readonly ConfigProblem[];
}

/**
 * Under the profile fapi2 the default algorithm is one that the profile allows. A forbidden one that was set is a
 * problem.
 */
function underFapi({ values, problems }: Reading, sources: SettingSources): Reading {
  const found = [...problems, ...tooLong(sources), ...withoutPar(sources)];
  const alg = readSetting('signingAlg', sources);
  if (alg.source === undefined) return { values: { ...values, signingAlg: fapiDefault }, problems: found };
  if (fapiAlgs.includes(alg.value)) return { values, problems: found };
  const expected = `${fapiAlgs.join(', ')}, under the profile fapi2`;
  return { values, problems: [...found, { source: alg.source, value: JSON.stringify(alg.value), expected }] };
}

/** FAPI 2.0 Security Profile §5.3.2.1 and §5.3.2.2, in seconds; the second is to be less than ten minutes. */
const longest = { codeLifetime: 60, pushedRequestLifetime: 599 } as const;

/** Lifetimes that the profile does not allow. The defaults are allowed. */
function tooLong(sources: SettingSources): ConfigProblem[] {
  return (['codeLifetime', 'pushedRequestLifetime'] as const).flatMap(name => {
    const { value, source } = readSetting(name, sources);
    if (source === undefined || value <= longest[name]) return [];
    return [{ source, value: `${value}`, expected: `at most ${longest[name]} seconds, under the profile fapi2` }];
  });
}

/** FAPI 2.0 Security Profile §5.3.2.2: every request is pushed, so the endpoint must be on. */
function withoutPar(sources: SettingSources): ConfigProblem[] {
  const { value, source } = readSetting('features', sources);
  if (source === undefined || value.par !== false) return [];
  return [{ source, value: 'par off', expected: 'par on, under the profile fapi2' }];
}

/** Problems of the back-channel URL. Only the `Host` of a request tells it apart from the public URL. */
function backchannelProblems(sources: SettingSources, values: SettingValues, isHttps: boolean): ConfigProblem[] {
  const { backchannelUrl } = values;
  if (backchannelUrl === undefined) return [];
  const { source = '' } = readSetting('backchannelUrl', sources);
  const problem = (expected: string) => [{ source, value: JSON.stringify(backchannelUrl), expected }];
  const { host, origin, protocol } = new URL(backchannelUrl);
  if (isHttps && protocol === 'http:') return problem('an https URL, because this sandbox speaks HTTPS');
  // as it will be; with port 0 the real port is not known yet
  const issuer = new URL(values.issuer ?? urlOf(isHttps, values.host, values.port));
  if (host !== issuer.host || origin === issuer.origin) return [];
  return problem(
    `a host or port that differs from the issuer's, ${issuer.host}: a request does not tell http from https`,
  );
}
