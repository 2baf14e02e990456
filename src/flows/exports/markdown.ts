import { headersOf, type RecordedBody } from '../../events/exchange.ts';
import type { Flow } from '../flow.ts';
import type { Sequence } from '../sequence.ts';
import type { Export, ExportedRequest } from './export.ts';
import { fenced, inline } from './markdown-text.ts';
import { asMermaid } from './mermaid.ts';

/** Writes a flow for a ticket or a chat: the sequence diagram, then each request. */
export function asMarkdown(exported: Export, flow: Flow, sequence: Sequence, title: string): string {
  const { requests, redacted, clean } = exported;
  // secrets are removed before escaping, because escaping changes their spelling
  const text: Text = value => inline(clean(value));
  const parts = [
    `# ${text(title)}`,
    `${flow.status}, ${flow.steps.length} requests${redacted ? ', secrets are redacted' : ''}`,
    fenced(
      asMermaid(sequence, title)
        .replace(/^---\n.*\n---\n/, '')
        .trimEnd(),
      'mermaid',
    ),
    ...requests.map((request, index) => requestText(request, index, text)),
  ];
  return clean(`${parts.join('\n\n')}\n`);
}

type Text = (value: string) => string;

function requestText(request: ExportedRequest, index: number, text: Text): string {
  const { method, status, exchange, facts } = request;
  const refusal = facts.find(fact => fact.type === 'error.returned');
  const why =
    refusal?.type === 'error.returned' ? `\n\nRefused: ${text(`${refusal.error}, ${refusal.description}`)}` : '';
  const sent = message(`${method} ${exchange.url} HTTP/1.1`, exchange.requestHeaders, exchange.requestBody);
  const answered = message(`HTTP/1.1 ${status}`, exchange.responseHeaders, exchange.responseBody);
  return `## ${index + 1}. ${text(`${method} ${request.path}`)} → ${status}${why}\n\n${fenced(sent, 'http')}\n\n${fenced(answered, 'http')}`;
}

const longestBody = 4000;

function message(first: string, headers: string, body: RecordedBody | undefined): string {
  const head = [first, ...headersOf(headers).map(([name, value]) => `${name}: ${value}`)].join('\n');
  if (body === undefined) return head;
  const isLong = body.text.length > longestBody || body.cut === true;
  return `${head}\n\n${body.text.slice(0, longestBody)}${isLong ? `\n… ${body.bytes} bytes in total` : ''}`;
}
