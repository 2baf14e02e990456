import type { TextPieces } from '../turns/text.ts';
import { htmlStyle } from './html-style.ts';
import type { CheckResult, ClientReport, ClientScore, Summary, Verdict } from './report.ts';
import { blindSpots, verdictWords } from './report-words.ts';

/** One page that needs nothing but itself: no script, no font, no address it asks. Light or dark as the reader has it. */
export function* reportAsHtml(report: ClientReport): TextPieces {
  const { issuer, createdAt, clients } = report;
  const policy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";
  yield `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<title>Client report of ${html(issuer)}</title>
<style>${htmlStyle}</style>
</head>
<body>
<main>
<h1>Client report</h1>
<p class="muted"><code>${html(issuer)}</code>, <time datetime="${html(createdAt)}">${html(createdAt)}</time>, by Grantbox. Secrets are left out.</p>
${notes(report)}
`;
  if (clients.length === 0) yield '<p>No client has done anything yet.</p>\n';
  else yield* overview(clients);
  for (const [index, client] of clients.entries()) yield `${clientSection(client, index)}\n`;
  yield '</main>\n</body>\n</html>\n';
}

function notes(report: ClientReport): string {
  const { unseen } = report;
  const all = [
    ...blindSpots(report),
    ...(unseen.length === 0 ? [] : [`Registered, and not seen: ${unseen.join(', ')}`]),
  ];
  return all.map(note => `<p class="note">${html(note)}</p>`).join('\n');
}

function badge(verdict: Verdict): string {
  return `<span class="badge ${verdict}">${verdictWords[verdict]}</span>`;
}

function* overview(clients: readonly ClientScore[]): TextPieces {
  yield `<div class="scroll" role="region" aria-label="Overview" tabindex="0"><table>
<caption>Clients</caption>
<thead><tr><th scope="col">Client</th><th scope="col">Type</th><th scope="col">Verdict</th><th scope="col" class="number">Failed</th><th scope="col" class="number">Warnings</th><th scope="col" class="number">Passed</th><th scope="col" class="number">Not applicable</th><th scope="col" class="number">Requests</th></tr></thead>
<tbody>
`;
  for (const [index, client] of clients.entries()) yield `${overviewRow(client, index)}\n`;
  yield '</tbody>\n</table></div>\n';
}

function overviewRow(client: ClientScore, index: number): string {
  const { client_id, client_name, type, verdict, summary, requests } = client;
  return `<tr><th scope="row"><a href="#client-${index}"><bdi>${html(client_id)}</bdi></a><br><bdi class="muted">${html(client_name)}</bdi></th><td>${type}</td><td>${badge(verdict)}</td>${numbers(summary)}<td class="number">${requests}</td></tr>`;
}

function numbers({ fail, warn, pass, not_applicable }: Summary): string {
  return [fail, warn, pass, not_applicable].map(count => `<td class="number">${count}</td>`).join('');
}

function clientSection({ client_id, checks, summary }: ClientScore, index: number): string {
  const of = (...verdicts: readonly Verdict[]) =>
    verdicts.flatMap(verdict => checks.filter(check => check.verdict === verdict));
  const [findings, others] = [of('fail', 'warn'), of('pass', 'not_applicable')];
  return `<section aria-labelledby="client-${index}">
<h2 id="client-${index}"><bdi>${html(client_id)}</bdi></h2>
${list(findings)}
<details class="others"><summary>${summary.pass} passed, ${summary.not_applicable} not applicable</summary>
${list(others)}
</details>
</section>`;
}

function list(checks: readonly CheckResult[]): string {
  return checks.length === 0 ? '' : `<ul class="checks">\n${checks.map(checkItem).join('\n')}\n</ul>`;
}

function checkItem({ id, title, verdict, why, references, evidence }: CheckResult): string {
  return `<li class="check">
<h3>${badge(verdict)} ${html(title)}</h3>
<p><bdi>${html(why)}</bdi></p>
<p class="muted"><code>${html(id)}</code> · ${html(references.join(', '))}</p>${evidenceOf(evidence)}
</li>`;
}

function evidenceOf({ count, requests, example }: CheckResult['evidence']): string {
  if (count === 0) return '';
  const items = requests.map(
    ({ requestId, at, method, path }) =>
      `<li><code>${html(requestId)}</code> ${html(method)} <bdi>${html(path)}</bdi> <time>${new Date(at * 1000).toISOString()}</time></li>`,
  );
  const more = count > requests.length ? `<li>and ${count - requests.length} more</li>` : '';
  const shown =
    example === undefined ? '' : `<p>The first of them:</p><pre tabindex="0"><bdi>${html(example)}</bdi></pre>`;
  return `
<details><summary>${count} ${count === 1 ? 'request' : 'requests'}</summary><ul>${items.join('')}${more}</ul>${shown}</details>`;
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&#34;',
  "'": '&#39;',
};

/** Any text, for an element or an attribute. */
function html(text: string): string {
  return text.replace(/[&<>"']/g, sign => entities[sign] ?? sign).replace(/[\0\p{Cs}]/gu, '\ufffd');
}
