import { solver as clientCredentials } from '../../src/lessons/02-client-credentials/solve.ts';
import { solver as device } from '../../src/lessons/09-device/solve.ts';
import type { LessonSolver } from '../../src/lessons/solver.ts';

/** By the id of the lesson. */
export const solvers: Readonly<Record<string, LessonSolver>> = { 'client-credentials': clientCredentials, device };
