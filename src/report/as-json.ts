import type { Pieces } from '../turns/in-turns.ts';
import type { ClientReport } from './report.ts';

/** The report as it is: `report.ts` has its members. */
export function* reportAsJson({ clients, ...report }: ClientReport): Pieces<string> {
  const written: string[] = [];
  for (const client of clients) {
    written.push(`\n    ${JSON.stringify(client, undefined, 2).replaceAll('\n', '\n    ')}`);
    yield;
  }
  const { unseen, ...head } = report;
  const around = JSON.stringify({ ...head, clients: [], unseen }, undefined, 2);
  const list = written.length === 0 ? '[]' : `[${written.join(',')}\n  ]`;
  return `${around.replace('"clients": []', () => `"clients": ${list}`)}\n`;
}
