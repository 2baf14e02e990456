import type { TokenType } from '../../base/events/token-events.ts';
import type { AppEvent } from './demo-app/app-events.ts';

declare module '../../base/events/event.ts' {
  interface ExtensionEvents {
    readonly lessons:
      | LessonStarted
      | TaskDone
      | ApiProbed
      | LabSwitched
      | LabTokenLetThrough
      | ClientReported
      | TrainerActed
      | AppEvent;
  }
}

/** A learner started a lesson, or started it again. The event is in the log of the first issuer. */
export interface LessonStarted {
  readonly type: 'lesson.started';
  readonly lesson: string;
  /** The learner's own issuer, in which the lesson runs. */
  readonly issuer: string;
}

/** A learner did a task of a lesson. The event is in the log of the first issuer. */
export interface TaskDone {
  readonly type: 'task.done';
  readonly lesson: string;
  readonly task: string;
  readonly issuer: string;
  /** The request of the learner's issuer that did it; absent for an answer to a question. */
  readonly doneBy?: string;
}

/** The trainer of a workshop did something for a seat. The event is in the log of each issuer of the seat. */
export interface TrainerActed {
  readonly type: 'trainer.acted';
  readonly did: 'flow_shown' | 'flow_hidden' | 'hint_released' | 'hints_kept' | 'hints_free';
}

/** A lab began, or its defence was switched. The event is in the log of the learner's own issuer. */
export interface LabSwitched {
  readonly type: 'lab.switched';
  /** True if the defence is on. A lab begins without. */
  readonly isDefended: boolean;
}

/** The API of a lab accepted a token while the defence was off. The event is in the log of the learner's own issuer. */
export interface LabTokenLetThrough {
  readonly type: 'lab.token_let_through';
  /** From the header of the token. */
  readonly alg: string;
  /** The claims as they were sent: nobody may have vouched for them. */
  readonly sub?: string;
  readonly client_id?: string;
  readonly scope?: string;
  /** Address of the keys, from the header of the token. */
  readonly jku?: string;
  /** The kind of token that this server issued; absent if it never issued this token. */
  readonly tokenType?: TokenType;
  /** Of that token. */
  readonly tokenId?: string;
  /** This server never issued the token: somebody made or changed it. */
  readonly isForged: boolean;
}

/** A call that the lesson about an API makes, or asks the learner to make. */
export type ProbeCase = 'good' | 'expired' | 'audience' | 'issuer' | 'tampered' | 'none' | 'id-token' | 'rotated';

/** The API of a learner was called with a token of a lesson. The event is in the log of the learner's own issuer. */
export interface ApiProbed {
  readonly type: 'api.probed';
  readonly case: ProbeCase;
  /** The API answered as it should. */
  readonly passed: boolean;
  /** Absent where there was no answer. */
  readonly status?: number;
}

/** The client report of a learner's client has become clean, or is no longer. The event is in the log of the learner's own issuer. */
export interface ClientReported {
  readonly type: 'client.reported';
  readonly client_id: string;
  /** Each check of the lesson has passed, and there is no other finding. */
  readonly isClean: boolean;
}
