import type { SandboxEvent } from '../../events/event.ts';
import type { DrawingName, LessonCode } from '../lesson.ts';
import { type ProofBesideToken, proofBesideToken } from './proof-beside-token.ts';
import { type ScopeRings, scopeRings } from './scope-rings.ts';

/** A drawing of a lesson, made from the learner's own requests. Undefined as long as there is nothing to draw. */
export type LessonDrawing =
  | { readonly name: 'scope-rings'; readonly rings: ScopeRings | undefined }
  | { readonly name: 'proof-beside-token'; readonly pair: ProofBesideToken | undefined };

interface DrawingSources {
  readonly name: DrawingName;
  /** The configuration of the learner's issuer. */
  readonly config: LessonCode['issuer'];
  /** Oldest first. */
  readonly events: readonly SandboxEvent[];
  readonly origin: string;
}

export async function draw({ name, config, events, origin }: DrawingSources): Promise<LessonDrawing> {
  if (name === 'proof-beside-token') return { name, pair: await proofBesideToken(events, origin) };
  const registered = (config.clients ?? []).map(({ client_id, scope = '' }) => [client_id, scope.split(' ')] as const);
  return { name, rings: scopeRings(events, new Map(registered)) };
}
