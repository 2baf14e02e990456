import type { ShortLivedConfig } from '../../../sandbox/control/short-lived.ts';
import type { LessonCode } from '../lesson.ts';

/** A lesson ignores the settings of the sandbox. Codes live long, because a teacher talks in between. */
export function issuerOf({ issuer }: LessonCode): ShortLivedConfig {
  return { ...defaults, ...issuer };
}

const defaults: ShortLivedConfig = {
  codeLifetime: 1800,
  label: 'Lesson',
  loginMode: 'picker',
  consent: false,
  recording: true,
  dashboard: true,
  errorUri: true,
  historySize: 500,
};
