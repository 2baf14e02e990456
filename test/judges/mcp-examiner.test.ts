import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Sandbox } from '../../src/index.ts';
import { createSandbox } from '../support/bundle.ts';
import { newFolder } from '../support/new-folder.ts';

// The client of the MCP SDK is examined by Grantbox and by MCP's own conformance kit: the same program, the same verdicts.

const program = fileURLToPath(new URL('support/mcp-client.mjs', import.meta.url));

type Environment = Readonly<Record<string, string>>;

/** Runs a program of Node; true for the exit code 0. */
function ran(args: readonly string[], env: Environment): Promise<boolean> {
  return new Promise(resolve => {
    execFile(process.execPath, args, { env: { ...process.env, ...env }, timeout: 60_000 }, error => resolve(!error));
  });
}

/** Modules in which the two differ, or the SDK is not right, with the reason. */
const known: Readonly<Record<string, readonly [verdict: string, reason: string]>> = {
  'basic-cimd': ['warn', 'the kit accepts any address, and Grantbox fetches the document, which this client has not'],
  'pkce-not-advertised': [
    'fail',
    'the SDK sends a code_challenge whether the metadata promises PKCE or not; not in the kit',
  ],
};

describe('the client of the MCP SDK', () => {
  let verdicts: ReadonlyMap<string, string>;
  let shared: readonly string[];
  beforeAll(async () => {
    const sandbox: Sandbox = await createSandbox();
    const { modules } = await sandbox.examine({
      plan: 'mcp-client',
      user: 'alice',
      login: async ({ mcp, module }) =>
        ran([program], {
          GRANTBOX_MCP_URL: mcp?.url ?? '',
          MCP_CONFORMANCE_SCENARIO: `auth/${module}`,
          MCP_CONFORMANCE_CONTEXT: JSON.stringify(mcp?.client ?? {}),
        }),
    });
    await sandbox.stop();
    verdicts = new Map(modules.map(({ id, verdict }) => [id, verdict]));
    shared = modules.flatMap(({ suite }) => suite ?? []);
  });

  it('passes each module of the plan, but those that are explained', () => {
    const others = [...verdicts].filter(([, verdict]) => verdict !== 'pass');
    expect(others).toEqual(Object.entries(known).map(([id, [verdict]]) => [id, verdict]));
  });

  it('passes the same modules in the conformance kit of MCP', { timeout: 180_000 }, async () => {
    const kit = kitProgram();
    const folder = newFolder();
    const METADATA_DOCUMENT = 'https://conformance-test.local/client-metadata.json';
    const failed: string[] = [];
    const waiting = [...shared];
    const lanes = Array.from({ length: 3 }, async () => {
      for (let scenario = waiting.shift(); scenario !== undefined; scenario = waiting.shift()) {
        const args = ['client', '--command', `node ${program}`, '--scenario', scenario, '--output-dir', folder];
        if (!(await ran([kit, ...args], { METADATA_DOCUMENT }))) failed.push(scenario);
      }
    });
    await Promise.all(lanes);
    expect(failed).toEqual([]);
    expect(shared).toHaveLength(29);
  });
});

/** The program of the kit, which runs on Node 22 and newer. It needs it for one function, which finds servers. */
function kitProgram(): string {
  const main = createRequire(import.meta.url).resolve('@modelcontextprotocol/conformance/package.json');
  const folder = join(dirname(main), 'dist');
  const text = readFileSync(join(folder, 'index.js'), 'utf8');
  const copy = join(folder, 'on-node-20.js');
  expect(text).toContain('globSync as a,');
  writeFileSync(copy, `${text.replace('globSync as a,', '')}\nfunction a() { return []; }\n`);
  return copy;
}
