import type { Relaxation } from '../../../protocol/relaxation.ts';
import type { ShortLivedConfig } from '../../../sandbox/control/short-lived.ts';
import type { TaskCheck } from '../checks/check.ts';
import { stepError } from '../control.ts';
import type { Protection } from '../demo-app/checks.ts';
import type { Participant, SolverPage } from '../solver.ts';

/** The part of a lab that other lessons do not have: the learner attacks, switches a defence on, and attacks again. */
export interface LabParts {
  /** Steps of the attack in order. Each has a button, which sends real requests. */
  readonly steps: readonly LabStep[];
  /** Differences of the lab while its defence is off. */
  readonly weak: LabWeakness;
  /** A second issuer, such as the one of the attacker. */
  readonly second?: ShortLivedConfig;
  /** The task `goal`, an attack by hand. The events at the server judge it, and not the buttons that were pressed. */
  readonly desk?: LabDesk;
  /** The lab is a mystery: in each run one of these checks is missing, and the learner finds out which. It has no steps and no defence. */
  readonly suspects?: readonly LabSuspect[];
}

/** A check that may be the missing one of a mystery. */
export interface LabSuspect {
  readonly id: string;
  /** What is careless then, in addition to the lab itself. */
  readonly weak: LabWeakness;
  /** What the server records when an attack by hand has succeeded. */
  readonly evidence: readonly TaskCheck[];
}

/** The desk of the attacker: a request editor, the log of what reached him, and what the victim does when the learner says so. */
export interface LabDesk extends DeskAct {
  /** The page of the attacker before the learner changes it, in HTML. Default: he has no page. */
  readonly page?: string;
  /** More buttons of that kind, by their id. */
  readonly more?: Readonly<Record<string, DeskAct>>;
}

/** Something that the victim does. */
export interface DeskAct {
  /** The button of the victim: `Alice opens your page`. Default: the attack needs nobody else. */
  readonly label?: string;
  /** The victim does not open the page of the attacker afterwards. */
  readonly staysAway?: true;
  /**
   * Acts as the victim, in a browser without cookies. @returns the query of the page of the attacker, for `{{query}}` in it
   * @throws LabStop
   */
  victim?(act: LabVictim): Promise<string | undefined>;
  /** Acts as the victim on the page at which she ends, after the sign-in. @throws LabStop */
  arrives?(page: SolverPage, act: LabVictim): Promise<void>;
}

/** The victim at her browser. */
export interface LabVictim extends Pick<LabHands, 'isDefended' | 'issuer' | 'second' | 'see'> {
  readonly browser: LabBrowser;
  /** The missing check of a mystery. */
  readonly missing?: string;
}

/** Everything that is careless in a lab while its defence is off. */
export interface LabWeakness {
  /** Checks of the server that clients `lab-*` escape. */
  readonly relax?: readonly Relaxation[];
  /** Protections of the demo app that are off. */
  readonly unprotected?: readonly Protection[];
  /** Protections of the demo app that are off with the defence on, too, so that the story must say it. */
  readonly always?: readonly Protection[];
  /** Members of clients by `client_id`. The configuration of the lab has the members of the defence. */
  readonly clients?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** Checks that the API of the lab leaves out. A lab without them has no such API. */
  readonly api?: readonly ApiCheck[];
}

/**
 * A check of a token that an API may forget: the algorithm is chosen by the token (`alg`), or the address of the keys
 * (`jku`); the token may be for a different API (`aud`), or not be an access token (`typ`).
 */
export type ApiCheck = 'alg' | 'jku' | 'aud' | 'typ';

/** People and programs of a lab. */
export type LabActor = 'alice' | 'mallory' | 'app';

/** A step of an attack; `lesson.md` has its text below the heading `## Step <id>: <title>`. */
export interface LabStep {
  readonly id: string;
  readonly by: LabActor;
  /**
   * Asks endpoints of the two issuers only: a request for a page of the dashboard is not recorded, and the lab would wait for it.
   * @throws LabStop
   */
  run(hands: LabHands): Promise<void>;
}

/** A person with a browser and a terminal. */
export type LabBrowser = Pick<Participant, 'issuer' | 'call' | 'open' | 'submit' | 'submitUntil'>;

/** The tools of a step. The switch of the defence replaces the browsers and forgets what was found. */
export interface LabHands {
  /** The app defends itself, too. */
  readonly isDefended: boolean;
  readonly issuer: string;
  /** The second issuer; empty if the lab has none. */
  readonly second: string;
  /** Alice is the victim. */
  readonly alice: LabBrowser;
  /** Mallory is the attacker. */
  readonly mallory: LabBrowser;
  /** Keeps a value for later steps. */
  keep(name: string, value: string): void;
  /**
   * A value that an earlier step kept.
   * @throws LabStop if none did
   */
  kept(name: string): string;
  /**
   * A parameter of the latest token request at the second issuer, whose log its owner can read.
   * @throws LabStop if there was none
   */
  received(parameter: string): string;
  /** Shows a value below the step. */
  see(label: string, value: string): void;
}

/** Ends a step early, such as when the defence took away a code that it needs. The page shows the message. */
export class LabStop extends Error {
  override readonly name = 'LabStop';
}

/** What the page shows of a step that ended early. A mistake in the code of a lab is told the same way. */
export function stopReason(error: unknown): string {
  return error instanceof LabStop ? error.message : `${stepError}${String(error)}`;
}

/** A running lab. Each request asks anew whether the defence is on. */
export interface LabState {
  readonly isDefended: boolean;
  readonly weak: LabWeakness;
  /** The second issuer; empty if the lab has none. */
  readonly second: string;
  /** The id of the missing check; only in a mystery. */
  readonly missing?: string;
}
