import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { ConfigError, toProblem } from '../../sandbox/config/problem.ts';
import type { SavedState } from './saved-state.ts';
import { readSavedState, SavedStateError } from './saved-state.ts';

/**
 * Reads a state file; undefined if there is none yet.
 * @throws ConfigError for a file that cannot be read, or that is damaged or newer: it is left as it is
 */
export function readStateFile(path: string): SavedState | undefined {
  const text = textOf(path);
  if (text === undefined) return undefined;
  try {
    return readSavedState(JSON.parse(text.replace(/^\ufeff/, '')));
  } catch (error) {
    throw refused(path, error);
  }
}

/** The problem as one of the configuration. The file is not changed, so that nothing in it is lost. */
export function refused(path: string, error: unknown): ConfigError {
  const source = `STATE_FILE ${path}`;
  const left = 'the file was left as it is: mend it, or move it away to begin anew';
  if (error instanceof SavedStateError)
    return new ConfigError(
      error.findings.map(each => toProblem(source, { ...each, expected: `${each.expected}; ${left}` })),
    );
  const why = error instanceof SyntaxError ? 'it is damaged' : error instanceof Error ? error.message : String(error);
  return new ConfigError([{ source, expected: `a state file that Grantbox wrote (${why}); ${left}` }]);
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw refused(path, error);
  }
}

/**
 * Writes the file in one step: a process that ends meanwhile leaves the file before it. Only its owner may read it, because it
 * has private keys.
 */
export function writeStateFile(path: string, text: string): void {
  const target = existsSync(path) ? realpathSync(path) : path; // a link stays one
  const unfinished = `${target}.unfinished`;
  rmSync(unfinished, { force: true }); // a left-over one may have another mode
  const file = openSync(unfinished, 'wx', 0o600);
  try {
    for (let rest = Buffer.from(text); rest.length > 0; ) rest = rest.subarray(writeSync(file, rest));
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(unfinished, target);
  syncFolder(dirname(target));
}

/** Only then the new name outlives a power cut. A system that cannot open a folder does without. */
function syncFolder(path: string): void {
  try {
    const folder = openSync(path, 'r');
    try {
      fsyncSync(folder);
    } finally {
      closeSync(folder);
    }
  } catch {}
}
