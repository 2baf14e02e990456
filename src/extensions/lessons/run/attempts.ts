import { defined } from '../../../base/defined.ts';
import type { EventOf } from '../../../base/events/event.ts';
import type { EventLog } from '../../../base/events/event-log.ts';
import type { TaskResult } from '../checks/check.ts';

/** The requests of a learner while a task was the one in work. */
export interface Attempts {
  readonly requests: number;
  readonly refusals: number;
  /** Unix seconds of real time of the last of them. */
  readonly lastAt: number;
  /** The newest refusal. */
  readonly refused?: NewestRefusal;
}

export interface NewestRefusal {
  readonly reason: string;
  /** The title of its explanation. */
  readonly title: string;
  readonly requestId: string;
}

interface AttemptsParts {
  readonly events: EventLog;
  titleOf(refusal: EventOf<'error.returned'>): string;
}

/** Counts the attempts of a run, by task. `saved`: those of an earlier run. */
export function createAttempts(saved: Readonly<Record<string, Attempts>> = {}, { events, titleOf }: AttemptsParts) {
  const byTask = new Map(Object.entries(saved));

  function note(task: string, isRefused: boolean, refused?: NewestRefusal): void {
    const { requests = 0, refusals = 0, refused: before } = byTask.get(task) ?? {};
    byTask.set(task, {
      ...{ requests: requests + 1, refusals: refusals + Number(isRefused), lastAt: events.wall() },
      ...defined({ refused: refused ?? before }),
    });
  }

  return {
    save: () => Object.fromEntries(byTask),
    answer: (question: string, isRight: boolean) => note(question, !isRight),
    /** A request counts for the task that it did, or for the one in work. */
    request(requestId: string, inWork: string | undefined, done: ReadonlyMap<string, TaskResult>): void {
      const [did] = [...done].find(([, result]) => 'requestId' in result && result.requestId === requestId) ?? [];
      const refusal = did === undefined && events.ofRequest(requestId).find(each => each.type === 'error.returned');
      // a device that waits for its user is told so, which refuses nothing (RFC 8628 §3.5)
      const counts = refusal && refusal.error !== 'authorization_pending' ? refusal : undefined;
      const refused = counts && { reason: counts.reason, title: titleOf(counts), requestId };
      const task = did ?? inWork;
      if (task !== undefined) note(task, counts !== undefined, refused);
    },
  };
}
