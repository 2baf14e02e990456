import { describe, expect, it } from 'vitest';
import { createLogFile, type WriteBytes } from '../../../../src/server/http/log/output.ts';

/** A disk that answers each write as it is told, and takes everything when nothing is said. */
function disk() {
  const answers: (string | number)[] = [];
  const taken: string[] = [];
  const calls = { count: 0 };
  const write: WriteBytes = (_fd, bytes, done) => {
    calls.count++;
    const answer = answers.shift() ?? bytes.length;
    const isError = typeof answer === 'string';
    if (!isError) taken.push(Buffer.from(bytes.subarray(0, answer)).toString());
    const error = isError ? Object.assign(new Error(`${answer}: no`), { code: answer }) : null;
    setImmediate(done, error, isError ? 0 : answer);
  };
  return { answers, taken, calls, write };
}

const told: unknown[] = [];
const lost = (...facts: unknown[]) => void told.push(facts);

describe('the file of a log', () => {
  it('takes many lines in one write, and the rest of one that was cut short', async () => {
    const { answers, taken, write } = disk();
    const file = createLogFile(1, lost, write);
    for (const line of ['one\n', 'two\n', 'three\n']) file.write(line);
    answers.push(6);
    await file.flush();
    expect(taken).toEqual(['one\ntw', 'o\nthree\n']);
  });

  it('goes on after a flush that had nothing to write', async () => {
    const { taken, write } = disk();
    const file = createLogFile(1, lost, write);
    await file.flush();
    file.write('one\n');
    await file.flush();
    expect(taken).toEqual(['one\n']);
  });

  it('gives up lines on a full disk instead of trying for ever, and says how many once there is space', async () => {
    told.length = 0;
    const { answers, taken, calls, write } = disk();
    const file = createLogFile(1, lost, write);
    answers.push('ENOSPC', 'ENOSPC');
    file.write('one\n');
    await file.flush();
    file.write('two\nthree\n');
    await file.flush();
    expect({ calls: calls.count, taken, told }).toEqual({ calls: 2, taken: [], told: [] });
    file.write('four\n');
    await file.flush();
    expect(taken).toEqual(['four\n']);
    expect(told).toEqual([[3, 'ENOSPC: no']]);
  });

  it('tries again where writing would only block, but not without end', async () => {
    told.length = 0;
    const { answers, taken, calls, write } = disk();
    const file = createLogFile(1, lost, write);
    answers.push('EAGAIN', 'EAGAIN');
    file.write('one\n');
    await file.flush();
    expect(taken).toEqual(['one\n']);
    answers.push(...Array.from({ length: 1000 }, () => 'EAGAIN'));
    file.write('two\n');
    await file.flush();
    expect(calls.count).toBeLessThan(50);
    expect(taken).toEqual(['one\n']);
  });

  it('keeps a bounded number of lines while a reader does not read', async () => {
    told.length = 0;
    let release: (() => void) | undefined;
    let taken = 0;
    const file = createLogFile(1, lost, (_fd, bytes, done) => {
      taken += bytes.length;
      if (release === undefined) release = () => done(null, bytes.length);
      else done(null, bytes.length);
    });
    for (let line = 0; line < 10_000; line++) file.write(`${'x'.repeat(999)}\n`);
    release?.();
    await file.flush();
    expect(taken).toBe(1_017_000);
    expect(told).toEqual([[8983, 'the output is too slow']]);
  });
});
