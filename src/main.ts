import { writeSync } from 'node:fs';
import { isatty } from 'node:tty';
import { announcement } from './client/cli/announcement.ts';
import { parseCommandLine } from './client/cli/cli.ts';
import type { Given } from './client/cli/command.ts';
import { healthcheck } from './client/cli/healthcheck.ts';
import type { ConnectedSandbox } from './client/remote/connect-sandbox.ts';
import type { ConnectOptions } from './client/remote/control-calls.ts';
import { modules } from './modules.ts';
import { requireStyles, version } from './package.ts';
import { generateSigningKey, type SigningKey } from './protocol/tokens/signing-key.ts';
import { endedByFile } from './sandbox/config/being-loaded.ts';
import type { Config } from './sandbox/config/config.ts';
import { type Flags, loadConfig, readEarlySettings } from './sandbox/config/load-config.ts';
import type { SandboxConfig } from './sandbox/config/sandbox-config.ts';
import {
  createSandboxOf,
  type Sandbox,
  type SandboxEnvironment,
  type SandboxProcess,
  startSandbox,
} from './sandbox/sandbox.ts';

/**
 * The exports of the library, typed by `index.ts`. Loaded on the first call, because a health check does not need them.
 */
export async function createSandbox(config?: SandboxConfig, environment?: SandboxEnvironment): Promise<Sandbox> {
  requireStyles();
  return createSandboxOf(modules, config, environment);
}

/** Loads `connectSandbox` on the first call. */
export async function connectSandbox(url: string, options?: ConnectOptions): Promise<ConnectedSandbox> {
  return (await import('./client/remote/connect-sandbox.ts')).connectSandboxOf(modules.extensions, url, options);
}

/**
 * The process: arguments and environment in, exit code out. The only file that reads `process`. `begun` is the uptime
 * in seconds at which Grantbox began, if the process did other work before; the reported start time does not include
 * that work.
 */
export async function main(begun = 0): Promise<void> {
  process.on('exit', tellEndByFile);
  try {
    endWithNpm(process.ppid).catch(fail);
    const command = await parseCommandLine(process.argv.slice(2), { version, modules });
    if (command.command === 'start') return await start(command.flags, begun);
    if (command.command === 'healthcheck') return await checkHealth(command.url);
    if (command.command === 'run') return await run(command.name, command.given, begun);
    (command.code === 0 ? process.stdout : process.stderr).write(`${command.text}\n`);
    process.exitCode = command.code;
  } catch (error) {
    fail(error);
  }
}

/** A configuration file that ends the process would otherwise end it without a word, and with success. */
function tellEndByFile(code: number): void {
  const told = endedByFile();
  if (told === undefined) return;
  process.exitCode = code || 1;
  writeSync(standardError, `${told}\n`);
}

/** A command that is loaded only when it is used. */
async function run(name: string, given: Given, begun: number): Promise<void> {
  const { runCommand } = await import('./client/cli/commands.ts');
  const {
    code,
    out,
    note,
    start: flags,
    running,
  } = await runCommand(name, given, {
    modules,
    cwd: process.cwd(),
    controlToken: process.env.CONTROL_TOKEN,
    environment: process.env,
    streams: () => ({ input: process.stdin, output: process.stdout }),
    terminal: process.stderr.isTTY ? process.stderr : undefined,
    machine: { addresses: machineAddresses, hostname: () => process.getBuiltinModule('node:os').hostname() },
  });
  if (flags !== undefined) return start(flags, begun);
  if (out !== '') process.stdout.write(out);
  if (note !== '') process.stderr.write(note);
  process.exitCode = code;
  if (running !== undefined) stopOnSignals(running);
}

function machineAddresses() {
  const interfaces = Object.entries(process.getBuiltinModule('node:os').networkInterfaces());
  return interfaces.flatMap(([name, addresses = []]) => addresses.map(each => ({ ...each, name })));
}

async function checkHealth(url: string | undefined): Promise<void> {
  const { code, message } = await healthcheck({ url, environment: process.env });
  (code === 0 ? process.stdout : process.stderr).write(`${message}\n`);
  process.exitCode = code;
}

async function start(flags: Flags, begun: number): Promise<void> {
  requireStyles();
  const begunKeys = await beginKeys(flags);
  const config = await loadConfig({ modules, flags, env: process.env, cwd: process.cwd() });
  const own = { env: process.env, folders: [process.cwd(), import.meta.dirname] };
  const environment = { log: standardOutput, isTerminal: isatty(standardOutput), program: own };
  const sandbox = await startSandbox(config, environment, begunKeys);
  stopOnSignals(sandbox);
  rotateOnSignal(sandbox);
  reloadOnHangup(sandbox);
  await announce(config, sandbox, process.uptime() - begun);
  sandbox.prepareKeys();
  setTimeout(saveMemory, 300).unref();
}

/** Creating an RSA key takes longer than the rest of the start, so it begins before anything else is loaded. */
async function beginKeys(flags: Flags): Promise<ReadonlyMap<string, Promise<SigningKey>>> {
  const alg = await likelyAlg(flags);
  if (alg === undefined) return new Map();
  return new Map([[alg, generateSigningKey(alg)]]);
}

/** Undefined if keys come from a file or a seed, or if the algorithm is invalid. */
async function likelyAlg(flags: Flags): Promise<string | undefined> {
  const { SIGNING_ALG = '', KEYS_FILE = '', SEED = '' } = process.env;
  if (Object.keys(flags).length === 0 && SIGNING_ALG + KEYS_FILE + SEED === '') return 'RS256';
  const { signingAlg, hasKeys } = readEarlySettings({ flags, env: process.env });
  return hasKeys ? undefined : signingAlg;
}

