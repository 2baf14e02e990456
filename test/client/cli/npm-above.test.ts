import { describe, expect, it } from 'vitest';
import { npmAbove, otherProcess } from '../../../src/client/cli/other-process.ts';

/** Processes by the arguments of each, the nearest first: 100 is the parent, 101 its parent, and so on. */
function above(...chain: readonly (readonly string[])[]): number[] {
  return npmAbove(100, pid => {
    const args = chain[pid - 100];
    return args && { args, parent: pid + 1, ticks: 0 };
  });
}

const shell = (script: string) => ['sh', '-c', script, ''];
const npx = ['npm exec grantbox', '', ''];
const bash = ['-bash', ''];

describe('the processes by which npm runs a command', () => {
  it.each([
    ['npx', [shell("'grantbox'"), npx, bash], [100, 101]],
    ['npx before it has a title', [shell('grantbox'), ['/usr/bin/node', '/usr/bin/npx', 'grantbox'], bash], [100, 101]],
    ['npx whose shell becomes the command', [npx, bash], [100]],
    ['a script', [shell('PORT=9100 grantbox && echo stopped 2>&1 &>log'), ['npm run idp', '']], [100, 101]],
    [
      'a script that runs npx',
      [shell('grantbox'), npx, shell('npx grantbox'), ['npm start', '']],
      [100, 101, 102, 103],
    ],
    [
      'npx in a shell that is not of npm',
      [shell('grantbox'), npx, shell('npx grantbox'), ['node', 'a.js']],
      [100, 101],
    ],
    ['pnpm', [shell('grantbox'), ['node', '/opt/pnpm/bin/pnpm.cjs', 'run', 'idp'], bash], [100, 101]],
    ['yarn', [['/bin/sh', '-c', 'grantbox'], ['/usr/bin/node', '/usr/bin/yarn', 'idp'], bash], [100, 101]],
  ])('are found: %s', (_what, chain, pids) => {
    expect(above(...chain)).toEqual(pids);
  });

  it.each([
    ['a terminal', [bash]],
    ['a shell without npm', [shell('grantbox'), ['node', '/srv/npm/start.js']]],
    ['a script that puts it into the background', [shell('grantbox & grantbox wait'), ['npm run idp']]],
    ['a script with nohup', [shell('nohup grantbox >log'), ['npm run idp']]],
    ['a test runner', [['node', '/app/node_modules/.bin/vitest'], shell('vitest'), ['npm test']]],
    ['a program with the option of a shell', [['python', '-c', 'start()'], shell('python -c "start()"'), ['npm test']]],
  ])('are none where another program decides: %s', (_what, chain) => {
    expect(above(...chain)).toEqual([]);
  });
});

it.runIf(process.platform === 'linux')('a process is read from /proc', () => {
  const self = otherProcess('self');
  expect(self).toMatchObject({ parent: process.ppid, args: expect.arrayContaining([expect.stringMatching(/\S/)]) });
  expect(self?.ticks).toBeGreaterThanOrEqual(otherProcess(process.ppid)?.ticks ?? 0);
  expect(otherProcess(2 ** 30)).toBeUndefined();
});
