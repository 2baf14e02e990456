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
import { fileFailure } from '../../sandbox/config/file-failure.ts';
import { ConfigError, show, toProblem } from '../../sandbox/config/problem.ts';
import type { Issuer, WholeSandbox } from '../../sandbox/extension.ts';
import type { ReadyCheck } from '../../server/http/readiness.ts';
import { pathOf } from './operations.ts';
import { captureIssuer, restoreIssuer } from './saved-entries.ts';
import { readSavedState, type SavedIssuer, type SavedState, SavedStateError, stateVersion } from './saved-state.ts';

/** A state file that is kept up to date. */
export interface KeptState {
  /** Writes the last state. */
  close(): Promise<void>;
}

/** Milliseconds after a change, so that one request is written once. */
const delay = 500;
/** Part of its time that a process may spend on writing, at most. */
const share = 0.1;

/**
 * Restores what the issuers remembered, and writes it shortly after each change. Issuers that are created at run time are not
 * kept; those that the configuration no longer has stay in the file.
 * @throws ConfigError for a file that cannot be used
 */
export async function keepState(
  file: string,
  issuers: readonly Issuer[],
  { log, readiness }: Pick<WholeSandbox, 'log' | 'readiness'>,
): Promise<KeptState> {
  const before = readStateFile(file)?.issuers ?? {};
  for (const issuer of issuers) {
    const saved = before[pathOf(issuer)];
    if (saved !== undefined) await restoreIssuer(issuer, saved).catch(error => Promise.reject(refused(file, error)));
  }
  const capture = () => captureAll(issuers, before);
  writeFirst(file, await capture()); // a file that cannot be written is found now, and not when it is needed
  const written = createWriting(file, log, capture);
  readiness.add(written.check);
  const ends = issuers.map(({ events }) => events.hearOwn(written.soon));
  return {
    async close() {
      for (const end of ends) end();
      await written.now();
    },
  };
}

/** @throws ConfigError */
function writeFirst(file: string, text: string): void {
  try {
    writeStateFile(file, text);
  } catch (error) {
    const expected = `a file that this process can create or replace (${fileFailure(error)})`;
    throw new ConfigError([{ source: 'STATE_FILE', value: show(file), expected }]);
  }
}

/** Writes what has changed since the last time. */
function createWriting(file: string, log: WholeSandbox['log'], capture: () => Promise<string>) {
  let last = '';
  let timer: NodeJS.Timeout | undefined;
  let pause = delay;
  let writing = Promise.resolve();
  let failure: string | undefined;

  async function write(): Promise<void> {
    const begun = performance.now();
    try {
      const text = await capture();
      if (text !== last) writeStateFile(file, text);
      last = text;
      failure = undefined;
    } catch (err) {
      const words = 'the state cannot be written to STATE_FILE; it is tried again until it can';
      if (failure === undefined) log.failure({ err, file }, words);
      failure = `${words} (${fileFailure(err)})`;
    }
    pause = Math.max(delay, (performance.now() - begun) / share);
    if (failure !== undefined) soon(); // without it, nothing would happen that is told: a balancer sends no more requests
  }
  function now(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    writing = writing.then(write);
    return writing;
  }
  /** Every event may be about a change: what is the same is not written. */
  function soon(): void {
    timer ??= setTimeout(now, pause).unref();
  }
  return {
    now,
    soon,
    check: (): ReadyCheck =>
      failure === undefined
        ? { name: 'state_file', state: 'UP' }
        : { name: 'state_file', state: 'DOWN', detail: failure },
  };
}

async function captureAll(issuers: readonly Issuer[], before: Readonly<Record<string, SavedIssuer>>): Promise<string> {
  const captured = await Promise.all(issuers.map(async each => [pathOf(each), await captureIssuer(each)] as const));
  const saved = { ...before, ...Object.fromEntries(captured) };
  return `${JSON.stringify({ grantbox_state: stateVersion, issuers: saved })}\n`;
}

/**
 * Reads a state file; undefined if there is none yet.
 * @throws ConfigError for a file that cannot be read, or that is damaged or newer: it is left as it is
 */
function readStateFile(path: string): SavedState | undefined {
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

export function textOf(path: string): string | undefined {
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
