import type { Examination } from '../examination.ts';
import {
  type ExamFailOn,
  examinationAsJunit,
  examinationAsMarkdown,
  examinationAsText,
} from '../examination-formats.ts';
import { examinationAsBadge } from './badge.ts';
import { certificateOf, sealed } from './certificate.ts';
import { examinationAsExpectedFailures } from './expected-failures.ts';
import { examinationAsHtml } from './html.ts';
import { examinationAsSarif } from './sarif.ts';

type Write = (result: Examination, failOn: ExamFailOn) => string | Promise<string>;

/** The formats of a result, by the names of `--format`. */
export const formats: Readonly<Record<string, Write>> = {
  table: examinationAsText,
  json: result => json(sealed(result)),
  html: examinationAsHtml,
  junit: examinationAsJunit,
  markdown: examinationAsMarkdown,
  sarif: examinationAsSarif,
  badge: examinationAsBadge,
  certificate: result => json(certificateOf(result)),
  'expected-failures': examinationAsExpectedFailures,
};

function json(value: object): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}
