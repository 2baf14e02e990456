import type { CheckResult } from '../../report/report.ts';
import type { LessonCode } from '../lesson.ts';
import type { ClientReported } from '../lesson-events.ts';

/** A check of the client report, as the page of a lesson shows it. */
export interface ExaminedRow extends Pick<CheckResult, 'title' | 'why'> {
  /** `open`: no request shows it yet. */
  readonly state: 'passed' | 'failed' | 'open';
  /** The place in the learner's file; undefined for a check that the lesson is not about. */
  readonly place: string | undefined;
}

/** A check of the client report with its result. */
export type Examined = Pick<CheckResult, 'id' | 'title' | 'verdict' | 'why'>;

interface ExaminerParts {
  readonly wanted: NonNullable<LessonCode['report']>;
  /** All checks of the client report for this client. */
  reportOn(client: string): Promise<readonly Examined[]>;
  emit(fact: ClientReported): void;
}

export type Examiner = ReturnType<typeof createExaminer>;

/** Reads the client report of a learner's client after each of its requests. */
export function createExaminer({ wanted, reportOn, emit }: ExaminerParts) {
  let rows: readonly ExaminedRow[] = [];
  let isClean = false;
  let running: Promise<void> | undefined;
  let isStale = true;

  async function examine(): Promise<void> {
    while (isStale) {
      isStale = false;
      rows = rowsOf(wanted.places, await reportOn(wanted.client));
    }
    running = undefined;
    const passes = rows.every(({ state }) => state === 'passed');
    if (passes === isClean) return;
    isClean = passes;
    emit({ type: 'client.reported', client_id: wanted.client, isClean });
  }

  /** Reads the report if there are new requests, and waits for it. */
  function settled(): Promise<void> {
    if (isStale) running ??= examine();
    return running ?? Promise.resolve();
  }

  return {
    client: wanted.client,
    rows: () => rows,
    settled,
    /** There is a new request. */
    follow(): void {
      isStale = true;
      void settled();
    },
  };
}

/** The checks of the lesson, and each finding beside them. */
function rowsOf(places: Readonly<Record<string, string>>, checks: readonly Examined[]): readonly ExaminedRow[] {
  const rows = checks.map(({ id, title, why, verdict }) => ({ title, why, state: states[verdict], place: places[id] }));
  const own = Object.keys(places).flatMap(id => rows[checks.findIndex(check => check.id === id)] ?? []);
  return [...own, ...rows.filter(({ place, state }) => place === undefined && state === 'failed')];
}

const states = { pass: 'passed', warn: 'failed', fail: 'failed', not_applicable: 'open' } as const;