/**
 * Trades compilers and garbage for memory. Maglev, V8's compiler between the fast and the good one, keeps 20 MiB of its working
 * memory; without it, the good one begins earlier, so that a request costs no more. Inlining, which a program of one file makes
 * easy, takes 9 MiB for 3 % of the speed. Garbage would otherwise grow to a multiple of the memory in use before V8 frees it;
 * threads cost more to wake than they save on 2 MB. The flags are set after the start:
 * on the command line they would make Node compile its own modules anew, 20 ms of each start. Node 20 has no Maglev, and would
 * print an error for `--no-maglev`.
 */
function saveMemory(): void {
  const { setFlagsFromString } = process.getBuiltinModule('node:v8');
  setFlagsFromString('--heap-growing-percent=50');
  setFlagsFromString('--no-parallel-scavenge');
  if (process.versions.node.startsWith('20.')) return;
  setFlagsFromString('--no-maglev');
  setFlagsFromString('--no-turbo-inlining');
  setFlagsFromString('--invocation-count-for-turbofan=500');
}

/** File descriptor 1. `process.stdout` would add 2 ms to every start. */
const standardOutput = 1;
const standardError = 2;

/** Prints the addresses. */
async function announce(config: Config, sandbox: Sandbox, seconds: number): Promise<void> {
  if (config.logLevel === 'silent') return;
  writeFirst(await announcement(config, sandbox, { ...modules, seconds, isTerminal: isatty(standardOutput) }));
}

/** A full disk must not stop the server. */
function writeFirst(text: string): void {
  try {
    writeSync(standardOutput, `${text}\n`);
  } catch (error) {
    process.stderr.write(`${text}\nThe log cannot be written: ${(error as Error).message}\n`);
  }
}

/**
 * Sends SIGTERM to this process when npm, which runs it, has ended. npm runs a command in a shell and passes a signal on to that
 * shell alone; some shells, such as Debian's, end without telling the command.
 */
async function endWithNpm(parent: number): Promise<void> {
  if (process.env.npm_lifecycle_event === undefined) return;
  const { npmAbove } = await import('./client/cli/other-process.ts');
  const above = npmAbove(parent);
  if (above.length === 0) return;
  const look = () => {
    if (process.ppid === parent && above.every(isAlive)) return;
    clearInterval(npmWatch);
    // after the signals that came meanwhile: a closed terminal ends npm, too, but not what nohup began
    setImmediate(() => performance.now() - hungUp > 1000 && process.kill(process.pid, 'SIGTERM'));
  };
  npmWatch = setInterval(look, 100).unref();
}

/** Absent unless npm runs this process, and cleared when a stop begins. */
let npmWatch: NodeJS.Timeout | undefined;

/** Milliseconds of this process at the last SIGHUP, which has an answer of its own. */
let hungUp = Number.NEGATIVE_INFINITY;

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Without these handlers a process with PID 1 ignores the signals. A second signal skips the rest of the stop. */
function stopOnSignals(sandbox: Pick<Sandbox, 'stop'>): void {
  let began: number | undefined;
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (began === undefined) {
        began = performance.now();
        clearInterval(npmWatch);
        sandbox.stop().then(() => process.exit(0), fail);
      } else if (performance.now() - began > sameSignal) process.exit(1);
    });
  }
}

/** Milliseconds. One Ctrl-C arrives twice: from the terminal and from npm. */
const sameSignal = 500;

/** Rotates the keys on `kill -USR2`. Windows does not have this signal. */
function rotateOnSignal(sandbox: Sandbox): void {
  if (process.platform === 'win32') return;
  const tell = (error: unknown) => void process.stderr.write(`the keys were not rotated: ${String(error)}\n`);
  process.on('SIGUSR2', () => void sandbox.rotateKeys().catch(tell));
}

/** Reads the configuration again on `kill -HUP`. The same signal arrives when its terminal is closed: then it stops. */
function reloadOnHangup(sandbox: SandboxProcess): void {
  if (process.platform === 'win32') return;
  const terminals = [0, 1, 2].filter(each => isatty(each));
  process.on('SIGHUP', () => {
    hungUp = performance.now();
    if (terminals.some(each => !isatty(each))) sandbox.stop().then(endByHangup, endByHangup);
    else sandbox.readAgain().catch(tellUnread);
  });
}

/** Ends the process as without a handler: a normal exit of Node would use the closed terminal. */
function endByHangup(): void {
  process.removeAllListeners('SIGHUP');
  process.kill(process.pid, 'SIGHUP');
}

/** An invalid configuration was already logged. */
function tellUnread(error: unknown): void {
  if (error instanceof Error && error.name === 'ConfigError') return;
  process.stderr.write(
    `the configuration was not reloaded: ${error instanceof Error ? error.message : String(error)}\n`,
  );
}

/** Prints one sentence or one list; a stack only for a bug in Grantbox. */
function fail(error: unknown): void {
  const isExpected = error instanceof Error && ['ConfigError', 'ListenError', 'UnbuiltError'].includes(error.name);
  const text = error instanceof Error ? (isExpected ? error.message : (error.stack ?? error.message)) : String(error);
  process.stderr.write(`${text}\n`);
  process.exit(1);
}
