import { decodeJwt } from '../../../base/text/jwt.ts';
import { s256 } from '../../../protocol/requests/pkce.ts';
import { type Case, named, sentHeader, shown } from '../case.ts';
import { compareDescribed, compareSentAndExpected, compareText, compareUrls, compareWords } from '../compare.ts';
import type { ReasonEntries, ReasonEntry } from '../entry.ts';
import type { Comparison, FieldCheck, ProposedFix } from '../problem.ts';
import { advice, withoutDemand } from '../remedies.ts';
import { inApp } from '../source-text.ts';

const fields = proofFields;

const anotherAddress: ReasonEntry = {
  title: refused =>
    isMethod(refused) ? 'The DPoP proof is for a different method' : 'The DPoP proof is for a different address',
  why: refused =>
    isMethod(refused)
      ? 'A proof is valid for one request, and `htm` is the method of this request. The app reused a proof, or made it for a different call.'
      : 'A proof is valid for one request, and `htu` is the address of this request without query and fragment. A proxy or a second host name changes the address.',
  fix: 'Make a new proof for each request. htm is its method, and htu is its address without query and fragment. Behind a proxy, use the host of the issuer.',
  rfc: 'RFC 9449 §4.2',
  compare: compareTarget,
  fields,
  fixes: useExactUrl,
};

const anotherToken: ReasonEntry = {
  title: 'The DPoP proof is for a different access token',
  why: 'The `ath` must be the base64url of the SHA-256 of the access token. Otherwise a thief could combine a proof with a stolen token.',
  fix: 'Set ath to the base64url of the SHA-256 of the access token that you send with the proof.',
  rfc: 'RFC 9449 §4.2',
  compare: ({ error }) =>
    compareText(error.sent ?? 'nothing', [error.expected ?? ''], {
      sentLabel: 'ath sent',
      expectedLabel: 'ath of this token',
    }),
  fields,
};

const time: ReasonEntry = {
  title: 'The `iat` of the DPoP proof is too old or in the future',
  why: 'A proof must be made right before its request. The server compares its `iat` with the clock of the sandbox.',
  fix: 'Make the proof right before the request, and check the clock of the machine that signs it.',
  rfc: 'RFC 9449 §11.1',
  fields,
};

const nonce: ReasonEntry = {
  title: 'The DPoP proof needs a nonce from this server',
  why: 'The response has a nonce in its `DPoP-Nonce` header. The app sends the request again with this nonce in a new proof, which shows that the proof is fresh.',
  fix: 'Send the request again, with the value of the DPoP-Nonce header as nonce in a new proof. Most libraries do this.',
  rfc: 'RFC 9449 §8',
  compare: ({ error }) => compareWords(error.sent ?? 'nothing', 'the value of the DPoP-Nonce header'),
  fields,
  note: {
    title: 'When this is normal',
    text: 'The first refusal is part of the protocol. It is a problem only if the app does not send the request again.',
  },
};

const anotherKey: ReasonEntry = {
  title: 'The DPoP proof has a different key',
  why: 'The code or token is bound to the key of the first proof. The app made a new key since then: on a reload, after a restart, or in a second tab.',
  fix: 'Sign the proof with the key of the sign-in. Store the key as long as the refresh token.',
  rfc: 'RFC 9449 §5',
  compare: compareDescribed({ sentLabel: 'Key of the proof', expectedLabel: 'Bound to' }),
  fields,
};

const replayed: ReasonEntry = {
  title: 'The DPoP proof was used twice',
  why: 'A proof works for one request only, so that nobody can replay it.',
  fix: 'Make a new proof with a new jti for each request, and for each retry.',
  rfc: 'RFC 9449 §11.1',
  fields,
};

const missing: ReasonEntry = {
  title: 'The request has no DPoP proof',
  why: ({ error, who }) =>
    error.endpoint === 'token' || error.endpoint === 'par'
      ? `${named(who)} is registered for key-bound tokens (dpop_bound_access_tokens), but the request does not prove a key.`
      : 'The access token is bound to a key, so it is valid only with a proof of this key. A thief cannot use the token.',
  fix: 'Make a proof for this request and send it in the DPoP header.',
  rfc: 'RFC 9449 §7',
  fixes: refused => withoutDemand(refused, `Give ${refused.who} bearer tokens`, 'dpop_bound_access_tokens'),
  fields,
};

const malformed: ReasonEntry = {
  title: 'The DPoP proof is malformed',
  compare: compareDescribed({ sent: 'a DPoP header that is not such a JWT' }),
  why: '{description}. A proof is a signed JWT with `typ` `dpop+jwt`, the public key as `jwk` in its header, and the claims `jti`, `htm`, `htu` and `iat`.',
  fix: 'Send one DPoP header with a JWT: typ dpop+jwt and the public key in the header, and jti, htm, htu and iat as claims.',
  rfc: 'RFC 9449 §4.2',
  fields,
};

const alg: ReasonEntry = {
  title: 'The server does not accept the algorithm of the DPoP proof',
  why: 'The metadata lists the accepted algorithms. All are asymmetric, because the header of a proof contains its key.',
  fix: 'Sign the proof with one of dpop_signing_alg_values_supported of the metadata, such as ES256.',
  rfc: 'RFC 9449 §4.3',
  compare: refused =>
    compareText(refused.error.sent ?? 'a different alg', (refused.error.expected ?? '').split(/, | or /), {
      expectedLabel: 'Accepted',
    }),
  fields,
};

