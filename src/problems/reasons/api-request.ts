import { shown } from '../case.ts';
import { compareListed } from '../compare.ts';
import type { ReasonEntries, ReasonEntry } from '../entry.ts';
import { advice } from '../remedies.ts';
import { inApp } from '../source-text.ts';

const json = 'Send Content-Type: application/json and a body in well-formed JSON, in UTF-8, not compressed.';

const asJson: ReasonEntry['fixes'] = () => [
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
    fix: 'Call one of the collections; the page API lists them.',
    rfc: 'RFC 9110 §15.5.5',
    compare: compareListed(' or ', { expectedLabel: 'Collections' }),
  },
  api_path_malformed: {
    title: 'The path is not well-formed',
    fix: 'Percent-encode the path as UTF-8, once.',
    rfc: 'RFC 3986 §2.1',
  },
  api_method_not_allowed: {
    title: '{path} does not answer to {sent}',
    why: 'A collection that can only be read, or only be written, says so in Allow.',
    fix: 'Use a method the Allow header of the answer names.',
    rfc: 'RFC 9110 §15.5.6',
    compare: compareListed(', '),
  },
  api_id_malformed: {
    title: '{sent} is no id',
    why: 'Rows are numbered.',
    fix: 'Use the id of a row, a whole number.',
    rfc: 'RFC 9110 §15.5.1',
  },
  api_row_unknown: {
    title: 'There is no row {sent}',
    why: ({ request }) =>
      `The token was good; there is only nothing under this id${request === undefined ? '' : ` at ${shown(request.path)}`}.`,
    fix: 'Read the collection for the ids there are. Changes are gone after a restart or a reset.',
    rfc: 'RFC 9110 §15.5.5',
  },
  api_query_invalid: {
    title: 'The query has a parameter that is not understood',
    fix: 'Use page, size and the names of fields; the answer says which parameter is wrong.',
    rfc: 'RFC 9110 §15.5.1',
  },
  api_body_type_unsupported: {
    title: 'The body is not JSON by its Content-Type',
    why: 'The backend reads application/json, and believes the header.',
    fix: json,
    rfc: 'RFC 9110 §15.5.16',
    fixes: asJson,
  },
  api_body_encoding_unsupported: {
    title: 'The body is compressed',
    why: 'The backend does not unpack what is sent to it.',
    fix: json,
    rfc: 'RFC 9110 §15.5.16',
  },
  api_body_too_large: {
    title: 'The body is too large',
    fix: 'Send less than 256 KiB.',
    rfc: 'RFC 9110 §15.5.14',
  },
  api_body_empty: {
    title: 'The body is empty',
    why: 'A row was to be written, and none came.',
    fix: json,
    rfc: 'RFC 9110 §15.5.1',
    fixes: asJson,
  },
  api_body_malformed: {
    title: 'The body is not well-formed JSON',
    fix: json,
    rfc: 'RFC 8259 §2',
  },
  api_body_cut_off: {
    title: 'The body ended early',
    why: 'The connection was closed before all of the body had come.',
    fix: 'Send as many bytes as Content-Length says.',
    rfc: 'RFC 9110 §8.6',
  },
  api_body_invalid: {
    title: 'The row has fields that are wrong',
    fix: 'Mend the fields that the errors member of the answer names.',
    rfc: 'RFC 9457 §3',
  },
  api_internal: {
    title: 'The sample backend failed',
    why: 'This is a mistake of the sandbox, not of the app. What happened is in its log, under the id of this request.',
    fix: 'This one is on us. The log has the details under the id of the request.',
    rfc: 'RFC 9110 §15.6.1',
  },
} as const satisfies ReasonEntries;
