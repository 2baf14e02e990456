import { randomUUID } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileFailure } from './file-failure.ts';
import { type ConfigProblem, show } from './problem.ts';
import { readSetting, type SettingSources } from './setting-values.ts';

/** Checks that files can be written into `REPORT_DIR`: creates the folder, and writes and removes a file in it. */
export function reportDirProblems(sources: SettingSources, cwd = ''): readonly ConfigProblem[] {
  const { value: reportDir, source = '', folder = cwd } = readSetting('reportDir', sources);
  if (reportDir === undefined) return [];
  const path = resolve(folder, reportDir);
  try {
    mkdirSync(path, { recursive: true });
    const probe = join(path, `.${randomUUID()}`);
    writeFileSync(probe, '');
    rmSync(probe);
    return [];
  } catch (error) {
    const expected = `a folder that this process can create or write to: ${path} (${fileFailure(error)})`;
    return [{ source, value: show(reportDir), expected }];
  }
}
