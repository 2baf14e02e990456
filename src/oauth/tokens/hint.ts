import { errors, jwtVerify } from 'jose';
import type { AuthorizationServer } from '../authorization-server.ts';
import { invalidRequest } from '../errors.ts';
import { signingAlgs } from './algorithms.ts';
import { verificationKey } from './verification-key.ts';

/** Who an `id_token_hint` is about. */
export interface Hint {
  readonly sub: string;
  /** The client the ID Token was for. */
  readonly client_id: string;
  readonly sid?: string;
}

/**
 * Reads an `id_token_hint` (OIDC Core §3.1.2.1, RP-Initiated Logout §2): an ID Token of ours, expired or not.
 * @throws invalid_request
 */
export async function readHint(server: AuthorizationServer, hint: string): Promise<Hint> {
  try {
    const { payload } = await jwtVerify(hint, async header => (await verificationKey(server, header)).publicKey, {
      issuer: server.issuer,
      algorithms: [...signingAlgs],
      typ: 'JWT',
      requiredClaims: ['sub', 'aud', 'iat'],
      currentDate: new Date(0), // an expired hint is still a hint
      clockTolerance: Number.MAX_SAFE_INTEGER,
    });
    const { sub = '', aud, sid } = payload;
    const client_id = Array.isArray(aud) ? (aud[0] ?? '') : (aud ?? '');
    return { sub, client_id, ...(typeof sid === 'string' ? { sid } : {}) };
  } catch (error) {
    if (!(error instanceof errors.JOSEError)) throw error;
    const description = 'id_token_hint is not an ID Token this server issued';
    throw invalidRequest('hint_invalid', description, { expected: 'an ID Token from this sandbox', cause: error });
  }
}