const key: ReasonEntry = {
  title: 'The key in the DPoP proof is not a public key',
  why: 'The header must have the public key as `jwk`, so that the server can check the signature. A private key must never be sent.',
  fix: 'Put the public key into the header of the proof as jwk, without private members.',
  rfc: 'RFC 9449 §4.2',
  compare: refused =>
    compareSentAndExpected(refused) ?? compareWords('a missing or private jwk', 'the public key as jwk'),
  fields,
};

const signature: ReasonEntry = {
  title: 'The signature of the DPoP proof does not match the key in its header',
  why: 'A different key signed the proof, or the proof was changed after it was signed.',
  fix: 'Sign the proof with the private key whose public key is in its header.',
  rfc: 'RFC 9449 §4.3',
  compare: compareDescribed({ sent: 'a signature that does not match', expected: 'a signature by the key in jwk' }),
  fields,
};

const notBound: ReasonEntry = {
  title: 'A bearer token was sent with the scheme `DPoP`',
  why: 'The token is not bound to a key, because it was requested without a proof. A proof would show nothing.',
  fix: 'Send a bearer token as Authorization: Bearer. To get a DPoP-bound one, send a proof to the token endpoint.',
  rfc: 'RFC 9449 §7.1',
};

const asBearer: ReasonEntry = {
  title: 'A DPoP-bound token was sent as a bearer token',
  why: 'The token is bound to a key. With the scheme `Bearer` nothing proves that the sender has the key.',
  fix: 'Send the token as Authorization: DPoP, and a proof in the DPoP header.',
  rfc: 'RFC 9449 §7.1',
  fixes: () => [
    advice('Send the scheme `DPoP` and a proof.', inApp('Authorization: DPoP <access token>\nDPoP: <proof>')),
  ],
};

/** DPoP proofs that the authorization server or the sample backend refuses (RFC 9449). */
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
    fix: 'Sign the proof with the key that requested the token.',
    rfc: 'RFC 9449 §6',
  },
  dpop_proof_replayed: replayed,
  api_dpop_proof_replayed: replayed,
  dpop_proof_missing: {
    ...missing,
    title: refused =>
      sentHeader(refused, 'authorization')?.startsWith('Bearer') === true
        ? 'A DPoP-bound token was sent as a bearer token'
        : 'The request has no DPoP proof',
    fix: 'Send a DPoP proof, or remove dpop_bound_access_tokens from the client. Send a DPoP-bound token as Authorization: DPoP, with a proof.',
    rfc: 'RFC 9449 §5.2',
  },
  api_dpop_proof_missing: missing,
  dpop_proof_malformed: malformed,
  api_dpop_proof_malformed: malformed,
  api_dpop_proof_repeated: {
    ...malformed,
    title: 'The request has more than one DPoP proof',
    fix: 'Send one DPoP header with one proof.',
    rfc: 'RFC 9449 §4.3',
  },
  api_dpop_jti_missing: { ...malformed, title: 'The DPoP proof has no `jti`', fix: 'Give each proof its own jti.' },
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
    fix: 'Register the client for the profile, or leave PROFILE=fapi2 off. The profile requires PAR, PKCE, private_key_jwt or mutual TLS, tokens bound by DPoP or a certificate, and signatures with PS256, ES256 or EdDSA.',
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
    .map(url => advice('Make the proof for this address.', inApp(`htu: '${url}'`)));
}

/** Returns the addresses that a proof may name. They are built from the issuer, not from the Host header. */
function exactUrls({ known, request, error }: Case): readonly string[] {
  const told = (error.expected ?? '').split(' or ').filter(each => /^https?:\/\//.test(each));
  if (told.length > 0 && told.every(each => URL.canParse(each))) return told;
  return request === undefined ? [] : [new URL(known.issuer).origin + request.path];
}

const oldest = 300;
const furthestAhead = 60;

function proofFields(refused: Case): readonly FieldCheck[] {
  const proof = decodeJwt(sentHeader(refused, 'dpop') ?? '');
  const { request } = refused;
  if (proof === undefined || request === undefined) return [];
  const { htm, htu, iat, jti, nonce, ath } = proof.claims;
  const { typ } = proof.header;
  const urls = exactUrls(refused);
  const now = Math.floor(refused.error.at);
  const token = boundToken(refused);
  const isNonceWrong = /nonce/.test(refused.error.reason);
  const isReplayed = /replayed/.test(refused.error.reason);
  return [
    field('typ', typ, 'dpop+jwt', typ === 'dpop+jwt'),
    field('htm', htm, request.method, htm === request.method),
    field('htu', htu, urls.join(' or '), typeof htu === 'string' && urls.includes(htu.replace(/[?#].*/s, ''))),
    field(
      'iat',
      iat,
      `${now - oldest} to ${now + furthestAhead}`,
      typeof iat === 'number' && iat >= now - oldest && iat <= now + furthestAhead,
    ),
    field(
      'jti',
      jti,
      isReplayed ? 'an unused value' : 'a new value in each proof',
      typeof jti === 'string' && jti !== '' && !isReplayed,
    ),
    ...(token === undefined ? [] : [field('ath', ath, s256(token), ath === s256(token))]),
    ...(nonce === undefined && !isNonceWrong
      ? []
      : [field('nonce', nonce, 'the value of the DPoP-Nonce header', !isNonceWrong)]),
  ];
}

function field(name: string, sent: unknown, expected: string, isRight: boolean): FieldCheck {
  return {
    name,
    sent: sent === undefined ? 'missing' : shown(typeof sent === 'string' ? sent : JSON.stringify(sent)),
    expected,
    isRight,
  };
}

/** Returns the access token of a request to an API. A token request has none, so its proof has no `ath`. */
function boundToken(refused: Case): string | undefined {
  return /^(?:dpop|bearer) +(\S+)$/i.exec(sentHeader(refused, 'authorization')?.trim() ?? '')?.[1];
}
