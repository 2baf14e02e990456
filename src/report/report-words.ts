import type { ClientReport, Verdict } from './report.ts';

/** What a verdict is called where a person reads it. */
export const verdictWords: Readonly<Record<Verdict, string>> = {
  fail: 'Failed',
  warn: 'Warning',
  pass: 'Passed',
  not_applicable: 'Not applicable',
};

/** What a report could not see, a sentence each. */
export function blindSpots({ recording, incomplete }: Pick<ClientReport, 'recording' | 'incomplete'>): string[] {
  return [
    ...(recording
      ? []
      : ['Requests are not recorded (RECORDING=off): checks that read bodies and headers saw nothing.']),
    ...(incomplete ? ['The oldest requests are forgotten already (HISTORY_SIZE): a check may have missed them.'] : []),
  ];
}
