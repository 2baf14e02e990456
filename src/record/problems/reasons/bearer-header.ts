import { type Case, shown } from '../case.ts';
import { compareWords } from '../compare.ts';
import type { ReasonEntries, ReasonEntry } from '../entry.ts';
import { advice } from '../remedies.ts';
import { inApp, shellQuoted } from '../source-text.ts';

const header = 'Send the token in the header: Authorization: Bearer, one space, the token, without quotes.';
/** The words of the needed token, as in `Authorization: Bearer <registration_access_token>`. */
function tokenName({ error }: Case): string {
  return /Bearer <([\w ]+)>/.exec(error.expected ?? '')?.[1] ?? 'access token';
}

function tokenWords(refused: Case): readonly string[] {
  return tokenName(refused).split(/[ _]/);
}

function headerLine(refused: Case) {
  const [first = '', ...others] = tokenWords(refused);
  const name = [first, ...others.map(word => `${word[0]?.toUpperCase()}${word.slice(1)}`)].join('');
  return inApp(`fetch(url, { headers: { Authorization: 'Bearer ' + ${name} } })`);
}

const missing: ReasonEntry = {
  title: 'The request has no access token',
  why: 'The API requires a token, but the request has no Authorization header. The app may not have a token yet, or a redirect or proxy removed the header.',
  fix: 'Send the token in the header: Authorization: Bearer <access token>.',
  rfc: 'RFC 6750 §2.1',
  compare: ({ error }) => compareWords(error.sent ?? 'no Authorization header', 'Authorization: Bearer <access token>'),
  fixes: refused => [advice('Attach the token.', headerLine(refused), curlOf(refused))],
  references: ['RFC 6750 §3'],
};

/** A program had no token, or made text of an object. */
export function isWord(sent = ''): boolean {
  return /^the (word (?!Bearer)|text )/.test(sent);
}

export const noVariable =
  'The variable of the token was not set, or has an object instead of its `access_token`. The app may not have a token yet, or store it under a different name.';

const malformedHeader: ReasonEntry = {
  title: ({ error }) =>
    isWord(error.sent) ? `The app sent ${error.sent} as a token` : 'The Authorization header is malformed',
  why: ({ error }) => {
    if (isWord(error.sent)) return noVariable;
    return error.sent === undefined
      ? `${error.description}.`
      : `The header has ${error.sent}. After the scheme it must have one space and one token.`;
  },
  fix: 'Send one header with the word Bearer, one space and the token, without quotes or line breaks.',
  rfc: 'RFC 6750 §2.1',
  compare: refused =>
    compareWords(refused.error.sent ?? 'another form', `Authorization: Bearer <${tokenName(refused)}>`),
  fixes: refused => [advice('Send the header like this.', headerLine(refused), curlOf(refused))],
};

const otherScheme: ReasonEntry = {
  ...malformedHeader,
  title: ({ error }) => {
    if (isWord(error.sent)) return `The Authorization header is ${error.sent}`;
    return error.sent?.endsWith('without a scheme')
      ? 'The Authorization header has a token, but not the word Bearer before it'
      : `The scheme of the Authorization header is ${shown(error.sent ?? 'unknown', 40)} instead of Bearer`;
  },
  why: ({ error }) =>
    isWord(error.sent)
      ? noVariable
      : 'A server reads a token only after the word `Bearer` and a space. The request has a header, but no token.',
};

const inQuery: ReasonEntry = {
  ...missing,
  title: 'The access token is in the query of the address',
  why: 'Logs and histories store addresses, so an API does not accept tokens there.',
  fix: `${header} Logs and histories store addresses.`,
  rfc: 'RFC 6750 §2.3',
};

/** Requests that send the access token to UserInfo or to the sample backend in the wrong way (RFC 6750 §2). */
export const bearerHeaderEntries = {
  access_token_missing: missing,
  api_token_missing: { ...missing, fix: header },
  access_token_in_query: inQuery,
  api_token_in_query: inQuery,
  bearer_header_malformed: malformedHeader,
  api_authorization_malformed: { ...malformedHeader, fix: header },
  api_authorization_repeated: {
    ...malformedHeader,
    title: 'The request has more than one Authorization header',
    why: 'Two headers are ambiguous: some servers read the first, others the last.',
    fix: 'Send one Authorization header. Many libraries add one, so remove the header that your app adds.',
    rfc: 'RFC 9110 §5.3',
  },
  access_token_scheme_wrong: { ...otherScheme, fix: header },
  api_scheme_not_bearer: { ...otherScheme, fix: header },
} as const satisfies ReasonEntries;

function curlOf(refused: Case) {
  const { known, request } = refused;
  const url = `${new URL(known.issuer).origin}${request?.path ?? ''}`;
  return {
    where: 'curl',
    code: `curl ${shellQuoted(url)} --header "Authorization: Bearer $${tokenWords(refused).join('_').toUpperCase()}"`,
  };
}
