import { existsSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { discoveryPath, type SnippetClient, type SnippetFacts } from '../../dashboard/snippets/snippet-facts.ts';
import { snippetOf } from '../../dashboard/snippets/snippets.ts';
import { findConfigFiles } from '../../sandbox/config/find-config-files.ts';
import { exampleOf, presetChoice } from '../../sandbox/config/preset-choice.ts';
import { chosenOf, type PresetChoice } from '../../sandbox/config/provider-traits.ts';
import { loadPreset } from '../../sandbox/presets.ts';
import type { Provider, ProviderSdks } from '../../sandbox/provider.ts';
import {
  type Command,
  CommandFailure,
  done,
  type Given,
  isOn,
  type ProgramModules,
  textOf,
  type World,
} from './command.ts';
import { type Variant, variants } from './init-variants.ts';
import { type OutFile, writeNew, writeText } from './out-file.ts';

const usualName = 'clients.config.ts';

/** `grantbox init`. Its help shows the example of a provider, if one has any. */
export function command({ providers }: ProgramModules): Command {
  const example = exampleOf(providers);
  return {
    usage: '[<variant>…] [--preset <name>] [--output <file>] [--force | --print]',
    about: [
      `Writes a ${usualName} with comments. The file has a client for each variant you name, users, and a sample API. A comment above each client shows the matching configuration of the app. An existing file is not changed.`,
      `The variants: ${[...variants].map(([name, { title }]) => `${name} (${lowerFirst(title)})`).join('; ')}.`,
    ],
    words: { name: 'variant', choices: [...variants.keys()], most: variants.size },
    flags: [
      { name: 'output', value: '<file>', about: 'File to write, ending in .ts or .mts', fallback: usualName },
      {
        name: 'preset',
        value: '<name>',
        about: `Provider that the sandbox speaks like, and whose SDK the comments show${example === undefined ? '' : `; its options follow: ${example.text}`}`,
      },
      { name: 'force', about: 'Replace an existing file' },
      { name: 'print', about: 'Print to standard output and write no file' },
    ],
    examples: [
      ['grantbox init', usualVariants().join(' and ')],
      ['grantbox init angular spring', 'write a front end and its back end'],
      ...exampleLines(example?.name),
      ['grantbox init nextjs --print', 'print the file first'],
    ],
    async run(given, world) {
      const preset = presetOf(given, world);
      const names =
        given.words.length === 0 ? usualVariants(chosenOf(providers, preset)?.sdks) : [...new Set(given.words)];
      const chosen = [...variants.values()].filter(({ name }) => names.includes(name));
      const text = await (preset === undefined
        ? configFileText(chosen)
        : configFileText(await withPreset(chosen, preset, providers), textOf(given, 'preset') !== preset.name));
      if (isOn(given, 'print')) {
        if (isOn(given, 'output') || isOn(given, 'force'))
          throw new CommandFailure('--print writes no file, so it cannot be used with --output or --force');
        return done(text);
      }
      const target = targetOf(given, world);
      const { path, typed } = target;
      if (isOn(given, 'force')) writeText(path, text, typed);
      else writeNew(target, text, 'Replace it with --force, or print the new file with --print.');
      const start = basename(path) === usualName ? 'start grantbox in its folder' : `grantbox start --config ${typed}`;
      return done(`${typed} was written with ${names.join(', ')}. Next:  ${start}`);
    },
  };
}

function exampleLines(provider: string | undefined): Command['examples'] {
  if (provider === undefined) return [];
  return [[`grantbox init react --preset ${provider}`, `a sandbox that speaks like ${provider}, and its SDK`]];
}

function presetOf(given: Given, { modules }: World): PresetChoice | undefined {
  const typed = textOf(given, 'preset');
  if (typed === undefined) return undefined;
  const reading = presetChoice(modules.providers).read(typed);
  if (!('findings' in reading)) return reading.value;
  const [{ path = [], expected = '', nearest = undefined } = {}] = reading.findings;
  const what = ['--preset', ...path].join(' ');
  const advice = nearest === undefined ? undefined : `Did you mean ${nearest}?`;
  throw new CommandFailure(`${what} expects ${expected}, not ${JSON.stringify(typed)}`, 1, advice);
}

function targetOf(given: Given, { cwd }: World): OutFile {
  const typed = textOf(given, 'output') ?? usualName;
  if (!/\.m?ts$/.test(typed))
    throw new CommandFailure(`--output expects a file ending in .ts or .mts, not ${JSON.stringify(typed)}`);
  const path = resolve(cwd, typed);
  const folder = dirname(path);
  if (!existsSync(folder)) throw new CommandFailure(`the folder ${folder} does not exist`, 1, 'Create it first.');
  // a start finds this name by itself, and refuses to choose between two files
  const another = findConfigFiles(folder).find(name => name !== basename(path));
  const isFound = /^clients\.config\./.test(basename(path));
  if (another === undefined || !isFound) return { path, typed };
  const advice = 'Remove that file, or choose a different name with --output and start with --config.';
  throw new CommandFailure(`${another} already exists, and a sandbox reads only one configuration file`, 1, advice);
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

/** Writes a `clients.config.ts` with a client for each variant, users and a sample API. */
async function configFileText(chosen: readonly Variant[], hasOwnOptions = false): Promise<string> {
  const [any] = chosen;
  if (any === undefined) throw new Error('a configuration has a client at least');
  const clients = await Promise.all(chosen.map(clientText));
  return (await snippetOf('config-file', any.facts, { clients: clients.join('\n'), hasOwnOptions })).code;
}

/** The configuration of the matching application, or a command to try it. */
export async function applicationText({ application, facts }: Variant): Promise<string> {
  const parts = await Promise.all(application.map(id => snippetOf(id, facts)));
  return parts.map(({ code }) => code.trimEnd()).join('\n\n');
}

async function clientText(variant: Variant): Promise<string> {
  const { client, facts, leadIn = 'Configuration of the app' } = variant;
  const { title, note } = await namedByLibrary(variant);
  const comment = [`${title}. ${leadIn}:`, '', ...(await applicationText(variant)).split('\n'), ...note];
  const entry = (await snippetOf(client, facts)).code.trimEnd();
  return [
    ...comment.map(line => `    // ${line}`.trimEnd()),
    '    {',
    ...entry.split('\n').map(line => `      ${line}`),
    '    },',
  ].join('\n');
}

async function namedByLibrary({ title, sdk, facts }: Variant) {
  if (sdk === undefined) return { title, note: [] };
  const snippet = await snippetOf(sdk, facts);
  const [, library = ''] = /, (.+)$/.exec(snippet.title) ?? [];
  return {
    title: title.replace(/ with .+| in Express/, ` with ${library}`),
    note: snippet.note === '' ? [] : ['', snippet.note],
  };
}

/** The variants that a file gets if none is named: those with an SDK of the provider, if they exist. */
function usualVariants({ server, browser, service }: ProviderSdks = {}): readonly string[] {
  if (server !== undefined) return ['nextjs'];
  return service !== undefined && browser === undefined ? ['machine'] : ['react', 'machine'];
}

/** The variants for a sandbox that speaks like a provider, with the SDKs of that provider where they exist. */
async function withPreset(
  chosen: readonly Variant[],
  preset: PresetChoice,
  providers: readonly Provider[],
): Promise<readonly Variant[]> {
  const { callback, needsTls, ...snippets } = chosenOf(providers, preset)?.sdks ?? {};
  const facts = await presetFacts(preset, providers, needsTls ? 'https://localhost:9000' : 'http://localhost:9000');
  return chosen.map(variant => {
    const sdk = variant.kind && snippets[variant.kind];
    const { web, api } = variant.facts;
    const spoken: Variant = {
      ...variant,
      facts: {
        ...variant.facts,
        ...facts,
        ...(api && { api: { ...api, url: `${facts.issuer}/api/tasks` } }),
        ...(web && sdk !== undefined && callback !== undefined && { web: returningTo(web, callback) }),
      },
    };
    if (sdk === undefined) return spoken;
    const { leadIn: _, ...rest } = spoken;
    // the command that calls an API stays
    return { ...rest, sdk, application: [sdk, ...variant.application.slice(1)] };
  });
}

async function presetFacts(preset: PresetChoice, providers: readonly Provider[], address: string) {
  const { issuerAt, dialect, paths } = await loadPreset(preset, providers);
  const issuer = issuerAt(address);
  const iss = dialect.identifier(issuer);
  const at = {
    token: issuer + paths.token,
    jwks: issuer + paths.jwks,
    authorize: issuer + paths.authorize,
    discovery: address + discoveryPath(issuer, iss),
  };
  const provider = { ...preset, address, accessTokenType: dialect.accessTokenType };
  return { issuer, iss, at, behind: at, provider } satisfies Partial<SnippetFacts>;
}

/** Auth.js has the name of the provider in the path. */
function returningTo(client: SnippetClient, callback: string): SnippetClient {
  return { ...client, redirectUri: new URL(callback, client.redirectUri).href };
}
