import { type Case, isMachine, shown } from '../case.ts';
import { compareDescribed, compareListed, compareWords } from '../compare.ts';
import type { ReasonEntries, ReasonEntry } from '../entry.ts';
import { advice, patchClient } from '../remedies.ts';
import { inApp, literal } from '../source-text.ts';

/** Valid tokens that do not allow the request, because of their audience, scope or login. */
export const authorityEntries = {
  api_audience_mismatch: {
    title: 'The token of {client} is for a different API',
    why: refused =>
      `The \`aud\` of a token names the APIs that may accept it, and this API is not among them. Otherwise a token for one API would work at all of them.${
        wasAskedFor(refused) ? ' The request for the token named a different API with the parameter `resource`.' : ''
      }`,
    fix: 'Request the API with the parameter resource, or register it as an audience of the client. Then get a new token.',
    rfc: 'RFC 9068 §4',
    compare: compareListed(' or ', { sentLabel: 'aud of the token', expectedLabel: 'The API is' }),
    fixes: refused => {
      const [wanted = ''] = (refused.error.expected ?? '').split(' or ');
      const when = isMachine(refused) ? 'with the token' : 'when the sign-in starts';
      const ask = advice(`Request the API ${when}.`, inApp(`resource: ${literal(wanted)}`));
      const { client, who } = refused;
      if (client === undefined || wasAskedFor(refused)) return [ask];
      const audience = [...client.audience, wanted];
      return [ask, patchClient(refused, `Add ${shown(wanted, 60)} to the audience of ${who}`, { audience })];
    },
    references: ['RFC 8707 §2'],
  },
  api_scope_insufficient: {
    title: 'The token of {client} does not have the scope `{expected}`',
    why: refused =>
      allows(refused)
        ? `The client is registered for the scope, but it did not request the scope${isMachine(refused) ? '' : ', or the user did not grant it'}.`
        : 'The client is not registered for the scope, so the token cannot have it.',
    fix: 'Get a new token, and request the scope for it.',
    rfc: 'RFC 6750 §3.1',
    reported: 'A token did not have the scope that the API needs',
    compare: compareDescribed({ sent: 'no scope', sentLabel: 'The token has', expectedLabel: 'The API needs' }),
    fixes: refused => {
      const { client, error, who } = refused;
      const scope = error.expected ?? '';
      const ask = advice(
        isMachine(refused)
          ? 'Request the scope with a new token.'
          : 'Request the scope when the sign-in starts, and sign in again.',
        inApp(`scope: ${literal(askedScope(refused))}`),
      );
      if (client === undefined || allows(refused)) return [ask];
      return [
        patchClient(refused, `Add ${shown(scope, 60)} to ${who}`, { scope: `${client.scope} ${scope}`.trim() }),
        ask,
      ];
    },
  },
  access_token_for_another_resource: {
    title: 'The token of {client} is not for UserInfo',
    why: 'The sign-in requested a token for certain APIs with `resource`. UserInfo accepts only tokens for itself, so that such an API cannot read about the user there.',
    fix: 'Leave resource out, or send it a second time with the address of UserInfo.',
    rfc: 'RFC 9068 §4',
    compare: compareListed(' or ', { sentLabel: 'aud of the token', expectedLabel: 'UserInfo is' }),
    references: ['RFC 8707 §2'],
  },
  access_token_not_for_a_user: {
    title: 'The token of {client} has no user',
    why: 'UserInfo returns the claims of a user, but the client requested this token for itself, without a sign-in.',
    fix: 'Send a token from a sign-in with the scope openid. A client credentials token has no user.',
    rfc: 'OIDC Core §5.3',
    compare: ({ who }) =>
      compareWords(`a token that ${who} requested for itself`, 'a token from the sign-in of a user'),
  },
  api_authentication_too_weak: {
    title: 'The sign-in of the token was too weak',
    why: 'The API requires a certain `acr`, and the sign-in reached a different one.',
    fix: 'Start a sign-in with the acr_values of the WWW-Authenticate header, then call again.',
    rfc: 'RFC 9470 §4',
    compare: compareListed(' or ', { sentLabel: 'acr of the token', expectedLabel: 'The API needs' }),
    fixes: ({ error }) => [
      advice(
        'Start a sign-in with the required `acr`.',
        inApp(`acr_values: ${literal((error.expected ?? '').split(' or ')[0] ?? '')}`),
      ),
    ],
  },
  api_authentication_time_missing: {
    title: 'The token has no auth_time',
    why: 'The API requires a recent sign-in, and only auth_time tells the time of the sign-in.',
    fix: 'Send a token from the sign-in of a user. A client credentials token has no auth_time.',
    rfc: 'RFC 9470 §5',
  },
  api_authentication_too_old: {
    title: 'The sign-in of the token is too old',
    why: 'The API requires a recent sign-in. A refresh issues a new token, but the sign-in stays old.',
    fix: 'Start a sign-in with the max_age of the WWW-Authenticate header, then call again.',
    rfc: 'RFC 9470 §4',
    fixes: ({ error }) => [
      advice('Start a new sign-in.', inApp(`max_age: ${/(\d+) s/.exec(error.expected ?? '')?.[1] ?? '0'}`)),
    ],
  },
} as const satisfies ReasonEntries;

/** Tells whether the login requested a resource, which overrides the registered audience (RFC 8707 §2.2). */
function wasAskedFor({ known, error }: Case): boolean {
  const issued = known.events.issued(error.about ?? '');
  return issued?.type === 'token.issued' && issued.resources !== undefined;
}

function allows({ client, error }: Case): boolean {
  return client?.scope.split(' ').includes(error.expected ?? '') === true;
}

function askedScope({ error }: Case): string {
  const has = error.sent === undefined || error.sent === 'no scope' ? '' : error.sent;
  return `${has} ${error.expected ?? ''}`.trim();
}

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
    fix: 'Use a method from the Allow header of the response.',
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
    fix: 'Use page, size and the names of fields. The response names the wrong parameter.',
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
    fix: 'Correct the fields that the member errors of the response names.',
    rfc: 'RFC 9457 §3',
  },
  api_internal: {
    title: 'The sample backend failed',
    why: 'The sandbox has a bug. Your app did nothing wrong. The log has the details under the id of this request.',
    fix: 'Report this bug of the sandbox. The log has the details under the id of the request.',
    rfc: 'RFC 9110 §15.6.1',
  },
} as const satisfies ReasonEntries;
