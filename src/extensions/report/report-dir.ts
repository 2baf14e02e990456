import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileFailure } from '../../sandbox/config/file-failure.ts';
import { type ConfigProblem, show } from '../../sandbox/config/problem.ts';
import { readOwn, type SettingSources } from '../../sandbox/config/setting-values.ts';
import { reportSettings } from './settings.ts';

/** Checks that files can be written into `REPORT_DIR`: creates the folder, and writes and removes a file in it. */
export function reportDirProblems(sources: SettingSources): readonly ConfigProblem[] {
  const { cwd = '' } = sources;
  const { value: reportDir, source = '', folder = cwd } = readOwn(reportSettings, 'reportDir', sources);
  if (reportDir === undefined) return [];
  const path = resolve(folder, reportDir);
  try {
    makeFolder(path);
    const probe = join(path, `.${randomUUID()}`);
    writeFileSync(probe, '');
    rmSync(probe);
    return [];
  } catch (error) {
    const expected = `a folder that this process can create or write to: ${path} (${fileFailure(error)})`;
    return [{ source, value: show(reportDir), expected }];
  }
}

/** Makes a folder and those above it. `recursive` of Node never ends below `/proc`, where no folder can be made. */
function makeFolder(path: string): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  try {
    mkdirSync(path);
  } catch (error) {
    if (!existsSync(path)) throw error; // another process may have made it meanwhile
  }
}
