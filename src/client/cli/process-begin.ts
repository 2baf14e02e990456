import { spawnSync } from 'node:child_process';
import { CommandFailure } from './command.ts';
import { otherProcess } from './other-process.ts';

/**
 * When a process of this machine began, in Unix milliseconds; undefined if it has ended.
 * @throws CommandFailure on a system that does not tell
 */
export function processBegin(pid: number): number | undefined {
  const self = otherProcess('self');
  if (self === undefined) return beginByPs(pid);
  const other = otherProcess(pid);
  // counted from our own begin: containers may have a different start of the machine in /proc/uptime
  return other && performance.timeOrigin - (self.ticks - other.ticks) * 10;
}

/** The same by `ps`, rounded down to a second, for systems without `/proc`. */
export function beginByPs(pid: number): number | undefined {
  const options = { env: { LC_ALL: 'C' }, encoding: 'utf8' } as const;
  const { stdout, error } = spawnSync('ps', ['-o', 'lstart=', '-o', 'stat=', '-p', String(pid)], options);
  if (error !== undefined)
    throw new CommandFailure(`--pid needs /proc or ps, and this system has neither: leave --pid away`);
  const [, begin = '', state] = /^(.+\d{4}) +(\S+)\s*$/.exec(stdout.trim()) ?? [];
  const at = Date.parse(begin);
  return state === undefined || state.startsWith('Z') || Number.isNaN(at) ? undefined : at;
}
