import { readFileSync } from 'node:fs';

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
