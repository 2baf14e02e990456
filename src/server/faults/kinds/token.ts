import type { ParsedObject } from '../../../protocol/json-parameter.ts';
import { type DefectKind, defects, withTimes } from '../defects.ts';
import type { FaultContext, FaultKind } from '../fault.ts';
import { type Defect, defectNames } from '../fault-names.ts';
import { forgeJwt } from '../forge-jwt.ts';
import { otherCase } from '../other-case.ts';
import { challengeAnswer, errorAnswer } from './answers.ts';
import { changed, without } from './metadata.ts';

const token = { place: 'token', endpoints: ['token'], endpoint: 'token', parameters: {} } as const;
const userinfo = { place: 'userinfo', endpoints: ['userinfo'], endpoint: 'userinfo', parameters: {} } as const;
const api = { place: 'api', endpoints: ['api'], endpoint: 'api', parameters: {} } as const;

const bend = (change: (body: ParsedObject) => ParsedObject): FaultKind['effect'] => ({ does: 'bend', bend: change });

/** Faults of the token response (RFC 6749 §5.1), of UserInfo and of the sample backend. */
export const responseFaults: readonly FaultKind[] = [
  {
    ...token,
    name: 'token_error',
    title: 'An error from the token endpoint',
    about: 'Answers with an OAuth error (RFC 6749 §5.2). The code or refresh token remains valid.',
    parameters: { error: 'invalid_grant' },
    effect: {
      does: 'answer',
      answer: ({ parameters: { error } }) => errorAnswer(error === 'invalid_client' ? 401 : 400, error),
    },
  },
  {
    ...token,
    name: 'missing_member',
    title: 'Missing member of the token response',
    about: 'The token response lacks a member, such as refresh_token, id_token or expires_in.',
    parameters: { member: 'refresh_token' },
    effect: { does: 'bend', bend: (body, { parameters }) => without(body, parameters.member) },
  },
  {
    ...token,
    name: 'wrong_token_type',
    title: 'Unknown token type',
    about: 'The token response has token_type mac, which clients must refuse if they do not know it (RFC 6749 §7.1).',
    effect: bend(body => ({ ...body, token_type: 'mac' })),
  },
  {
    ...token,
    name: 'token_type_case',
    title: 'Token type in other letters',
    about:
      'The token response has its token_type in other letters, such as bEARER, which clients must take (RFC 6749 §5.1).',
    effect: bend(body => ({ ...body, token_type: otherCase(String(body.token_type)) })),
  },
  {
    ...token,
    name: 'wrong_expires_in',
    title: 'Wrong expires_in',
    about: 'The token response has an expires_in of one day, independent of the exp of the token.',
    effect: bend(body => ({ ...body, expires_in: 86_400 })),
  },
  {
    ...token,
    name: 'expires_in_text',
    title: 'expires_in is text',
    about: 'The token response has expires_in as a string, as some providers send it.',
    effect: bend(body => ({ ...body, expires_in: String(body.expires_in) })),
  },
  {
    ...token,
    name: 'opaque_access_token',
    title: 'Opaque access token',
    about:
      'The access token is an unknown random string instead of a JWT. A client must not parse it, and the API refuses it.',
    effect: bend(body => ({ ...body, access_token: 'an-opaque-token-that-nobody-knows' })),
  },
  {
    ...token,
    name: 'refresh_race',
    title: 'Another tab refreshes first',
    about:
      'A refresh request is redeemed for another tab first, so that this client sends a used refresh token. Requests with a client assertion or a DPoP proof are left alone.',
    effect: { does: 'race' },
  },
  {
    ...userinfo,
    name: 'userinfo_wrong_sub',
    title: 'Wrong sub from UserInfo',
    about: 'UserInfo returns a different user. Clients must refuse it (OIDC Core §5.3.2).',
    effect: bend(body => ({ ...body, sub: 'somebody-else' })),
  },
  {
    ...userinfo,
    name: 'userinfo_unauthorized',
    title: '401 from UserInfo',
    about: 'UserInfo refuses the token.',
    effect: { does: 'answer', answer: () => challengeAnswer(401, 'invalid_token') },
  },
  {
    ...api,
    name: 'api_unauthorized',
    title: '401 from the API',
    about: 'The sample API refuses the token.',
    effect: { does: 'answer', answer: () => challengeAnswer(401, 'invalid_token') },
  },
  {
    ...api,
    name: 'api_forbidden',
    title: '403 from the API',
    about: 'The sample API refuses the token for its scope.',
    effect: { does: 'answer', answer: () => challengeAnswer(403, 'insufficient_scope') },
  },
];

const jwt = { place: 'jwt', endpoints: ['token', 'authorize'], endpoint: 'token' } as const;
const both = ['access', 'id'] as const;
const anyToken = [...both, 'logout', 'response'] as const;

/** Faults of a JWT. Each breaks one check that an API or a client must make, like the defects of a minted token. */
export const jwtFaults: readonly FaultKind[] = [
  ...defectNames.map(name => kindOf(name, defects[name])),
  {
    ...jwt,
    name: 'multi_factor',
    title: 'Signed in with two factors',
    about: 'The token claims a second factor (`amr`, RFC 8176), although the user used none.',
    parameters: {},
    tokens: both,
    token: 'both',
    effect: {
      does: 'forge',
      forge: ({ key, typ, claims }) => forgeJwt({ key, typ, claims: { ...claims, amr: ['pwd', 'otp', 'mfa'] } }),
    },
  },
  {
    ...jwt,
    name: 'changed_claims',
    title: 'Changed claims',
    about: 'The token has other claims, and is signed with them: `change` adds or replaces them, and null removes one.',
    parameters: { change: {}, header: {} },
    tokens: anyToken,
    effect: {
      does: 'forge',
      forge: ({ key, typ, claims }, { parameters: { change, header } }) =>
        forgeJwt({ key, typ, claims: changed(claims, change), header }),
    },
  },
];

function kindOf(name: Defect, kind: DefectKind): FaultKind {
  const { title, about, tokens = anyToken } = kind;
  return {
    ...jwt,
    name,
    title,
    about,
    tokens,
    parameters: name === 'missing_claim' ? { member: 'exp' } : {},
    effect: {
      does: 'forge',
      forge: ({ key, typ, claims }, context) =>
        forgeJwt({ key, typ, claims: wrongClaims(kind, claims, context), defect: name }),
    },
  };
}

function wrongClaims(kind: DefectKind, claims: ParsedObject, { now, parameters }: FaultContext): ParsedObject {
  const { exp, iat = exp } = claims; // an authorization response has exp alone
  const isTimed = kind.times !== undefined && typeof iat === 'number' && typeof exp === 'number';
  const timed = isTimed ? withTimes(claims, kind.times({ iat, exp }, now)) : claims;
  return kind.claims?.(timed, parameters.member) ?? timed;
}
