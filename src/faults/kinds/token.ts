import type { ParsedObject } from '../../oauth/json-parameter.ts';
import type { FaultKind } from '../fault.ts';
import { challengeAnswer, errorAnswer } from './answers.ts';
import { without } from './metadata.ts';

const token = { place: 'token', endpoints: ['token'], endpoint: 'token', parameters: {} } as const;
const userinfo = { place: 'userinfo', endpoints: ['userinfo'], endpoint: 'userinfo', parameters: {} } as const;
const api = { place: 'api', endpoints: ['api'], endpoint: 'api', parameters: {} } as const;

const bend = (change: (body: ParsedObject) => ParsedObject): FaultKind['effect'] => ({ does: 'bend', bend: change });

/** Of the token response (RFC 6749 §5.1), of UserInfo and of the sample backend. */
export const responseFaults: readonly FaultKind[] = [
  {
    ...token,
    name: 'token_error',
    title: 'An error from the token endpoint',
    about: 'Answers with an error of RFC 6749 §5.2: invalid_grant, or another; nothing is used up.',
    parameters: { error: 'invalid_grant' },
    effect: {
      does: 'answer',
      answer: ({ parameters: { error } }) => errorAnswer(error === 'invalid_client' ? 401 : 400, error),
    },
  },
  {
    ...token,
    name: 'missing_member',
    title: 'A member of the token response is missing',
    about: 'The token response lacks a member: refresh_token, id_token, expires_in, or another.',
    parameters: { member: 'refresh_token' },
    effect: { does: 'bend', bend: (body, { parameters }) => without(body, parameters.member) },
  },
  {
    ...token,
    name: 'wrong_token_type',
    title: 'An unknown token type',
    about: 'The token response says token_type mac, which no client of today understands (RFC 6749 §7.1).',
    effect: bend(body => ({ ...body, token_type: 'mac' })),
  },
  {
    ...token,
    name: 'wrong_expires_in',
    title: 'expires_in lies',
    about: 'The token response says the token lives for a day, whatever the token says.',
    effect: bend(body => ({ ...body, expires_in: 86_400 })),
  },
  {
    ...token,
    name: 'expires_in_text',
    title: 'expires_in is text',
    about: 'The token response has expires_in as text, as some providers send it.',
    effect: bend(body => ({ ...body, expires_in: String(body.expires_in) })),
  },
  {
    ...token,
    name: 'opaque_access_token',
    title: 'An opaque access token',
    about: 'The access token is no JWT and nobody knows it: a client must not look inside, and the API refuses it.',
    effect: bend(body => ({ ...body, access_token: 'an-opaque-token-that-nobody-knows' })),
  },
  {
    ...userinfo,
    name: 'userinfo_wrong_sub',
    title: 'Another sub from UserInfo',
    about: 'UserInfo tells of somebody else (OIDC Core §5.3.2 has clients refuse it).',
    effect: bend(body => ({ ...body, sub: 'somebody-else' })),
  },
  {
    ...userinfo,
    name: 'userinfo_unauthorized',
    title: '401 from UserInfo',
    about: 'UserInfo does not take the token.',
    effect: { does: 'answer', answer: () => challengeAnswer(401, 'invalid_token') },
  },
  {
    ...api,
    name: 'api_unauthorized',
    title: '401 from the API',
    about: 'The sample backend does not take the token.',
    effect: { does: 'answer', answer: () => challengeAnswer(401, 'invalid_token') },
  },
  {
    ...api,
    name: 'api_forbidden',
    title: '403 from the API',
    about: 'The sample backend says that the scope is not enough.',
    effect: { does: 'answer', answer: () => challengeAnswer(403, 'insufficient_scope') },
  },
];
