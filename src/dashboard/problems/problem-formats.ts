import { asCode, fenced, inline } from '../../record/flows/exports/markdown.ts';
import { type Explained, withoutSecrets } from '../../record/problems/explain.ts';
import type { Comparison, Explanation, Problem, ProposedFix } from '../../record/problems/problem.ts';
import { textOf } from '../../record/problems/url-difference.ts';
import { referenceUrl } from '../../server/http/views.ts';
import type { PageContext } from '../page.ts';

/** A problem of the list. */
export function problemSummary({ issuer }: Pick<PageContext, 'issuer'>, problem: Problem) {
  return { ...problem, links: { problem: `${issuer}/dashboard/problems/${problem.id}` } };
}

/** One occurrence with all facts of its page, without secrets. */
export function problemJson(context: PageContext, { problem, explanation, requestId, error }: Explained) {
  const at = `${context.issuer}/dashboard`;
  const isInFlow = context.flows.ofRequest(requestId) !== undefined;
  return {
    ...(problem ?? { kind: 'refusal', code: error?.error, reason: error?.reason, count: 0 }),
    requestId,
    ...(error === undefined ? {} : { status: error.status, error: error.error, error_description: error.description }),
    ...explanationJson(explanation),
    links: {
      problem: `${at}/problems/${problem?.id ?? requestId}`,
      request: `${at}/requests/${requestId}`,
      ...(isInFlow ? { flow: `${at}/flows/by-request/${requestId}` } : {}),
    },
  };
}

function explanationJson({ comparison, references, fixes, ...rest }: Explanation) {
  return {
    ...rest,
    ...(comparison === undefined ? {} : comparisonJson(comparison)),
    fixes: fixes.map(fixJson),
    references: references.map(name => ({ name, url: referenceUrl(name) })),
  };
}

function comparisonJson({ sent, expected, sentLabel, expectedLabel }: Comparison) {
  return {
    sent: textOf(sent),
    expected: expected.map(({ value, ...each }) => ({ value: textOf(value), ...each })),
    comparison: { sentLabel, sent, expectedLabel, expected },
  };
}

function fixJson({ text, apply, snippets }: ProposedFix) {
  if (apply === undefined) return { text, snippets };
  const { label, change, thenContinue } = apply;
  return { text, apply: { label, change: JSON.parse(withoutSecrets(change)), thenContinue }, snippets };
}

/** One occurrence as Markdown, for a ticket or a chat, without secrets. */
export function problemMarkdown(
  { issuer }: Pick<PageContext, 'issuer'>,
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
