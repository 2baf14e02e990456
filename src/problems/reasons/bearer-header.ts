import type { Case } from '../case.ts';
import { compareWords } from '../compare.ts';
import type { ReasonEntries, ReasonEntry } from '../entry.ts';
import { advice } from '../remedies.ts';
import { inApp, shellQuoted } from '../source-text.ts';

const header = 'Send the token in the header: Authorization: Bearer, one space, the access token, nothing around it.';
const headerLine = inApp("fetch(url, { headers: { Authorization: 'Bearer ' + accessToken } })");

const missing: ReasonEntry = {
  title: 'No access token came with the request',
  why: 'The API is for those who have a token, and the request has no Authorization header. Was the token not there yet, or did a redirect or proxy take the header away?',
  fix: 'Send the token in the header: Authorization: Bearer <access token>.',
  rfc: 'RFC 6750 §2.1',
  compare: ({ error }) => compareWords(error.sent ?? 'no Authorization header', 'Authorization: Bearer <access token>'),
  fixes: refused => [advice('Attach the token.', headerLine, curlOf(refused))],
  references: ['RFC 6750 §3'],
};

const malformedHeader: ReasonEntry = {
  title: 'The Authorization header is not Bearer, a space and a token',
  why: ({ error }) =>
    error.sent === undefined
      ? `${error.description}.`
      : `After the scheme came ${error.sent}. A header is read letter by letter.`,
  fix: 'One header, the word Bearer, one space, the token, nothing around it: no quotes and no line break.',
  rfc: 'RFC 6750 §2.1',
  compare: ({ error }) => compareWords(error.sent ?? 'another form', 'Authorization: Bearer <access token>'),
  fixes: refused => [advice('Send it like this.', headerLine, curlOf(refused))],
};

/** How access tokens are sent to UserInfo and to the sample backend (RFC 6750 §2). */
export const bearerHeaderEntries = {
  access_token_missing: missing,
  api_token_missing: { ...missing, fix: header },
  api_token_in_query: {
    ...missing,
    title: 'The access token came in the address',
    why: 'Addresses are written to logs and histories, so an API does not read tokens there.',
    fix: `${header} An address ends up in logs and histories.`,
    rfc: 'RFC 6750 §2.3',
  },
  bearer_header_malformed: malformedHeader,
  api_authorization_malformed: { ...malformedHeader, fix: header },
  api_authorization_repeated: {
    ...malformedHeader,
    title: 'The request has more than one Authorization header',
    why: 'Each of them could be the one that is meant, and servers differ in which one they read.',
    fix: 'Send one Authorization header. Many libraries add one by themselves: leave out the one that the application adds.',
    rfc: 'RFC 9110 §5.3',
  },
  api_scheme_not_bearer: {
    ...malformedHeader,
    title: 'The scheme of the Authorization header is not Bearer',
    why: 'The word before the token says what it is. Without it, or with another one, nobody looks for a token there.',
    fix: header,
  },
} as const satisfies ReasonEntries;

function curlOf({ known, request }: Case) {
  const url = `${new URL(known.issuer).origin}${request?.path ?? ''}`;
  return { where: 'curl', code: `curl ${shellQuoted(url)} --header "Authorization: Bearer $ACCESS_TOKEN"` };
}
