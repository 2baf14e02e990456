import { compactVerify, errors } from 'jose';
import type { AuthorizationServer } from '../authorization-server.ts';
import { signingAlgs } from './algorithms.ts';
import { verificationKey } from './verification-key.ts';

/** Whether a published key of ours signed it; nothing else of the token is judged. */
export type SignatureCheck =
  | { readonly ok: true; readonly kid: string; readonly alg: string }
  | { readonly ok: false; readonly why: string };

/** Checks the signature of a JWT of any kind, for explanations. Never throws for a bad token. */
export async function verifySignature(server: AuthorizationServer, jwt: string): Promise<SignatureCheck> {
  try {
    let signer: { kid: string; alg: string } | undefined;
    await compactVerify(
      jwt,
      async header => {
        const key = await verificationKey(server, header);
        signer = key;
        return key.publicKey;
      },
      { algorithms: [...signingAlgs] },
    );
    return signer === undefined
      ? { ok: false, why: 'no key was used' }
      : { ok: true, kid: signer.kid, alg: signer.alg };
  } catch (error) {
    if (error instanceof errors.JOSEError) return { ok: false, why: error.message };
    throw error;
  }
}
