import { templatesFolder } from '../../../package.ts';
import { referenceUrl } from '../../../server/http/reference.ts';
import { renderTemplate } from '../../../server/http/render-template.ts';
import type { ExamVerdict } from '../exam-module.ts';
import type { Examination } from '../examination.ts';
import { libraryWords, oneIssuerWords, requestLine } from '../examination-formats.ts';
import { sealed } from './certificate.ts';

const words: Readonly<Record<ExamVerdict, string>> = {
  fail: 'Failed',
  warn: 'Warning',
  inconclusive: 'Inconclusive',
  pass: 'Passed',
  not_applicable: 'Not applicable',
};

/** Writes the result as one HTML page without scripts, fonts or other files; it follows the colour scheme of the browser. */
export async function examinationAsHtml(examination: Examination): Promise<string> {
  const { modules, summary } = examination;
  const of = (...wanted: readonly ExamVerdict[]) =>
    wanted.flatMap(verdict => modules.filter(module => module.verdict === verdict));
  const page = await renderTemplate(`${templatesFolder}/examine/page.ejs`, {
    result: sealed(examination),
    words,
    counts: (Object.keys(words) as ExamVerdict[]).flatMap(verdict => {
      const count = summary[verdict];
      const word = verdict === 'warn' && count > 1 ? 'warnings' : words[verdict].toLowerCase();
      return count === 0 ? [] : [[verdict, `${count} ${word}`]];
    }),
    findings: of('fail', 'warn', 'inconclusive'),
    others: of('pass', 'not_applicable'),
    requestLine,
    referenceUrl,
    libraryWords,
    oneIssuerWords,
  });
  return `${page}\n`;
}
