import { X509Certificate } from 'node:crypto';
import type { JWK } from 'jose';
import { defined } from '../../../src/base/defined.ts';
import { type Bench, offers, preferred } from './bench.ts';
import { unique } from './client-keys.ts';
import { BrokenPromise, NotExercised } from './demand.ts';
import type { Identity } from './http.ts';
import { type Json, listOf } from './json.ts';

/** A client that exists for one check. */
export interface TestClient {
  readonly client_id: string;
  /** Empty if the client has no secret. */
  readonly secret: string;
  readonly method: string;
  /** Signature algorithm of its client assertions. */
  readonly assertionAlg: string;
  readonly redirectUri: string;
  /** Signature algorithm of its DPoP proofs; absent if it does not use DPoP. */
  readonly proofAlg?: string;
  readonly identity?: Identity;
  readonly metadata: Json;
}

/** Authentication and token binding of a client, if they differ from the default. */
export interface TestClientForm {
  readonly method?: string;
  readonly assertionAlg?: string;
  readonly proofAlg?: string;
  /** Binds its tokens to a certificate. */
  readonly isCertified?: boolean;
}

/** The redirect URI of the test clients. No server is there: the browser stops before it. */
export const redirectUri = 'https://client.example/callback';
export const returnUri = 'https://client.example/signed-out';

const usualGrants = ['authorization_code', 'refresh_token'];

/**
 * Registers a client with complete metadata.
 * @throws BrokenPromise if the server refuses the metadata
 */
export async function registerClient(
  bench: Bench,
  metadata: Json = {},
  form: TestClientForm = {},
): Promise<TestClient> {
  const client_id = unique();
  const method = form.method ?? usualMethod(bench);
  const secret = method.startsWith('client_secret') ? unique() + unique() : '';
  const isCertified = form.isCertified ?? needsCertificate(bench);
  const certificate = await certificateFor(bench, client_id, method, isCertified);
  const proofAlg = form.proofAlg ?? (isCertified ? undefined : usualProofAlg(bench));
  const entry = {
    client_id,
    client_name: 'Test',
    token_endpoint_auth_method: method,
    ...(secret === '' ? {} : { client_secret: secret }),
    redirect_uris: [redirectUri],
    post_logout_redirect_uris: [returnUri],
    grant_types: usualGrants,
    scope: listOf(bench.metadata, 'scopes_supported').join(' '),
    require_consent: false,
    subject_type: 'public',
    access_token_lifetime: 60,
    jwks: { keys: [...bench.keys.publicKeys.keys, ...(certificate?.keys ?? [])] },
    ...certificate?.metadata,
    ...(isCertified ? { tls_client_certificate_bound_access_tokens: true } : {}),
    ...metadata,
  };
  await bench.subject.register(entry).catch((error: unknown) => {
    throw new BrokenPromise(
      `a client for this promise cannot be registered: ${error instanceof Error ? error.message : error}`,
    );
  });
  return {
    client_id,
    secret,
    method,
    redirectUri,
    metadata: entry,
    assertionAlg: form.assertionAlg ?? usualAssertionAlg(bench, method),
    ...defined({ proofAlg }),
    ...(certificate === undefined ? {} : { identity: certificate.identity }),
  };
}

/** Whether a security profile forbids bearer tokens and shared secrets. */
function isStrict(bench: Bench): boolean {
  const methods = listOf(bench.metadata, 'token_endpoint_auth_methods_supported');
  return !methods.some(method => method.startsWith('client_secret'));
}

function usualMethod(bench: Bench): string {
  return preferred(bench, 'token_endpoint_auth_methods_supported', ['client_secret_basic', 'private_key_jwt']);
}

function usualAssertionAlg(bench: Bench, method: string): string {
  const wanted = method === 'client_secret_jwt' ? ['HS256'] : ['ES256', 'PS256', 'RS256'];
  return wanted.find(alg => offers(bench, 'token_endpoint_auth_signing_alg_values_supported', alg)) ?? 'ES256';
}

/** The DPoP algorithm if the server issues only bound tokens; undefined otherwise. */
export function usualProofAlg(bench: Bench): string | undefined {
  if (!isStrict(bench) || !hasDpop(bench)) return undefined;
  return preferred(bench, 'dpop_signing_alg_values_supported', ['ES256']);
}

/** Whether the server issues only tokens that are bound to a certificate. */
export function needsCertificate(bench: Bench): boolean {
  return isStrict(bench) && !hasDpop(bench);
}

/** A certificate, with the members and the keys that the metadata of its client needs. */
async function certificateFor(bench: Bench, client_id: string, method: string, isCertified: boolean) {
  if (!method.endsWith('tls_client_auth') && !isCertified) return undefined;
  const identity = await certify(bench, client_id);
  if (method === 'tls_client_auth')
    return { identity, metadata: { tls_client_auth_subject_dn: `CN=${client_id}` }, keys: [] };
  return { identity, metadata: {}, keys: method === 'self_signed_tls_client_auth' ? [jwkOf(identity)] : [] };
}

function hasDpop({ metadata }: Bench): boolean {
  return metadata.dpop_signing_alg_values_supported !== undefined;
}

/**
 * Issues a client certificate.
 * @throws NotExercised without HTTPS
 */
export async function certify({ subject }: Bench, name: string): Promise<Identity> {
  if (subject.certify === undefined) throw new NotExercised('client certificates need HTTPS');
  return subject.certify(`CN=${name}`);
}

/** The public key of a certificate as a JWK with x5c (RFC 8705 §2.2.2). */
function jwkOf({ cert }: Identity): JWK {
  const certificate = new X509Certificate(cert);
  // Node's type of a JWK is wider than that of jose
  return { ...(certificate.publicKey.export({ format: 'jwk' }) as JWK), x5c: [certificate.raw.toString('base64')] };
}
