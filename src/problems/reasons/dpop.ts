import { type Case, sentHeader } from '../case.ts';
import { compareDescribed, compareSentAndExpected, compareText, compareUrls, compareWords } from '../compare.ts';
import type { ReasonEntries, ReasonEntry } from '../entry.ts';
import type { Comparison, ProposedFix } from '../problem.ts';
import { advice, withoutDemand } from '../remedies.ts';
import { inApp } from '../source-text.ts';
import { exactUrls, proofFields } from './dpop-fields.ts';

const fields = proofFields;

const anotherAddress: ReasonEntry = {
  title: refused =>
    isMethod(refused) ? 'The DPoP proof is for another method' : 'The DPoP proof is for another address',
  why: refused =>
    isMethod(refused)
      ? 'A proof is made for one request: htm is its method. The app has kept a proof, or made it for another call.'
      : 'A proof is made for one request: htu is its address, scheme, host, port and path, without query and fragment. A proxy in between, or another host name, makes it a different one.',
  fix: 'Make a proof for each request: htm is its method, htu its address without query and fragment. Behind a proxy, the address is the one of the issuer.',
  rfc: 'RFC 9449 §4.2',
  compare: compareTarget,
  fields,
  fixes: useExactUrl,
};

const anotherToken: ReasonEntry = {
  title: 'The DPoP proof is for another access token',
  why: 'ath has to be the base64url of the SHA-256 of the very token that is sent: without it a proof could be combined with a stolen token.',
  fix: 'At a protected resource, ath must be the base64url SHA-256 of the access token sent with the proof.',
  rfc: 'RFC 9449 §4.2',
  compare: ({ error }) =>
    compareText(error.sent ?? 'nothing', [error.expected ?? ''], {
      sentLabel: 'ath sent',
      expectedLabel: 'ath of this token',
    }),
  fields,
};

const time: ReasonEntry = {
  title: 'The DPoP proof is too old, or from the future',
  why: 'A proof is made right before its request. Its iat is compared with the clock of the sandbox.',
  fix: 'Make the proof right before the request, and check the clock of the machine that makes it.',
  rfc: 'RFC 9449 §11.1',
  fields,
};

const nonce: ReasonEntry = {
  title: 'The DPoP proof needs a nonce of this server',
  why: 'The answer brings a nonce in its DPoP-Nonce header, and the request is sent again with it in a new proof. That is how a server makes sure that a proof is fresh.',
  fix: 'Send the request again, with the value of the DPoP-Nonce header as nonce in a new proof. Most libraries do so by themselves.',
  rfc: 'RFC 9449 §8',
  compare: ({ error }) => compareWords(error.sent ?? 'nothing', 'the value of the DPoP-Nonce header'),
  fields,
  note: {
    title: 'When this is no problem',
    text: 'The first refusal belongs to the protocol. It is one only where the app does not send the request again.',
  },
};

const anotherKey: ReasonEntry = {
  title: 'The DPoP proof is by another key',
  why: 'What was given is bound to the key of the proof it was asked with. The app has made a new key since: on a reload, after a restart, or in another tab.',
  fix: 'Sign the proof with the key that the login began with. An app that makes a new key on each start must keep it as long as its refresh token.',
  rfc: 'RFC 9449 §5',
  compare: compareDescribed({ sentLabel: 'Key of the proof', expectedLabel: 'Bound to' }),
  fields,
};

const replayed: ReasonEntry = {
  title: 'This DPoP proof was used before',
  why: 'Each proof is good for one request, so that nobody can use one that was overheard.',
  fix: 'Make a new proof, with a new jti, for each request; also for a retry.',
  rfc: 'RFC 9449 §11.1',
  fields,
};

const missing: ReasonEntry = {
  title: 'There is no DPoP proof',
  why: ({ error, who }) =>
    error.endpoint === 'token' || error.endpoint === 'par'
      ? `${who} is registered for tokens that are bound to a key (dpop_bound_access_tokens), and the request shows none.`
      : 'The access token is bound to a key, so it is good only with a proof by that key: whoever has stolen it cannot use it.',
  fix: 'Make a proof for this request and send it in the header DPoP.',
  rfc: 'RFC 9449 §7',
  fixes: refused => withoutDemand(refused, `Give ${refused.who} bearer tokens`, 'dpop_bound_access_tokens'),
  fields,
};

const malformed: ReasonEntry = {
  title: 'The DPoP proof cannot be read',
  compare: compareDescribed({ sent: 'a DPoP header that is no such JWT' }),
  why: '{description}. A proof is a signed JWT with typ dpop+jwt, its public key as jwk in the header, and jti, htm, htu and iat.',
  fix: 'Send one DPoP header: a JWT with typ dpop+jwt and the public key in its header, and jti, htm, htu and iat in its body.',
  rfc: 'RFC 9449 §4.2',
  fields,
};

const alg: ReasonEntry = {
  title: 'The DPoP proof is signed with an algorithm that is not taken',
  why: 'A proof is signed with an asymmetric algorithm that the metadata lists: only then its key can be in the header.',
  fix: 'Sign the proof with one of dpop_signing_alg_values_supported of the metadata, such as ES256.',
  rfc: 'RFC 9449 §4.3',
  compare: refused =>
    compareText(refused.error.sent ?? 'another alg', (refused.error.expected ?? '').split(/, | or /), {
      expectedLabel: 'Taken',
    }),
  fields,
};

