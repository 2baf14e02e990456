import { xml } from '../../../base/text/junit-xml.ts';
import type { Examination, ExamSummary } from '../examination.ts';

/** Writes a badge as SVG: the plan, and how many modules failed or passed. */
export function examinationAsBadge({ plan, verdict, summary }: Examination): string {
  const [left, right] = [`grantbox ${plan}`, countWords(summary)];
  const [first, second] = [widthOf(left), widthOf(right)];
  const middle = first + second / 2;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${first + second}" height="20" role="img" aria-label="${xml(`${left}: ${right}`)}">
<title>${xml(`${left}: ${right}`)}</title>
<clipPath id="edge"><rect width="${first + second}" height="20" rx="4"/></clipPath>
<g clip-path="url(#edge)"><rect width="${first}" height="20" fill="#10162a"/><rect x="${first}" width="${second}" height="20" fill="${colours[verdict]}"/></g>
<g fill="#fff" text-anchor="middle" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">
<text x="${first / 2}" y="14" textLength="${first - 12}">${xml(left)}</text><text x="${middle}" y="14" textLength="${second - 12}">${xml(right)}</text>
</g>
</svg>
`;
}

/** Dark enough for white letters. */
const colours: Readonly<Record<Examination['verdict'], string>> = {
  pass: '#146c3a',
  warn: '#855000',
  fail: '#b3261e',
  inconclusive: '#474f63',
  not_applicable: '#474f63',
};

function countWords({ fail, warn, inconclusive, pass }: ExamSummary): string {
  if (fail > 0) return `${fail} failed`;
  if (warn > 0) return `${warn} ${warn === 1 ? 'warning' : 'warnings'}`;
  if (inconclusive > 0) return `${inconclusive} inconclusive`;
  return `${pass} passed`;
}

/** Verdana at 11 px is about 6.6 px a character. */
function widthOf(text: string): number {
  return Math.round(text.length * 6.6) + 12;
}
