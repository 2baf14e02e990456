import type { LessonFolder } from './lesson.ts';

/** The built-in lessons, in the order of a course. Each is loaded when somebody opens it, or the list. */
export const builtIn: readonly LessonFolder[] = [
  {
    id: 'client-credentials',
    load: async () => ({
      code: (await import('./02-client-credentials/lesson.ts')).lesson,
      text: (await import('./02-client-credentials/lesson.md')).default,
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
