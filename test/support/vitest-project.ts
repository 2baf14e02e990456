import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { madeFolder } from './made-folder.ts';

const root = join(import.meta.dirname, '..', '..');

/** What Vitest has made of a test, as its JSON reporter says it. */
export interface Verdict {
  readonly title: string;
  readonly status: string;
  readonly messages: readonly string[];
}

export interface VitestRun {
  readonly verdicts: readonly Verdict[];
  /** What a user reads. */
  readonly output: string;
  /** By their names: what it has left in `.vitest-attachments`. */
  readonly attachments: ReadonlyMap<string, string>;
}

/** The five seconds of Vitest pass on a busy machine, and a test that ran out of time does not say what it found. */
const patience = ['--testTimeout=120000', '--hookTimeout=120000'];

/** Runs a project of these files, in a folder of this package where its own name is found, with the built package. */
export async function runVitest(
  files: Readonly<Record<string, string>>,
  env: Readonly<Record<string, string>> = {},
): Promise<VitestRun> {
  const folder = await madeFolder();
  try {
    for (const [name, text] of Object.entries({ 'vitest.config.ts': 'export default {};', ...files })) {
      await mkdir(dirname(join(folder, name)), { recursive: true });
      await writeFile(join(folder, name), text);
    }
    const output = await run(folder, env);
    const { testResults } = JSON.parse(await readFile(join(folder, 'results.json'), 'utf8')) as Results;
    const verdicts = testResults
      .flatMap(({ assertionResults }) => assertionResults)
      .map(({ title, status, failureMessages }) => ({ title, status, messages: failureMessages }));
    return { verdicts, output, attachments: await textsIn(join(folder, '.vitest-attachments')) };
  } finally {
    await rm(folder, { recursive: true });
  }
}

interface Results {
  readonly testResults: readonly {
    readonly assertionResults: readonly {
      readonly title: string;
      readonly status: string;
      readonly failureMessages: readonly string[];
    }[];
  }[];
}

/** Tests that fail are a result, too. */
function run(folder: string, env: Readonly<Record<string, string>>): Promise<string> {
  const reporters = ['--reporter=default', '--reporter=json', '--outputFile.json=results.json'];
  const args = [join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--root', folder, ...patience, ...reporters];
  const { PATH = '' } = process.env;
  return new Promise(resolve => {
    execFile(process.execPath, args, { env: { PATH, NO_COLOR: '1', ...env } }, (_error, stdout, stderr) =>
      resolve(stdout + stderr),
    );
  });
}

async function textsIn(folder: string): Promise<ReadonlyMap<string, string>> {
  const names = await readdir(folder).catch(() => []);
  return new Map(
    await Promise.all(names.map(async name => [name, await readFile(join(folder, name), 'utf8')] as const)),
  );
}
