import { existsSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { findConfigFiles } from '../../sandbox/config/find-config-files.ts';
import { presetChoice } from '../../sandbox/config/preset-choice.ts';
import type { PresetChoice } from '../../sandbox/config/provider-traits.ts';
import { type Command, CommandFailure, done, type Given, isOn, textOf, type World } from './command.ts';
import { configFileText } from './init-file.ts';
import { usualVariants, withPreset } from './init-presets.ts';
import { variants } from './init-variants.ts';
import { type OutFile, writeNew, writeText } from './out-file.ts';

const usualName = 'clients.config.ts';

/** `grantbox init`. */
export const command: Command = {
  usage: '[<variant>…] [--preset <name>] [--output <file>] [--force | --print]',
  about: [
    `Writes a ${usualName} with comments. The file has a client for each variant you name, users, and a sample API. A comment above each client shows the matching configuration of the application. An existing file is not changed.`,
    `The variants: ${[...variants].map(([name, { title }]) => `${name} (${lowerFirst(title)})`).join('; ')}.`,
  ],
  words: { name: 'variant', choices: [...variants.keys()], most: variants.size },
  flags: [
    { name: 'output', value: '<file>', about: 'File to write, ending in .ts or .mts', fallback: usualName },
    {
      name: 'preset',
      value: '<name>',
      about:
        'Provider that the sandbox speaks like, and whose SDK the comments show; its options follow: keycloak,realm=shop',
    },
    { name: 'force', about: 'Replace an existing file' },
    { name: 'print', about: 'Print to standard output and write no file' },
  ],
  examples: [
    ['grantbox init', usualVariants().join(' and ')],
    ['grantbox init angular spring', 'write a front end and its back end'],
    ['grantbox init react --preset keycloak', 'a sandbox that speaks like Keycloak, and keycloak-js'],
    ['grantbox init nextjs --print', 'print the file first'],
  ],
  async run(given, world) {
    const { providers } = world.modules;
    const preset = presetOf(given, world);
    const names = given.words.length === 0 ? usualVariants(preset) : [...new Set(given.words)];
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
