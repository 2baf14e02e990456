import { withLists } from '../flows/exports/json-list.ts';
import type { TextPieces } from '../turns/text.ts';
import type { ClientReport } from './report.ts';

/** Writes the report as JSON, with the members of `ClientReport`. */
export function reportAsJson({ clients, unseen, ...head }: ClientReport): TextPieces {
  const stringify = (value: unknown, indent?: number) => JSON.stringify(value, undefined, indent);
  return withLists({ around: { ...head, clients: [], unseen }, depth: 1, stringify }, { clients });
}
