import { join } from 'node:path';
import { isRecord } from '../../../base/text/record.ts';
import { loadExport } from '../../../sandbox/config/clients-file.ts';
import type { LessonSolver } from '../solver.ts';

/** The solver of a lesson in this folder, or a description of the expected export. */
export async function readSolver(folder: string): Promise<LessonSolver | string> {
  const loaded = await loadExport(join(folder, 'solve.ts'), 'solver');
  if ('fault' in loaded) return `solve.ts: expected ${loaded.fault}`;
  if (!isRecord(loaded.content)) return 'solve.ts: solver: expected an object with a solver for each task';
  const faulty = Object.entries(loaded.content).find(([, each]) => !isTaskSolver(each))?.[0];
  return faulty === undefined
    ? (loaded.content as LessonSolver) // each member was checked
    : `solve.ts: solver.${faulty}: expected an object with the functions solve and nearMiss`;
}

function isTaskSolver(value: unknown): boolean {
  return isRecord(value) && typeof value.solve === 'function' && typeof value.nearMiss === 'function';
}
