import type { Reason } from '../../oauth/errors.ts';
import type { Fix } from './fix.ts';

/** Refusals of DPoP proofs, and of what is bound to a key. */
export const dpopFixes = {
  certificate_mismatch: {
    fix: 'Connect with the client certificate that the token was issued over.',
    rfc: 'RFC 8705 §4',
  },
  dpop_key_mismatch: {
    fix: 'Sign the proof with the key that the login began with. An app that makes a new key on each start must keep it as long as its refresh token.',
    rfc: 'RFC 9449 §5',
  },
  dpop_nonce_needed: {
    fix: 'Send the request again, with the value of the DPoP-Nonce header as nonce in a new proof. Most libraries do so by themselves.',
    rfc: 'RFC 9449 §8',
  },
  dpop_proof_alg_unsupported: {
    fix: 'Sign the proof with one of dpop_signing_alg_values_supported of the metadata, such as ES256.',
    rfc: 'RFC 9449 §4.3',
  },
  dpop_proof_for_another_request: {
    fix: 'Make a proof for each request: htm is its method, htu its address without query and fragment. Behind a proxy, the address is the one of the issuer.',
    rfc: 'RFC 9449 §4.2',
  },
  dpop_proof_for_another_token: {
    fix: 'At a protected resource, ath must be the base64url SHA-256 of the access token sent with the proof.',
    rfc: 'RFC 9449 §4.2',
  },
  dpop_proof_key_invalid: {
    fix: 'Put the public key into the header of the proof as jwk, without any private member.',
    rfc: 'RFC 9449 §4.2',
  },
  dpop_proof_malformed: {
    fix: 'Send one DPoP header: a JWT with typ dpop+jwt and the public key in its header, and jti, htm, htu and iat in its body.',
    rfc: 'RFC 9449 §4.2',
  },
  dpop_proof_missing: {
    fix: 'Send a DPoP proof, or take dpop_bound_access_tokens from the client. A DPoP-bound token is sent as Authorization: DPoP, with a proof.',
    rfc: 'RFC 9449 §5.2',
  },
  dpop_proof_replayed: {
    fix: 'Make a new proof, with a new jti, for each request; also for a retry.',
    rfc: 'RFC 9449 §11.1',
  },
  dpop_proof_signature_wrong: {
    fix: 'Sign the proof with the private key whose public key is in its header.',
    rfc: 'RFC 9449 §4.3',
  },
  dpop_proof_time: {
    fix: 'Make the proof right before the request, and check the clock of the machine that makes it.',
    rfc: 'RFC 9449 §11.1',
  },
  profile_violated: {
    fix: 'PROFILE=fapi2 demands PAR, PKCE, private_key_jwt or mutual TLS, tokens bound by DPoP or a certificate, and signatures by PS256, ES256 or EdDSA. Register the client accordingly, or leave the profile off.',
    rfc: 'RFC 9700 §2.2.1',
  },
  token_not_bound: {
    fix: 'Send a bearer token as Authorization: Bearer. To get a DPoP-bound one, send a proof to the token endpoint.',
    rfc: 'RFC 9449 §7.1',
  },
} as const satisfies Partial<Record<Reason, Fix>>;
