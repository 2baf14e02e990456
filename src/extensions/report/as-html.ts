import { eachInTurns, type Turns } from '../../base/turns.ts';
import { templatesFolder } from '../../package.ts';
import { renderTemplate } from '../../server/http/render-template.ts';
import type { ClientReport, ClientScore, Verdict } from './report.ts';
import { blindSpots, verdictWords as words } from './report-words.ts';

/** Columns of the overview, from left to right. */
const verdicts: readonly Verdict[] = ['fail', 'warn', 'pass', 'not_applicable'];

/**
 * Renders the report as one HTML page without scripts, fonts or links to other files; it follows the colour scheme of the browser.
 * Each client is rendered separately, because a thousand clients would block the event loop.
 */
export async function* reportAsHtml(report: ClientReport, turns?: Turns): AsyncGenerator<string, void, void> {
  const columns = verdicts.map(verdict => words[verdict]);
  const page = await render('page', { report, notes: blindSpots(report), verdicts: columns });
  // untrusted text cannot contain this marker, because EJS escapes `<`
  const [head = '', between = '', tail = ''] = page.split(/<!--parts-->\n?/);
  const clients = [...report.clients.entries()];
  yield head;
  yield* eachInTurns(clients, each => row(...each), turns);
  yield between;
  yield* eachInTurns(clients, each => section(...each), turns);
  yield `${tail}\n`;
}

function row(index: number, client: ClientScore): Promise<string> {
  return render('row', { client, index, words, counts: verdicts.map(verdict => client.summary[verdict]) });
}

function section(index: number, client: ClientScore): Promise<string> {
  const of = (...wanted: readonly Verdict[]) =>
    wanted.flatMap(verdict => client.checks.filter(check => check.verdict === verdict));
  return render('client', {
    client,
    index,
    words,
    findings: of('fail', 'warn'),
    others: of('pass', 'not_applicable'),
  });
}

function render(template: string, view: object): Promise<string> {
  return renderTemplate(`${templatesFolder}/report/${template}.ejs`, view);
}
