import type { LessonSolver } from './solver.ts';

/** By the id of the lesson. */
const solvers: Readonly<Record<string, () => Promise<{ readonly solver: LessonSolver }>>> = {
  discovery: () => import('./01-discovery/solve.ts'),
  'client-credentials': () => import('./02-client-credentials/solve.ts'),
  'code-pkce': () => import('./03-code-pkce/solve.ts'),
  token: () => import('./04-token/solve.ts'),
  'id-token': () => import('./05-id-token/solve.ts'),
  scope: () => import('./06-scope/solve.ts'),
  refresh: () => import('./07-refresh/solve.ts'),
  logout: () => import('./08-logout/solve.ts'),
  device: () => import('./09-device/solve.ts'),
  api: () => import('./10-api/solve.ts'),
  mcp: () => import('./11-mcp/solve.ts'),
  dpop: () => import('./12-dpop/solve.ts'),
  'refresh-in-life': () => import('./13-refresh-in-life/solve.ts'),
  'on-behalf-of': () => import('./14-on-behalf-of/solve.ts'),
  tests: () => import('./15-tests/solve.ts'),
  'build-the-client': () => import('./16-build-the-client/solve.ts'),
  'code-interception': () => import('./labs/a01-code-interception/solve.ts'),
  'pkce-downgrade': () => import('./labs/a02-pkce-downgrade/solve.ts'),
  'login-csrf': () => import('./labs/a03-login-csrf/solve.ts'),
  'redirect-pattern': () => import('./labs/a04-redirect-pattern/solve.ts'),
  'mix-up': () => import('./labs/a05-mix-up/solve.ts'),
  'forged-token': () => import('./labs/a06-forged-token/solve.ts'),
  'wrong-audience': () => import('./labs/a07-wrong-audience/solve.ts'),
  'email-as-key': () => import('./labs/a08-email-as-key/solve.ts'),
  'token-replay': () => import('./labs/a09-token-replay/solve.ts'),
  'refresh-theft': () => import('./labs/a10-refresh-theft/solve.ts'),
  'device-phishing': () => import('./labs/a11-device-phishing/solve.ts'),
  mystery: () => import('./labs/a12-mystery/solve.ts'),
};

/** The solver of a built-in lesson. */
export async function solverOf(id: string): Promise<LessonSolver> {
  return (await solvers[id]?.())?.solver ?? {};
}
