import { asCode, fenced, inline } from '../../record/flows/exports/markdown-text.ts';
import type { Explained } from '../../record/problems/explained-request.ts';
import type { Comparison, Explanation, ProposedFix } from '../../record/problems/problem.ts';
import { textOf } from '../../record/problems/url-difference.ts';
import { referenceUrl } from '../../server/http/views.ts';
import type { Desk } from '../desk.ts';

/** One occurrence as Markdown, for a ticket or a chat, without secrets. */
export function problemMarkdown(
  { issuer }: Pick<Desk, 'issuer'>,
  { problem, explanation, requestId, request, error }: Explained,
): string {
  const where = request === undefined ? '' : `${request.method} ${request.path}`;
  const code = error === undefined ? problem?.code : `${error.status} ${error.error} (${error.reason})`;
  const facts = [where, code ?? '', problem === undefined || problem.count < 2 ? '' : `${problem.count} times`].filter(
    each => each !== '',
  );
  const parts = [
    `# ${words(explanation.title)}`,
    facts.map(asCode).join(' · '),
    comparisonText(explanation.comparison),
    fieldsText(explanation),
    `**Why** (${explanation.certainty}) ${words(explanation.why)}`,
    othersText(explanation),
    ...explanation.fixes.map(fixText),
    explanation.note === undefined ? '' : `**${inline(explanation.note.title)}** ${words(explanation.note.text)}`,
    explanation.references.map(linked).join(' · '),
    `Request ${requestId}, ${issuer}/dashboard/problems/${problem?.id ?? requestId}`,
  ];
  return `${parts.filter(part => part !== '').join('\n\n')}\n`;
}

/** A text of an explanation: text between backticks is code. */
function words(text: string): string {
  return text
    .split('`')
    .map((part, index) => (index % 2 === 1 ? asCode(part) : inline(part)))
    .join('');
}

function comparisonText(comparison: Comparison | undefined): string {
  if (comparison === undefined) return '';
  const { sentLabel, sent, expectedLabel, expected } = comparison;
  const rows = expected.map(
    ({ value, differs }, index) =>
      `${index === 0 ? expectedLabel : ''}\t${textOf(value)}${differs === '' ? '' : `\t${differs}`}`,
  );
  return fenced([`${sentLabel}\t${textOf(sent)}`, ...rows].join('\n'));
}

function fieldsText({ fields = [] }: Explanation): string {
  if (fields.length === 0) return '';
  return fenced(
    fields
      .map(
        ({ name, sent, expected, isRight }) =>
          `${isRight ? 'right' : 'wrong'}\t${name}\t${sent}${isRight ? '' : `\texpected ${expected}`}`,
      )
      .join('\n'),
  );
}

function othersText({ others }: Explanation): string {
  return others.length === 0 ? '' : `It could also be:\n\n${others.map(each => `- ${words(each)}`).join('\n')}`;
}

function fixText({ text, snippets }: ProposedFix): string {
  return [`**Fix** ${words(text)}`, ...snippets.map(({ where, code }) => `${inline(where)}:\n\n${fenced(code)}`)].join(
    '\n\n',
  );
}

function linked(reference: string): string {
  const url = referenceUrl(reference);
  return url === undefined ? reference : `[${reference}](${url})`;
}
