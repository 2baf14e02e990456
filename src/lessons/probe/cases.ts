import type { MintRequest } from '../../control/mint-request.ts';
import type { ProbeCase } from '../../events/lesson-events.ts';

export interface CaseFacts {
  /** The token or header to send, in words. */
  readonly title: string;
  /** The check that an expected answer proves. */
  readonly proves: string;
  readonly accepts: boolean;
  readonly defect?: NonNullable<MintRequest['defect']>;
  readonly type?: 'id';
}

/** All calls, in their order. The last one is made after the keys were rotated. */
export const cases: Readonly<Record<ProbeCase, CaseFacts>> = {
  good: {
    title: 'A good token',
    proves: 'The API finds the keys of the server by itself, and accepts what they signed.',
    accepts: true,
  },
  expired: {
    title: 'A token that has expired',
    proves: 'The API compares exp with its clock (RFC 7519 §4.1.4).',
    accepts: false,
    defect: 'expired',
  },
  audience: {
    title: 'A token for a different API',
    proves: 'The API looks for its own name in aud (RFC 9068 §4).',
    accepts: false,
    defect: 'wrong_audience',
  },
  issuer: {
    title: 'A token of a different issuer',
    proves: 'The API compares iss with the one issuer that it trusts (RFC 9068 §4).',
    accepts: false,
    defect: 'wrong_issuer',
  },
  tampered: {
    title: 'A token that was changed after it was signed',
    proves: 'The API checks the signature (RFC 7515 §5.2).',
    accepts: false,
    defect: 'tampered',
  },
  none: {
    title: 'A token without a signature, with alg none',
    proves: 'The API chooses the algorithm, and not the token (RFC 8725 §3.1).',
    accepts: false,
    defect: 'alg_none',
  },
  id_token: {
    title: 'An ID token',
    proves: 'The API asks for the typ at+jwt, or for its audience: a login is not a permission (RFC 9068 §4).',
    accepts: false,
    type: 'id',
  },
  rotated: {
    title: 'A good token after the keys were rotated',
    proves: 'The API fetches the keys again when it meets an unknown kid.',
    accepts: true,
  },
};

export const caseNames = Object.keys(cases) as readonly ProbeCase[]; // the keys of the record above
