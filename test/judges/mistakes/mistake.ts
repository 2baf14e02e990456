import type { ClientEntry, SandboxConfig } from '../../../src/index.ts';
import type { World } from './world.ts';

/** Something that developers do wrong, and what the page about it has to say. */
export interface Mistake {
  readonly name: string;
  /** Registered for this mistake alone, so that its fix changes nothing for others. */
  readonly me: ClientEntry;
  /** Further clients it needs. */
  readonly others?: readonly ClientEntry[];
  /** Where the shared sandbox will not do, one of its own with these settings. */
  readonly settings?: SandboxConfig;
  /** What the app does, from the first call to the last: it has to work once the mistake is mended. */
  readonly make: (world: World, me: ClientEntry) => Promise<unknown>;
  /** `reason` of the refusal, or name of the detector. */
  readonly code: string;
  readonly title: RegExp;
  /** What no other cause would say. */
  readonly why: RegExp;
  readonly sent: RegExp;
  /** Of one of the expected values, with what differs. */
  readonly expected: RegExp;
  /** The cause cannot be proved. */
  readonly likely?: true;
  /** The button that mends it; mistakes without one are mended in the app. */
  readonly press?: RegExp;
}
