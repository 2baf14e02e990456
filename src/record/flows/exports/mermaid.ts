import type { EventLog } from '../../../base/events/event-log.ts';
import type { TextPieces } from '../../../base/turns.ts';
import { flowTitle } from '../flow-words.ts';
import { type Sequence, type SequenceStep, sequenceOf } from '../sequence.ts';
import type { Export } from './export.ts';

/** Writes a diagram for each flow. */
export function* mermaidOf({ flows, clean }: Export, events: EventLog): TextPieces {
  let separator = '';
  for (const flow of flows) {
    yield separator + clean(asMermaid(sequenceOf(flow, events), flowTitle(flow)));
    separator = '\n';
  }
}

/** Writes a Mermaid sequence diagram for documents and pull requests. */
export function asMermaid({ lanes, steps, omitted }: Sequence, title: string): string {
  const lines = [
    `---\ntitle: ${safe(title)}\n---`,
    'sequenceDiagram',
    '  autonumber',
    ...lanes.map(({ id, name }) => `  participant ${id} as ${safe(name)}`),
    ...steps.flatMap(step => [
      ...linesOf(step),
      ...(omitted?.after === step.number ? [`  Note over idp: ${omitted.count} requests are left out`] : []),
    ]),
  ];
  return `${lines.join('\n')}\n`;
}

function linesOf(step: SequenceStep): string[] {
  const { from, to, title, certainty, record } = step;
  const refusal = record?.refusal;
  const told = certainty === 'inferred' ? ' (not observed)' : certainty === 'never-reached' ? ' (never reached)' : '';
  const refused =
    refusal === undefined ? [] : [`  Note over ${to}: refused: ${safe(`${refusal.error}: ${refusal.description}`)}`];
  return [`  ${from}${arrowOf(step)}${to}: ${safe(title)}${told}`, ...refused];
}

/** Solid: recorded request. Dashed: response. Cross: never reached. Open head: not observed. */
function arrowOf({ certainty, isResponse }: SequenceStep): string {
  const line = isResponse === true || certainty === 'inferred' ? '--' : '-';
  return `${line}${certainty === 'never-reached' ? 'x' : certainty === 'inferred' ? ')' : '>>'}`;
}

/** One line, with the characters escaped that end a Mermaid message or begin an entity or a tag. */
function safe(text: string): string {
  const oneLine = text.replace(/\s+/g, ' ').slice(0, 200);
  return oneLine.replace(/[#;<>{}"]/g, character => `#${character.codePointAt(0)};`);
}
