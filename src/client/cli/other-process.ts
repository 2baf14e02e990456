import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { CommandFailure } from './command.ts';

/** A process of this machine. */
export interface OtherProcess {
  /** The program and its arguments. */
  readonly args: readonly string[];
  /** The process id of its parent. */
  readonly parent: number;
  /** When it began, in hundredths of a second since the start of the machine. */
  readonly ticks: number;
}

/** Reads a process from `/proc`, which Linux has. Undefined for a process that has ended, also if its parent did not notice. */
export function otherProcess(pid: number | 'self'): OtherProcess | undefined {
  const args = textOf(`/proc/${pid}/cmdline`);
  const stat = textOf(`/proc/${pid}/stat`);
  if (args === undefined || stat === undefined) return undefined;
  // the name of the program is in parentheses and may contain some (proc_pid_stat(5))
  const [state, parent, ...others] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (state === 'Z' || state === 'X') return undefined;
  return { args: args.split('\0'), parent: Number(parent), ticks: Number(others[17]) };
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

/**
 * Finds the processes by which npm, npx, pnpm or yarn runs this one and waits for it, by process id and the nearest first: the
 * shell of each command, npm itself, and those of a script that runs npx. Finds none if npm does not run this process, if a
 * script runs it in the background, or where the system has no `/proc`.
 */
export function npmAbove(parent: number, read: (pid: number) => OtherProcess | undefined = otherProcess): number[] {
  const above: number[] = [];
  let upToNpm = 0;
  for (let pid = parent, found = read(pid); found !== undefined; pid = found.parent, found = read(pid)) {
    const isNpm = runsPackages(found);
    if (!isNpm && !waitsAsShell(found)) break;
    above.push(pid);
    if (isNpm) upToNpm = above.length;
  }
  return above.slice(0, upToNpm);
}

/** npm replaces its arguments by a title, such as `npm exec grantbox`. */
function runsPackages({ args: [program = '', script = ''] }: OtherProcess): boolean {
  return (
    /^npm\b/.test(program) || (/\bnode$/.test(program) && /\/(?:npm|npx|pnpm|yarn)(?:-cli)?(?:\.c?js)?$/.test(script))
  );
}

function waitsAsShell({ args: [shell = '', option, script = ''] }: OtherProcess): boolean {
  return /(?:^|\/)(?:sh|ash|bash|dash|ksh|zsh|fish)$/.test(shell) && option === '-c' && !background.test(script);
}

/** `&` other than in `&&`, `2>&1` and `&>file`, and programs that let another one outlive its shell. */
const background = /(?<![&>])&(?![&>])|\b(?:nohup|setsid|disown)\b/;

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
