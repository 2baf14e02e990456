import type { LessonFolder } from './lesson.ts';
import { readLessonText } from './text/lesson-text.ts';

const ofCourse: readonly LessonFolder[] = [
  { id: 'discovery', load: () => import('./01-discovery/lesson.ts') },
  { id: 'client-credentials', load: () => import('./02-client-credentials/lesson.ts') },
  { id: 'code-pkce', load: () => import('./03-code-pkce/lesson.ts') },
  { id: 'token', load: () => import('./04-token/lesson.ts') },
  { id: 'id-token', load: () => import('./05-id-token/lesson.ts') },
  { id: 'scope', load: () => import('./06-scope/lesson.ts') },
  { id: 'refresh', load: () => import('./07-refresh/lesson.ts') },
  { id: 'logout', load: () => import('./08-logout/lesson.ts') },
  { id: 'device', load: () => import('./09-device/lesson.ts') },
  { id: 'api', load: () => import('./10-api/lesson.ts') },
  { id: 'mcp', load: () => import('./11-mcp/lesson.ts') },
  { id: 'dpop', load: () => import('./12-dpop/lesson.ts') },
  { id: 'refresh-in-life', load: () => import('./13-refresh-in-life/lesson.ts') },
  { id: 'on-behalf-of', load: () => import('./14-on-behalf-of/lesson.ts') },
  { id: 'tests', load: () => import('./15-tests/lesson.ts') },
  { id: 'build-the-client', load: () => import('./16-build-the-client/lesson.ts') },
];

/** The labs of Grantbox itself. */
export const labs: readonly LessonFolder[] = [
  { id: 'code-interception', load: () => import('./labs/a01-code-interception/lesson.ts') },
  { id: 'pkce-downgrade', load: () => import('./labs/a02-pkce-downgrade/lesson.ts') },
  { id: 'login-csrf', load: () => import('./labs/a03-login-csrf/lesson.ts') },
  { id: 'redirect-pattern', load: () => import('./labs/a04-redirect-pattern/lesson.ts') },
  { id: 'mix-up', load: () => import('./labs/a05-mix-up/lesson.ts') },
  { id: 'forged-token', load: () => import('./labs/a06-forged-token/lesson.ts') },
  { id: 'wrong-audience', load: () => import('./labs/a07-wrong-audience/lesson.ts') },
  { id: 'email-as-key', load: () => import('./labs/a08-email-as-key/lesson.ts') },
  { id: 'token-replay', load: () => import('./labs/a09-token-replay/lesson.ts') },
  { id: 'refresh-theft', load: () => import('./labs/a10-refresh-theft/lesson.ts') },
  { id: 'device-phishing', load: () => import('./labs/a11-device-phishing/lesson.ts') },
  { id: 'mystery', load: () => import('./labs/a12-mystery/lesson.ts') },
];

/** The built-in lessons in the order of a course, then the labs. Each is loaded when its page or the list is opened. */
export const builtIn: readonly LessonFolder[] = [...ofCourse, ...labs];

/** The texts of all built-in lessons, in order. */
export async function loadAll() {
  return Promise.all(builtIn.map(async ({ id, load }) => ({ id, text: readLessonText(id, (await load()).text) })));
}
