import { execFile } from 'node:child_process';

/** How a program ended, and what it printed on both streams. */
export interface Ended {
  readonly code: number;
  readonly output: string;
}

export interface ProgramOptions {
  readonly cwd?: string;
  /** Besides `PATH` and `HOME`, which every program has. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs a program to its end. A status other than 0 is a result, too; an absent program has 127. */
export function runProgram(
  program: string,
  args: readonly string[],
  { cwd, env = {} }: ProgramOptions = {},
): Promise<Ended> {
  const { PATH = '', HOME = '' } = process.env;
  const options = { env: { PATH, HOME, ...env }, maxBuffer: 50_000_000, ...(cwd === undefined ? {} : { cwd }) };
  return new Promise(resolve => {
    execFile(program, args, options, (error, stdout, stderr) => {
      const code = typeof error?.code === 'number' ? error.code : error === null ? 0 : 127;
      resolve({ code, output: `${stdout}${stderr}${code === 127 ? String(error) : ''}` });
    });
  });
}
