import type { LessonFolder } from './lesson.ts';

/** The built-in lessons in the order of a course. Each is loaded when its page or the list is opened. */
export const builtIn: readonly LessonFolder[] = [
  {
    id: 'discovery',
    load: async () => ({
      code: (await import('./01-discovery/lesson.ts')).lesson,
      text: (await import('./01-discovery/lesson.md')).default,
    }),
  },
  {
    id: 'client-credentials',
    load: async () => ({
      code: (await import('./02-client-credentials/lesson.ts')).lesson,
      text: (await import('./02-client-credentials/lesson.md')).default,
    }),
  },
  {
    id: 'code-pkce',
    load: async () => ({
      code: (await import('./03-code-pkce/lesson.ts')).lesson,
      text: (await import('./03-code-pkce/lesson.md')).default,
    }),
  },
  {
    id: 'token',
    load: async () => ({
      code: (await import('./04-token/lesson.ts')).lesson,
      text: (await import('./04-token/lesson.md')).default,
    }),
  },
  {
    id: 'id-token',
    load: async () => ({
      code: (await import('./05-id-token/lesson.ts')).lesson,
      text: (await import('./05-id-token/lesson.md')).default,
    }),
  },
  {
    id: 'scope',
    load: async () => ({
      code: (await import('./06-scope/lesson.ts')).lesson,
      text: (await import('./06-scope/lesson.md')).default,
    }),
  },
  {
    id: 'refresh',
    load: async () => ({
      code: (await import('./07-refresh/lesson.ts')).lesson,
      text: (await import('./07-refresh/lesson.md')).default,
    }),
  },
  {
    id: 'logout',
    load: async () => ({
      code: (await import('./08-logout/lesson.ts')).lesson,
      text: (await import('./08-logout/lesson.md')).default,
    }),
  },
  {
    id: 'device',
    load: async () => ({
      code: (await import('./09-device/lesson.ts')).lesson,
      text: (await import('./09-device/lesson.md')).default,
    }),
  },
  {
    id: 'api',
    load: async () => ({
      code: (await import('./10-api/lesson.ts')).lesson,
      text: (await import('./10-api/lesson.md')).default,
    }),
  },
  {
    id: 'mcp',
    load: async () => ({
      code: (await import('./11-mcp/lesson.ts')).lesson,
      text: (await import('./11-mcp/lesson.md')).default,
    }),
  },
  {
    id: 'dpop',
    load: async () => ({
      code: (await import('./12-dpop/lesson.ts')).lesson,
      text: (await import('./12-dpop/lesson.md')).default,
    }),
  },
  {
    id: 'code-interception',
    load: async () => ({
      code: (await import('./labs/a01-code-interception/lesson.ts')).lesson,
      text: (await import('./labs/a01-code-interception/lesson.md')).default,
    }),
  },
  {
    id: 'pkce-downgrade',
    load: async () => ({
      code: (await import('./labs/a02-pkce-downgrade/lesson.ts')).lesson,
      text: (await import('./labs/a02-pkce-downgrade/lesson.md')).default,
    }),
  },
  {
    id: 'login-csrf',
    load: async () => ({
      code: (await import('./labs/a03-login-csrf/lesson.ts')).lesson,
      text: (await import('./labs/a03-login-csrf/lesson.md')).default,
    }),
  },
  {
    id: 'redirect-pattern',
    load: async () => ({
      code: (await import('./labs/a04-redirect-pattern/lesson.ts')).lesson,
      text: (await import('./labs/a04-redirect-pattern/lesson.md')).default,
    }),
  },
  {
    id: 'mix-up',
    load: async () => ({
      code: (await import('./labs/a05-mix-up/lesson.ts')).lesson,
      text: (await import('./labs/a05-mix-up/lesson.md')).default,
    }),
  },
  {
    id: 'forged-token',
    load: async () => ({
      code: (await import('./labs/a06-forged-token/lesson.ts')).lesson,
      text: (await import('./labs/a06-forged-token/lesson.md')).default,
    }),
  },
  {
    id: 'wrong-audience',
    load: async () => ({
      code: (await import('./labs/a07-wrong-audience/lesson.ts')).lesson,
      text: (await import('./labs/a07-wrong-audience/lesson.md')).default,
    }),
  },
  {
    id: 'email-as-key',
    load: async () => ({
      code: (await import('./labs/a08-email-as-key/lesson.ts')).lesson,
      text: (await import('./labs/a08-email-as-key/lesson.md')).default,
    }),
  },
  {
    id: 'token-replay',
    load: async () => ({
      code: (await import('./labs/a09-token-replay/lesson.ts')).lesson,
      text: (await import('./labs/a09-token-replay/lesson.md')).default,
    }),
  },
  {
    id: 'refresh-theft',
    load: async () => ({
      code: (await import('./labs/a10-refresh-theft/lesson.ts')).lesson,
      text: (await import('./labs/a10-refresh-theft/lesson.md')).default,
    }),
  },
  {
    id: 'device-phishing',
    load: async () => ({
      code: (await import('./labs/a11-device-phishing/lesson.ts')).lesson,
      text: (await import('./labs/a11-device-phishing/lesson.md')).default,
    }),
  },
];