const key: ReasonEntry = {
  title: 'The key in the DPoP proof is not a public key',
  why: 'The header has to have the public key as jwk, so that the signature can be checked, and never a private one.',
  fix: 'Put the public key into the header of the proof as jwk, without any private member.',
  rfc: 'RFC 9449 §4.2',
  compare: refused =>
    compareSentAndExpected(refused) ?? compareWords('a jwk that is missing, or private', 'the public key as jwk'),
  fields,
};

const signature: ReasonEntry = {
  title: 'The DPoP proof is not signed by the key in its header',
  why: 'The signature does not belong to header and claims: another key has signed, or the proof was changed afterwards.',
  fix: 'Sign the proof with the private key whose public key is in its header.',
  rfc: 'RFC 9449 §4.3',
  compare: compareDescribed({ sent: 'a signature that does not fit', expected: 'a signature by the key in jwk' }),
  fields,
};

const notBound: ReasonEntry = {
  title: 'A bearer token was sent with the scheme DPoP',
  why: 'The token is bound to no key, so a proof with it would prove nothing. It was asked for without a proof.',
  fix: 'Send a bearer token as Authorization: Bearer. To get a DPoP-bound one, send a proof to the token endpoint.',
  rfc: 'RFC 9449 §7.1',
};

const asBearer: ReasonEntry = {
  title: 'A DPoP-bound token was sent as a bearer token',
  why: 'The token is bound to a key. Sent with the scheme Bearer it could be anybody’s, so it is refused.',
  fix: 'Send Authorization: DPoP with the token, and a proof in the header DPoP.',
  rfc: 'RFC 9449 §7.1',
  fixes: () => [
    advice('Send the scheme DPoP and a proof.', inApp('Authorization: DPoP <access token>\nDPoP: <proof>')),
  ],
};

/** Proofs of possession (RFC 9449), at the authorization server and at the sample backend. */
export const dpopEntries = {
  dpop_proof_for_another_request: anotherAddress,
  api_dpop_htm_mismatch: anotherAddress,
  api_dpop_htu_mismatch: anotherAddress,
  dpop_proof_for_another_token: anotherToken,
  api_dpop_ath_mismatch: anotherToken,
  dpop_proof_time: time,
  api_dpop_iat_out_of_range: time,
  dpop_nonce_needed: nonce,
  api_dpop_nonce_missing: nonce,
  api_dpop_nonce_stale: nonce,
  dpop_key_mismatch: anotherKey,
  api_dpop_key_mismatch: {
    ...anotherKey,
    fix: 'Sign the proof with the key that the token was asked for with.',
    rfc: 'RFC 9449 §6',
  },
  dpop_proof_replayed: replayed,
  api_dpop_proof_replayed: replayed,
  dpop_proof_missing: {
    ...missing,
    title: refused =>
      sentHeader(refused, 'authorization')?.startsWith('Bearer') === true
        ? 'A DPoP-bound token was sent as a bearer token'
        : 'There is no DPoP proof',
    fix: 'Send a DPoP proof, or take dpop_bound_access_tokens from the client. A DPoP-bound token is sent as Authorization: DPoP, with a proof.',
    rfc: 'RFC 9449 §5.2',
  },
  api_dpop_proof_missing: missing,
  dpop_proof_malformed: malformed,
  api_dpop_proof_malformed: malformed,
  api_dpop_proof_repeated: {
    ...malformed,
    title: 'There is more than one DPoP proof',
    fix: 'Send one DPoP header with one proof.',
    rfc: 'RFC 9449 §4.3',
  },
  api_dpop_jti_missing: { ...malformed, title: 'The DPoP proof has no jti', fix: 'Give each proof a jti of its own.' },
  dpop_proof_alg_unsupported: alg,
  api_dpop_alg_refused: alg,
  dpop_proof_key_invalid: key,
  api_dpop_proof_key_invalid: key,
  dpop_proof_signature_wrong: signature,
  api_dpop_signature_invalid: signature,
  token_not_bound: notBound,
  api_dpop_not_bound: notBound,
  api_dpop_scheme_missing: asBearer,
  profile_violated: {
    title: 'The FAPI 2.0 profile does not allow this',
    fix: 'PROFILE=fapi2 demands PAR, PKCE, private_key_jwt or mutual TLS, tokens bound by DPoP or a certificate, and signatures by PS256, ES256 or EdDSA. Register the client accordingly, or leave the profile off.',
    rfc: 'RFC 9700 §2.2.1',
  },
} as const satisfies ReasonEntries;

function isMethod({ error }: Case): boolean {
  return error.reason === 'api_dpop_htm_mismatch' || error.description.startsWith('htm ');
}

function compareTarget(refused: Case): Comparison {
  const { error } = refused;
  if (isMethod(refused))
    return compareText(error.sent ?? 'nothing', [error.expected ?? ''], {
      sentLabel: 'htm sent',
      expectedLabel: 'Method of the request',
    });
  return compareUrls(error.sent ?? 'nothing', exactUrls(refused), {
    sentLabel: 'htu sent',
    expectedLabel: 'Address of the request',
  });
}

function useExactUrl(refused: Case): readonly ProposedFix[] {
  if (isMethod(refused))
    return [advice('Make the proof for this request.', inApp(`htm: '${refused.error.expected ?? ''}'`))];
  return exactUrls(refused)
    .slice(0, 1)
    .map(url => advice('Make the proof for this very address.', inApp(`htu: '${url}'`)));
}
