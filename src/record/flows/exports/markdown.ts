import type { EventLog } from '../../../base/events/event-log.ts';
import { headersOf, type RecordedBody } from '../../../base/events/exchange.ts';
import type { TextPieces } from '../../../base/turns.ts';
import type { Flow } from '../flow.ts';
import { flowTitle } from '../flow-words.ts';
import { sequenceOf } from '../sequence.ts';
import type { Export, ExportedRequest } from './export.ts';
import { fenced, inline } from './markdown-text.ts';
import { asMermaid } from './mermaid.ts';

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
