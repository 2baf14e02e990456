import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it } from 'vitest';
import { beginByPs, processBegin } from '../../../src/client/cli/other-process.ts';
import { firstThatRuns, provide } from '../../judges/support/debian.ts';

it.runIf(process.platform !== 'win32')('tells when a process began, until it has ended', async () => {
  const child = spawn('cat');
  const { pid = 0 } = child;
  const begin = processBegin(pid);
  expect(begin).toBeGreaterThan(processBegin(process.pid) ?? Number.POSITIVE_INFINITY);
  child.stdin.end();
  await once(child, 'exit');
  expect(processBegin(pid)).toBeUndefined();
});

it.runIf(process.platform !== 'win32')('asks ps where there is no /proc, which leaves the fraction out', async () => {
  await provide({ name: 'ps', packages: ['procps'], find: () => firstThatRuns(['ps'], ['-p', '1']) });
  const begin = processBegin(process.pid) ?? 0;
  const byPs = beginByPs(process.pid) ?? 0;
  expect(begin - byPs).toBeGreaterThan(-1000);
  expect(begin - byPs).toBeLessThan(2000);
  expect(beginByPs(2 ** 22 + 1)).toBeUndefined();
});
