import { solver as discovery } from '../../src/lessons/01-discovery/solve.ts';
import { solver as clientCredentials } from '../../src/lessons/02-client-credentials/solve.ts';
import { solver as codePkce } from '../../src/lessons/03-code-pkce/solve.ts';
import { solver as token } from '../../src/lessons/04-token/solve.ts';
import { solver as idToken } from '../../src/lessons/05-id-token/solve.ts';
import { solver as refresh } from '../../src/lessons/07-refresh/solve.ts';
import { solver as device } from '../../src/lessons/09-device/solve.ts';
import type { LessonSolver } from '../../src/lessons/solver.ts';

/** By the id of the lesson. */
export const solvers: Readonly<Record<string, LessonSolver>> = {
  discovery,
  'client-credentials': clientCredentials,
  'code-pkce': codePkce,
  token,
  'id-token': idToken,
  refresh,
  device,
};
