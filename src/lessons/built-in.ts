import type { LessonFolder } from './lesson.ts';

/** The built-in lessons, in the order of a course. Each is loaded when somebody opens it, or the list. */
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
    id: 'refresh',
    load: async () => ({
      code: (await import('./07-refresh/lesson.ts')).lesson,
      text: (await import('./07-refresh/lesson.md')).default,
    }),
  },
  {
    id: 'device',
    load: async () => ({
      code: (await import('./09-device/lesson.ts')).lesson,
      text: (await import('./09-device/lesson.md')).default,
    }),
  },
];
