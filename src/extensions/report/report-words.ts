import type { ClientReport, Verdict } from './report.ts';

/** Labels of the verdicts on pages. */
export const verdictWords: Readonly<Record<Verdict, string>> = {
  fail: 'Failed',
  warn: 'Warning',
  pass: 'Passed',
  not_applicable: 'Not applicable',
};

/** Sentences about what the server did not check, and about data the report could not read; empty for none. */
export function blindSpots({
  recording,
  incomplete,
  relaxations = [],
}: Pick<ClientReport, 'recording' | 'incomplete' | 'relaxations'>): string[] {
  return [
    ...relaxations.map(sentence => `Relaxed: ${sentence}`),
    ...(recording
      ? []
      : ['Requests are not recorded (RECORDING=off), so checks that read headers and bodies found nothing.']),
    ...(incomplete
      ? ['The history no longer has the oldest requests (HISTORY_SIZE), so checks may have missed some.']
      : []),
  ];
}
