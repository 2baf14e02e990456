import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runningChild, startChild } from '../support/child.ts';
import { newFolder } from '../support/new-folder.ts';
import { metadataPromises, notKept } from '../support/promises/metadata-promises.ts';
import { recordedLogin, tenants } from '../support/tenant.ts';

async function run(args: readonly string[], cwd: string) {
  const child = startChild({ args, cwd });
  return { code: await child.ended, ...child.output };
}

it('a twin of a recorded login starts, keeps what its metadata promises, and is the same when it is checked', async () => {
  const cwd = newFolder({ 'login.har': recordedLogin() });
  const made = await run(['twin', '--har', 'login.har', '--out', 'clients.config.ts'], cwd);
  expect(made).toMatchObject({ code: 0, stderr: '', stdout: expect.stringMatching(/^Fidelity [89]\d % of \d+ facts/) });
  const { metadataOverrides: _, ...config } = (await import(join(cwd, 'clients.config.ts'))).default;
  expect(notKept(await metadataPromises(config))).toEqual([]);
  await using sandbox = await runningChild({ cwd });
  const checked = await run(['twin', '--check', '--url', String(sandbox.ready.issuer)], cwd);
  expect(checked).toMatchObject({ code: 0, stdout: expect.stringContaining('No drift.') });
});

it.each(Object.entries(tenants))('a tenant of %s is written with its preset, and looks the same', async (_, tenant) => {
  const cwd = newFolder();
  const files = Object.entries({ metadata: tenant.metadata, ...tenant.tokens.map(claims => claims) });
  const flags = files.flatMap(([name, value]) => {
    if (value === undefined) return [];
    writeFileSync(join(cwd, `${name}.json`), JSON.stringify(value));
    return [name === 'metadata' ? '--discovery' : '--token', `${name}.json`];
  });
  const { code, stdout } = await run(['twin', ...flags, '--out', 'clients.config.ts'], cwd);
  expect({ code, different: stdout.split('\n').filter(line => line.startsWith('different ')) }).toEqual({
    code: 0,
    different: [],
  });
  const text = readFileSync(join(cwd, 'clients.config.ts'), 'utf8');
  expect(text).toContain(`preset: ${tenant.preset}`);
  expect(text + readFileSync(join(cwd, 'clients.twin.json'), 'utf8')).not.toMatch(/jane|Roe/i);
});
