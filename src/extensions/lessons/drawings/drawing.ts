import type { LessonCode } from '../lesson.ts';
import type { LessonRun } from '../run/lesson-run.ts';
import { proofBesideToken } from './proof-beside-token.ts';
import { scopeRings } from './scope-rings.ts';

/** The drawing of a lesson that has one, made from the learner's own requests. It is empty as long as there is nothing to draw. */
export async function drawingView({ drawing: name, issuer }: LessonCode, run: LessonRun | undefined) {
  if (name === undefined || run === undefined) return {};
  const events = run.events();
  if (name === 'proof-beside-token') {
    const { origin } = new URL(run.issuer);
    return { drawing: { name, pair: await proofBesideToken(events, origin) } };
  }
  const registered = (issuer.clients ?? []).map(({ client_id, scope = '' }) => [client_id, scope.split(' ')] as const);
  return { drawing: { name, rings: scopeRings(events, new Map(registered)) } };
}
