import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A program of the machine that some tests need. */
export interface Tool<T> {
  /** Its name, for a person. */
  readonly name: string;
  /** The packages of Debian that have it. */
  readonly packages: readonly string[];
  /** Undefined if it is missing. */
  find(): Promise<T | undefined> | T | undefined;
}

/**
 * A tool, which Debian's packages bring where it is missing and this process may install them.
 * `SKIP_TOOL_INSTALL=1` prevents that: then the tests that need the tool fail.
 * @throws Error that says what to install
 */
export async function provide<T>({ name, packages, find }: Tool<T>): Promise<T> {
  const found = await find();
  if (found !== undefined) return found;
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get') && process.env.SKIP_TOOL_INSTALL !== '1') {
    await install(packages);
    const installed = await find();
    if (installed !== undefined) return installed;
  }
  throw new Error(`This test needs ${name}. On Debian, as root: apt-get install ${packages.join(' ')}`);
}

/** One at a time, because the test files run side by side and the package manager locks its lists. */
async function install(packages: readonly string[]): Promise<void> {
  const words = 'apt-get update -qq && apt-get install -y -qq --no-install-recommends "$@"';
  const args = ['/tmp/grantbox-apt.lock', 'sh', '-c', words, 'sh', ...packages];
  await run('flock', args, { env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } });
}

/** Whether a command ends well; false if there is no such program. */
export async function succeeds(program: string, ...args: readonly string[]): Promise<boolean> {
  return run(program, args).then(
    () => true,
    () => false,
  );
}

/** The first of the programs that succeeds with these arguments, such as `--version`. */
export async function firstThatRuns(programs: readonly string[], args: readonly string[]): Promise<string | undefined> {
  for (const program of programs) if (await succeeds(program, ...args)) return program;
  return undefined;
}
