import type { Lazy } from '../../base/lazily.ts';
import type { Guard } from '../../sandbox/control/api/control-gate.ts';
import type { Issuer } from '../../sandbox/extension.ts';
import type { LabState } from './lab/lab.ts';
import type { Lessons } from './lessons.ts';
import type { PlaygroundPlace } from './playground/room.ts';
import type { SandboxWorkshop } from './sandbox-workshop.ts';
import { learningSettings } from './settings.ts';
import type { Workshop } from './workshop/workshop.ts';

/**
 * The lessons, the playground and the room of an issuer. The settings decide for the first issuer; the issuer of a learner gets them
 * when it is made.
 */
export interface Learning {
  readonly lessons?: Lazy<Lessons>;
  readonly playground?: PlaygroundPlace;
  /** The state of its lab. */
  readonly lab?: LabState;
  readonly workshop?: Room;
}

/** The same, with the issuer. */
export interface LearningHere extends Learning {
  readonly issuer: Issuer;
}

/** The room of a workshop: the pages for joining and for the trainer. */
export interface Room extends Lazy<Workshop> {
  readonly guard: Guard;
  /** The addresses for learners and for the trainer, and the key of the trainer. */
  readonly told: SandboxWorkshop;
}

/** The options with which the issuer of a learner was made; empty for other issuers. */
export function keptFor({ owner }: Issuer): Learning {
  return owner?.kept ?? {}; // only this extension makes issuers
}

/** Whether the settings give this issuer lessons: only the first has them. */
export function hasLessons({ first }: Issuer): boolean {
  return first !== undefined && learningSettings(first.config).lessons;
}

/** Whether this issuer is the room of a workshop. */
export function isRoom({ first }: Issuer): boolean {
  return first !== undefined && learningSettings(first.config).workshop !== undefined;
}
