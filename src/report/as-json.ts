import type { ClientReport } from './report.ts';

/** The report as it is: `report.ts` has its members. */
export function reportAsJson(report: ClientReport): string {
  return `${JSON.stringify(report, undefined, 2)}\n`;
}
