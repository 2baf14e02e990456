// Every process this benchmark starts is started here, so that all of them end with it, however it ends.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const running = new Set();
const folders = new Set();

process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});
for (const [signal, code] of Object.entries({ SIGHUP: 129, SIGINT: 130, SIGTERM: 143 })) {
  process.on(signal, () => process.exit(code));
}

/** What is going on, apart from what was found. */
export function say(line) {
  process.stderr.write(`${line}\n`);
}

/** Gone with this process. */
export function temporaryFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'grantbox-bench-'));
  folders.add(folder);
  return folder;
}

/**
 * What is measured gets this and its own variables only. A NODE_EXTRA_CA_CERTS or NODE_OPTIONS of the user's would
 * cost every start something, and not every Node the same.
 */
export function bareEnvironment(variables = {}) {
  return { PATH: process.env.PATH, NODE_ENV: 'production', ...variables };
}

/** A child whose standard error is kept for the case that it fails. */
export function start(command, args, { output = 'ignore', ...options } = {}) {
  const child = spawn(command, args, { env: bareEnvironment(), stdio: ['ignore', output, 'pipe'], ...options });
  running.add(child);
  child.errors = '';
  child.stderr?.on('data', text => {
    child.errors = (child.errors + text).slice(-2000);
  });
  child.ended = new Promise(resolve => {
    child.once('exit', resolve);
    child.once('error', error => {
      child.errors += error.message;
      resolve(-1);
    });
  }).finally(() => running.delete(child));
  return child;
}

/** Runs a command to its end. @returns what it printed */
export async function run(command, args, options) {
  const child = start(command, args, { output: 'pipe', ...options });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', part => {
    text += part;
  });
  const [code] = await Promise.all([child.ended, once(child.stdout, 'close')]);
  if (code !== 0) throw new Error(`${command} ended with ${code}: ${child.errors.trim().split('\n').at(-1)}`);
  return text;
}
