import { solver as discovery } from './01-discovery/solve.ts';
import { solver as clientCredentials } from './02-client-credentials/solve.ts';
import { solver as codePkce } from './03-code-pkce/solve.ts';
import { solver as token } from './04-token/solve.ts';
import { solver as idToken } from './05-id-token/solve.ts';
import { solver as scope } from './06-scope/solve.ts';
import { solver as refresh } from './07-refresh/solve.ts';
import { solver as logout } from './08-logout/solve.ts';
import { solver as device } from './09-device/solve.ts';
import { solver as api } from './10-api/solve.ts';
import { solver as mcp } from './11-mcp/solve.ts';
import { solver as dpop } from './12-dpop/solve.ts';
import { solver as codeInterception } from './labs/a01-code-interception/solve.ts';
import { solver as pkceDowngrade } from './labs/a02-pkce-downgrade/solve.ts';
import { solver as loginCsrf } from './labs/a03-login-csrf/solve.ts';
import { solver as redirectPattern } from './labs/a04-redirect-pattern/solve.ts';
import { solver as mixUp } from './labs/a05-mix-up/solve.ts';
import { solver as forgedToken } from './labs/a06-forged-token/solve.ts';
import { solver as wrongAudience } from './labs/a07-wrong-audience/solve.ts';
import { solver as emailAsKey } from './labs/a08-email-as-key/solve.ts';
import { solver as tokenReplay } from './labs/a09-token-replay/solve.ts';
import { solver as refreshTheft } from './labs/a10-refresh-theft/solve.ts';
import { solver as devicePhishing } from './labs/a11-device-phishing/solve.ts';
import type { LessonSolver } from './solver.ts';

/** Solvers by the id of the lesson. */
export const solvers: Readonly<Record<string, LessonSolver>> = {
  discovery,
  'client-credentials': clientCredentials,
  'code-pkce': codePkce,
  token,
  'id-token': idToken,
  scope,
  refresh,
  logout,
  device,
  api,
  mcp,
  dpop,
  'code-interception': codeInterception,
  'pkce-downgrade': pkceDowngrade,
  'login-csrf': loginCsrf,
  'redirect-pattern': redirectPattern,
  'mix-up': mixUp,
  'forged-token': forgedToken,
  'wrong-audience': wrongAudience,
  'email-as-key': emailAsKey,
  'token-replay': tokenReplay,
  'refresh-theft': refreshTheft,
  'device-phishing': devicePhishing,
};
