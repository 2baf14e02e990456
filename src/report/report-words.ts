import type { ClientReport, Verdict } from './report.ts';

/** Labels of the verdicts on pages. */
export const verdictWords: Readonly<Record<Verdict, string>> = {
  fail: 'Failed',
  warn: 'Warning',
  pass: 'Passed',
  not_applicable: 'Not applicable',
};

/** Sentences about data the report could not read; empty if it could read everything. */
export function blindSpots({ recording, incomplete }: Pick<ClientReport, 'recording' | 'incomplete'>): string[] {
  return [
    ...(recording
      ? []
      : ['Requests are not recorded (RECORDING=off), so checks that read headers and bodies found nothing.']),
    ...(incomplete
      ? ['The history no longer has the oldest requests (HISTORY_SIZE), so checks may have missed some.']
      : []),
  ];
}
