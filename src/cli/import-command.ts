import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileFailure } from '../config/file-failure.ts';
import { type Command, CommandFailure, done, type Given, textOf, type World } from './command.ts';

/** `grantbox import`. */
export const importCommand: Command = {
  usage: '<file> [--out <file>]',
  about: [
    'Turns the JSON export of a Keycloak realm into a clients.config.ts with the preset keycloak, its clients, users and scopes. Prints the file to standard output, or writes it with --out. An existing file is not changed.',
    'Lists on standard error what the new file does not have, by its path in the export. The exit code is 0 even so, and 2 for a file that is not a realm export.',
  ],
  words: { name: 'file', most: 1 },
  flags: [{ name: 'out', value: '<file>', about: 'File to write, ending in .ts or .mts' }],
  examples: [
    [
      'grantbox import shop-realm.json --out clients.config.ts',
      'write a configuration with the clients and users of a realm',
    ],
    ['grantbox import shop-realm.json | less', 'read it first'],
  ],
  async run(given, world) {
    const [file] = given.words;
    if (file === undefined) throw new CommandFailure('name the file with the export: grantbox import shop-realm.json');
    const target = targetOf(given, world);
    const { importText, mostBytes } = await import('../presets/keycloak/import/import.ts');
    const imported = importText(readExport(resolve(world.cwd, file), file, mostBytes));
    if ('fault' in imported) throw notAnExport(file, imported.fault);
    const { text, notes } = imported;
    if (target !== undefined) write(target, text);
    const told = notes.length === 0 ? '' : `${headline}\n${notes.map(line => `- ${line}\n`).join('')}`;
    return done(target === undefined ? text : `${target.typed} was written.`, told);
  },
};

const headline = 'The new file does not have all of the export:';

interface Target {
  readonly typed: string;
  readonly path: string;
}

/** Checked before the export is read, so that a mistake costs no time. */
function targetOf(given: Given, { cwd }: World): Target | undefined {
  const typed = textOf(given, 'out');
  if (typed === undefined) return undefined;
  if (!/\.m?ts$/.test(typed))
    throw new CommandFailure(`--out expects a file ending in .ts or .mts, not ${JSON.stringify(typed)}`);
  const path = resolve(cwd, typed);
  if (existsSync(path)) throw alreadyThere(typed);
  return { typed, path };
}

function alreadyThere(typed: string): CommandFailure {
  return new CommandFailure(`${typed} already exists and was not changed`, 1, 'Choose a different name with --out.');
}

function readExport(path: string, typed: string, mostBytes: number): string {
  try {
    const facts = statSync(path);
    // reading a pipe that nobody writes into would block the process
    if (!facts.isFile()) throw new CommandFailure(`${typed} is a folder, a pipe or a device, not a file`);
    if (facts.size > mostBytes) throw notAnExport(typed, `it is larger than ${mostBytes / 1024 / 1024} MB`);
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof CommandFailure) throw error;
    throw new CommandFailure(`${typed} cannot be read (${fileFailure(error)})`);
  }
}

function notAnExport(typed: string, fault: string): CommandFailure {
  const advice = 'Export the realm in the admin console (Realm settings, Action, Partial export) or with kc.sh export.';
  return new CommandFailure(`${typed} cannot be imported as a realm export: ${fault}`, 2, advice);
}

/** Creates the file in one step, so that a file that appears meanwhile is not overwritten. */
function write({ typed, path }: Target, text: string): void {
  try {
    writeFileSync(path, text, { flag: 'wx' });
  } catch (error) {
    const isThere = error instanceof Error && 'code' in error && error.code === 'EEXIST';
    throw isThere ? alreadyThere(typed) : new CommandFailure(`${typed} cannot be written (${fileFailure(error)})`);
  }
}
