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
