import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readReport } from '../../src/extensions/report/read-report.ts';
import { newFolder } from '../support/new-folder.ts';

const library = join(import.meta.dirname, '..', '..', 'dist', 'grantbox.cjs');

/** A process that stops its sandbox, and that the kernel ends at this moment of the first file, as a container engine does. */
async function stopSandbox(reportDir: string, killedWhile: 'writing' | 'renaming' | 'never'): Promise<string | null> {
  const program = `
    const files = require('node:fs/promises');
    const { writeFile } = files;
    const kill = () => process.kill(process.pid, 'SIGKILL');
    async function* thenKill(text) {
      for await (const chunk of text) yield chunk;
      kill(); // all of it is in the file, which is not closed
    }
    if (${killedWhile === 'writing'}) files.writeFile = (path, text, options) => writeFile(path, thenKill(text), options);
    if (${killedWhile === 'renaming'}) files.rename = kill;
    require(${JSON.stringify(library)}).createSandbox({ reportDir: ${JSON.stringify(reportDir)} }).then(sandbox => sandbox.stop());
  `;
  const child = spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'ignore', 'inherit'] });
  const [, signal] = await once(child, 'close');
  return signal;
}

it.each(['writing', 'renaming'] as const)(
  'leaves the report of an earlier run where it is killed while %s',
  async when => {
    const folder = newFolder();
    writeFileSync(join(folder, 'report.json'), 'of an earlier run');
    expect(await stopSandbox(folder, when)).toBe('SIGKILL');
    expect(readFileSync(join(folder, 'report.json'), 'utf8')).toBe('of an earlier run');
    expect(readdirSync(folder)).not.toContain('report.html');
    expect(await stopSandbox(folder, 'never')).toBe(null);
    expect(readReport(readFileSync(join(folder, 'report.json'), 'utf8')).clients).toEqual([]);
    const names = ['report.html', 'report.json', 'report.xml', 'session.har', 'session.html'];
    expect(readdirSync(folder).toSorted()).toEqual(names);
  },
);
