import { asCurl } from './curl.ts';
import { asFetch } from './fetch.ts';
import type { HttpCall } from './http-call.ts';
import { asHttpFile } from './http-file.ts';

/** A request in all formats, for `partials/copies.ejs`. `prefix` keeps ids unique if a page shows several requests. */
export function copiesOf(call: HttpCall, prefix = 'copy') {
  return [
    { id: `${prefix}-curl`, name: 'curl', code: asCurl(call) },
    { id: `${prefix}-fetch`, name: 'fetch', code: asFetch(call) },
    { id: `${prefix}-http`, name: '.http', code: asHttpFile(call) },
  ];
}
