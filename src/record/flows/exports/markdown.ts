import type { EventLog } from '../../../base/events/event-log.ts';
import { headersOf, type RecordedBody } from '../../../base/events/exchange.ts';
import type { TextPieces } from '../../../base/turns.ts';
import { type Flow, flowTitle } from '../flow.ts';
import { type Sequence, type SequenceStep, sequenceOf } from '../sequence.ts';
import type { Export, ExportedRequest } from './export.ts';

/** Writes flows for a ticket or a chat: the sequence diagram of each, then its requests; requests of no flow come last. */
export function* asMarkdown(exported: Export, events: EventLog): TextPieces {
  const { flows, requests } = exported;
  const left = new Map(requests.map(request => [request.requestId, request]));
  let separator = '';
  for (const flow of flows) {
    yield separator + headOf(flow, exported, events);
    separator = '\n';
    let number = 0;
    for (const { requestId } of flow.steps) {
      const request = left.get(requestId);
      if (request !== undefined) yield requestText(request, ++number, exported);
      left.delete(requestId);
    }
  }
  if (left.size === 0) return;
  yield `${separator}# Other requests\n`;
  let number = 0;
  for (const request of left.values()) yield requestText(request, ++number, exported);
}

function headOf(flow: Flow, { redacted, clean }: Export, events: EventLog): string {
  const title = flowTitle(flow);
  const diagram = clean(asMermaid(sequenceOf(flow, events), title))
    .replace(/^---\n.*\n---\n/, '')
    .trimEnd();
  const facts = `${flow.status}, ${flow.steps.length} requests${redacted ? ', secrets are redacted' : ''}`;
  // secrets are removed before escaping, because escaping changes their spelling
  return `# ${inline(clean(title))}\n\n${facts}\n\n${fenced(diagram, 'mermaid')}\n`;
}

function requestText(
  { method, path, status, exchange, facts }: ExportedRequest,
  number: number,
  { clean }: Export,
): string {
  const text = (value: string) => inline(clean(value));
  const refusal = facts.find(fact => fact.type === 'error.returned');
  const why =
    refusal?.type === 'error.returned' ? `\n\nRefused: ${text(`${refusal.error}, ${refusal.description}`)}` : '';
  const sent = message(`${method} ${exchange.url} HTTP/1.1`, exchange.requestHeaders, exchange.requestBody);
  const answered = message(`HTTP/1.1 ${status}`, exchange.responseHeaders, exchange.responseBody);
  const messages = clean(`${fenced(sent, 'http')}\n\n${fenced(answered, 'http')}`);
  return `\n## ${number}. ${text(`${method} ${path}`)} → ${status}${why}\n\n${messages}\n`;
}

const longestBody = 4000;

function message(first: string, headers: string, body: RecordedBody | undefined): string {
  const head = [first, ...headersOf(headers).map(([name, value]) => `${name}: ${value}`)].join('\n');
  if (body === undefined) return head;
  const isLong = body.text.length > longestBody || body.cut === true;
  return `${head}\n\n${body.text.slice(0, longestBody)}${isLong ? `\n… ${body.bytes} bytes in total` : ''}`;
}

/** Escapes untrusted text, so that nothing in it is Markdown or HTML. */
export function inline(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/[\\`*_[\]<>#|!&~]/g, '\\$&');
}

/** A code block whose fence is longer than any backticks in the text; `language` selects the highlighting. */
export function fenced(text: string, language = ''): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map(run => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}

/** A value as inline code. */
export function asCode(text: string): string {
  return `\`${text.replace(/[`\s]+/g, ' ')}\``;
}

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
