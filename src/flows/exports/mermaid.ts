import type { Sequence, SequenceStep } from '../sequence.ts';

/** A sequence diagram for documents and pull requests (Mermaid). */
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

/** Solid was recorded and asks, dashed answers, a cross was never reached, an open head was not observed. */
function arrowOf({ certainty, isResponse }: SequenceStep): string {
  const line = isResponse === true || certainty === 'inferred' ? '--' : '-';
  return `${line}${certainty === 'never-reached' ? 'x' : certainty === 'inferred' ? ')' : '>>'}`;
}

/** One line, without what ends a message in Mermaid or begins an entity or a tag. */
function safe(text: string): string {
  const oneLine = text.replace(/\s+/g, ' ').slice(0, 200);
  return oneLine.replace(/[#;<>{}"]/g, character => `#${character.codePointAt(0)};`);
}
