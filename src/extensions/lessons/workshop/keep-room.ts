import { isRecord } from '../../../base/text/record.ts';
import { fileFailure } from '../../../sandbox/config/file-failure.ts';
import { ConfigError, show } from '../../../sandbox/config/problem.ts';
import type { WholeSandbox } from '../../../sandbox/extension.ts';
import { textOf, writeStateFile } from '../../state/keep-state.ts';
import { exportRoom, importRoom } from './room-file.ts';
import type { Workshop } from './workshop.ts';

/** A room that is saved while it runs. */
export interface KeptRoom {
  /** Saves it for the last time. */
  close(): Promise<void>;
}

/** Seconds; with those of the timer, a restart loses a minute at the most. */
const distance = 55;
const timerMilliseconds = 5000;

/**
 * Restores the room of a file, and saves it there each minute in which something happened.
 * @throws ConfigError for a file that is not of a room, or cannot be written
 */
export async function keepRoom(
  file: string,
  workshop: Workshop,
  { log }: Pick<WholeSandbox, 'log'>,
): Promise<KeptRoom> {
  const text = textOf(file);
  const problem = text === undefined ? undefined : await importRoom(workshop, text);
  if (problem !== undefined)
    throw refused(file, `${problem} The file was left as it is: mend it, or move it away to begin anew`);
  let isChanged = true;
  let savedAt = workshop.now();
  let saving = Promise.resolve();
  let hasFailed = false;

  async function write(): Promise<void> {
    if (!isChanged) return;
    isChanged = false;
    savedAt = workshop.now();
    const { key, secret: cookie } = workshop.trainer;
    const room = { ...(await exportRoom(workshop, 'with what its issuers remember')), trainer: { key, cookie } };
    writeStateFile(file, `${JSON.stringify(room)}\n`);
  }
  async function tryToWrite(): Promise<void> {
    try {
      await write();
      hasFailed = false;
    } catch (err) {
      isChanged = true;
      if (!hasFailed)
        log.failure({ err, file }, 'the room cannot be written to its file; it is tried again each minute');
      hasFailed = true;
    }
  }
  function save(): Promise<void> {
    saving = saving.then(tryToWrite);
    return saving;
  }
  function saveIfLate(): void {
    if (workshop.now() - savedAt >= distance) void save();
  }

  await write().catch(error => Promise.reject(refused(file, `it cannot be written (${fileFailure(error)})`)));
  workshop.hear(() => {
    isChanged = true;
    saveIfLate();
  });
  const timer = setInterval(saveIfLate, timerMilliseconds).unref();
  return {
    async close() {
      clearInterval(timer);
      isChanged = true; // a page or a clock may have changed without a word
      await save();
    },
  };
}

/** The key and the cookie of the trainer in a file; undefined if there is none yet. */
export function trainerIn(file: string): { readonly key: string; readonly cookie: string } | undefined {
  const room = parsed(textOf(file));
  if (!isRecord(room) || !isRecord(room.trainer)) return undefined;
  const { key, cookie } = room.trainer;
  return typeof key === 'string' && typeof cookie === 'string' && cookie.length > 20 ? { key, cookie } : undefined;
}

function parsed(text = ''): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // `importRoom` says so
  }
}

function refused(file: string, why: string): ConfigError {
  return new ConfigError([{ source: 'WORKSHOP_FILE', value: show(file), expected: `a file of a room: ${why}` }]);
}
