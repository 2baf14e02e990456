import { shown } from '../case.ts';
import { compareListed } from '../compare.ts';
import type { ReasonEntries, ReasonEntry } from '../entry.ts';
import { advice } from '../remedies.ts';
import { inApp } from '../source-text.ts';

const json = 'Send Content-Type: application/json and a body in well-formed JSON, in UTF-8, without compression.';

const asJson: ReasonEntry['fixes'] = () => [
  advice(
    'Send JSON.',
    inApp("fetch(url, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(row) })"),
  ),
];

/** Requests to the sample backend that have a valid token but a different mistake. */
export const apiRequestEntries = {
  api_path_unknown: {
    title: 'The sample backend has no collection at {sent}',
    why: 'Each collection has its own path. Paths are compared character by character, including case and the slash at the end.',
    fix: 'Call one of the collections. The page API lists them.',
    rfc: 'RFC 9110 §15.5.5',
    compare: compareListed(' or ', { expectedLabel: 'Collections' }),
  },
  api_path_malformed: {
    title: 'The path is not well-formed',
    fix: 'Percent-encode the path as UTF-8, once.',
    rfc: 'RFC 3986 §2.1',
  },
  api_method_not_allowed: {
    title: '{path} does not accept {sent}',
    why: 'A collection may be read-only or write-only. The Allow header lists its methods.',
    fix: 'Use a method from the Allow header of the answer.',
    rfc: 'RFC 9110 §15.5.6',
    compare: compareListed(', '),
  },
  api_id_malformed: {
    title: 'The id {sent} is not a number',
    why: 'The ids of rows are whole numbers.',
    fix: 'Use the id of a row, a whole number.',
    rfc: 'RFC 9110 §15.5.1',
  },
  api_row_unknown: {
    title: 'The row {sent} does not exist',
    why: ({ request }) =>
      `The token was accepted, but no row has this id${request === undefined ? '' : ` at ${shown(request.path)}`}.`,
    fix: 'Read the collection to see its ids. A restart or a reset removes all changes.',
    rfc: 'RFC 9110 §15.5.5',
  },
  api_query_invalid: {
    title: 'The query has an unknown parameter or value',
    fix: 'Use page, size and the names of fields. The answer names the wrong parameter.',
    rfc: 'RFC 9110 §15.5.1',
  },
  api_body_type_unsupported: {
    title: 'The Content-Type is not JSON',
    why: 'The backend accepts only the Content-Type application/json, whatever the body contains.',
    fix: json,
    rfc: 'RFC 9110 §15.5.16',
    fixes: asJson,
  },
  api_body_encoding_unsupported: {
    title: 'The body is compressed',
    why: 'The backend does not decompress request bodies.',
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
    why: 'The request must contain the row to write.',
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
    why: 'The connection was closed before the whole body arrived.',
    fix: 'Send as many bytes as Content-Length says.',
    rfc: 'RFC 9110 §8.6',
  },
  api_body_invalid: {
    title: 'The row has invalid fields',
    fix: 'Correct the fields that the member errors of the answer names.',
    rfc: 'RFC 9457 §3',
  },
  api_internal: {
    title: 'The sample backend failed',
    why: 'The sandbox has a bug. Your app did nothing wrong. The log has the details under the id of this request.',
    fix: 'Report this bug of the sandbox. The log has the details under the id of the request.',
    rfc: 'RFC 9110 §15.6.1',
  },
} as const satisfies ReasonEntries;
