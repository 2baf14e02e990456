import type { TextPieces } from '../../base/turns.ts';
import { jsonInPieces } from '../../record/flows/exports/json.ts';
import type { ClientReport } from './report.ts';

/** Writes the report as JSON, with the members of `ClientReport`. */
export function* reportAsJson({ clients, unseen, ...head }: ClientReport): TextPieces {
  yield* jsonInPieces({ ...head, clients, unseen }, (value, indent) => JSON.stringify(value, undefined, indent));
  yield '\n';
}
