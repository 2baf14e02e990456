import { type Case, shown } from '../case.ts';
import { compareText } from '../compare.ts';
import type { Entries, Entry } from '../entry.ts';
import { advice } from '../remedies.ts';
import { inApp } from '../source-text.ts';

const described = ({ error }: Case) => `${error.description}.`;
const asJson: Entry['fixes'] = () => [
  advice(
    'Send JSON.',
    inApp("fetch(url, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(row) })"),
  ),
];

/** What was wrong with the rest of a request to the sample backend: the token was good. */
export const apiRequestEntries = {
  api_path_unknown: {
    title: 'The sample backend has nothing at {sent}',
    why: 'Each collection has its own path; upper and lower case count, and so does the slash at the end.',
    compare: ({ error }) =>
      compareText(error.sent ?? '', (error.expected ?? '').split(' or '), { expectedLabel: 'Collections' }),
  },
  api_path_malformed: { title: 'The path is not well-formed', why: described },
  api_method_not_allowed: {
    title: '{path} does not answer to {sent}',
    why: 'A collection that can only be read, or only be written, says so in Allow.',
    compare: ({ error }) => compareText(error.sent ?? '', (error.expected ?? '').split(', ')),
  },
  api_id_malformed: { title: '{sent} is no id', why: 'Rows are numbered.' },
  api_row_unknown: {
    title: 'There is no row {sent}',
    why: ({ request }) =>
      `The token was good; there is only nothing under this id${request === undefined ? '' : ` at ${shown(request.path)}`}.`,
  },
  api_query_invalid: { title: 'The query has a parameter that is not understood', why: described },
  api_body_type_unsupported: {
    title: 'The body is not JSON by its Content-Type',
    why: 'The backend reads application/json, and believes the header.',
    fixes: asJson,
  },
  api_body_encoding_unsupported: {
    title: 'The body is compressed',
    why: 'The backend does not unpack what is sent to it.',
  },
  api_body_too_large: { title: 'The body is too large', why: described },
  api_body_empty: { title: 'The body is empty', why: 'A row was to be written, and none came.', fixes: asJson },
  api_body_malformed: { title: 'The body is not well-formed JSON', why: described },
  api_body_cut_off: {
    title: 'The body ended early',
    why: 'The connection was closed before all of the body had come.',
  },
  api_body_invalid: { title: 'The row has fields that are wrong', why: described },
  api_internal: {
    title: 'The sample backend failed',
    why: 'This is a mistake of the sandbox, not of the app. What happened is in its log, under the id of this request.',
  },
} as const satisfies Entries;
