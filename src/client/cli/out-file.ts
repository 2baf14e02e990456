import { existsSync, readFileSync, type WriteFileOptions, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileFailure } from '../../sandbox/config/file-failure.ts';
import { CommandFailure, type Given, textOf, type World } from './command.ts';

/** A file that a command creates. */
export interface OutFile {
  readonly typed: string;
  readonly path: string;
}

/**
 * The file of `--out`, checked before the work begins, so that a mistake costs no time.
 * @throws CommandFailure for a file that is there, or that no sandbox reads
 */
export function outFile(given: Given, { cwd }: Pick<World, 'cwd'>): OutFile | undefined {
  const typed = textOf(given, 'out');
  if (typed === undefined) return undefined;
  if (!/\.m?ts$/.test(typed))
    throw new CommandFailure(`--out expects a file ending in .ts or .mts, not ${JSON.stringify(typed)}`);
  return newFile(typed, cwd);
}

/** @throws CommandFailure for a file that is there */
export function newFile(typed: string, cwd: string): OutFile {
  const path = resolve(cwd, typed);
  if (existsSync(path)) throw alreadyThere(typed);
  return { typed, path };
}

function alreadyThere(typed: string, advice = 'Choose a different name with --out.'): CommandFailure {
  return new CommandFailure(`${typed} already exists and was not changed`, 1, advice);
}

/**
 * Creates the file in one step, so that a file that appears meanwhile is not overwritten.
 * @throws CommandFailure
 */
export function writeNew({ typed, path }: OutFile, text: string, advice?: string): void {
  try {
    writeFileSync(path, text, { flag: 'wx' });
  } catch (error) {
    const isThere = error instanceof Error && 'code' in error && error.code === 'EEXIST';
    throw isThere ? alreadyThere(typed, advice) : unwritable(typed, error);
  }
}

/** @throws CommandFailure that begins with `said`, such as the name of the file */
export function writeText(path: string, text: string, said: string, options: WriteFileOptions = {}): void {
  try {
    writeFileSync(path, text, options);
  } catch (error) {
    throw unwritable(said, error);
  }
}

function unwritable(said: string, error: unknown): CommandFailure {
  return new CommandFailure(`${said} cannot be written (${fileFailure(error)})`);
}

const standardInput = 0;

/**
 * The text of a file; `-` is standard input.
 * @throws CommandFailure that begins with `flag`
 */
export function readText(typed: string, { cwd }: Pick<World, 'cwd'>, flag = ''): string {
  try {
    return readFileSync(typed === '-' ? standardInput : resolve(cwd, typed), 'utf8');
  } catch (error) {
    throw new CommandFailure(`${flag}${typed} cannot be read (${fileFailure(error)})`);
  }
}
