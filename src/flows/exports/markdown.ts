import { headersOf, type RecordedBody } from '../../events/exchange.ts';
import type { Flow } from '../flow.ts';
import type { Sequence } from '../sequence.ts';
import type { Export, ExportedRequest } from './export.ts';
import { asMermaid } from './mermaid.ts';

/** A flow for a ticket or a chat: the picture, then each request as it was. */
export function asMarkdown(exported: Export, flow: Flow, sequence: Sequence, title: string): string {
  const { requests, redacted, clean } = exported;
  const parts = [
    `# ${title}`,
    `${flow.status}, ${flow.steps.length} requests${redacted ? ', secrets are redacted' : ''}`,
    `\`\`\`mermaid\n${asMermaid(sequence, title).replace(/^---\n.*\n---\n/, '')}\`\`\``,
    ...requests.map(requestText),
  ];
  return clean(`${parts.join('\n\n')}\n`);
}

function requestText(request: ExportedRequest, index: number): string {
  const { method, status, exchange, facts } = request;
  const refusal = facts.find(fact => fact.type === 'error.returned');
  const why = refusal?.type === 'error.returned' ? `\n\nRefused: \`${refusal.error}\`, ${refusal.description}` : '';
  const sent = message(`${method} ${exchange.url} HTTP/1.1`, exchange.requestHeaders, exchange.requestBody);
  const answered = message(`HTTP/1.1 ${status}`, exchange.responseHeaders, exchange.responseBody);
  return `## ${index + 1}. ${method} ${request.path} → ${status}${why}\n\n${fenced(sent)}\n\n${fenced(answered)}`;
}

const longestBody = 4000;

function message(first: string, headers: string, body: RecordedBody | undefined): string {
  const head = [first, ...headersOf(headers).map(([name, value]) => `${name}: ${value}`)].join('\n');
  if (body === undefined) return head;
  const isLong = body.text.length > longestBody || body.cut === true;
  return `${head}\n\n${body.text.slice(0, longestBody)}${isLong ? `\n… ${body.bytes} bytes in all` : ''}`;
}

/** A fence longer than any run of backticks inside. */
function fenced(text: string): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map(run => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}http\n${text}\n${fence}`;
}
