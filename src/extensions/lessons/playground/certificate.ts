import type { RegisteredClient } from '../../../protocol/clients/client.ts';
import { demoCertificate, demoPrivateKey } from '../../catalogue/demo-key.ts';
import { hasDemoKey } from './credentials.ts';
import type { Step, StepField } from './grant.ts';
import type { PlaygroundRoom } from './room.ts';

/** Shown in the TLS handshake, before the request. */
export const certificateField: StepField = {
  name: 'certificate',
  value: '{certificate}',
  why: 'The subject of the certificate in the TLS handshake. Only the holder of its private key can show it.',
  rfc: 'RFC 8705 §2',
  in: 'handshake',
};

function authenticatesByCertificate({ token_endpoint_auth_methods: methods }: RegisteredClient): boolean {
  return methods.includes('tls_client_auth') || methods.includes('self_signed_tls_client_auth');
}

/** Whether the client needs a connection with its certificate for anything. */
export function needsCertificate(client: RegisteredClient): boolean {
  return authenticatesByCertificate(client) || client.tls_client_certificate_bound_access_tokens === true;
}

/** Whether the client shows its certificate in this step: to authenticate, or for a token that is bound to it (RFC 8705 §3). */
export function showsCertificate(client: RegisteredClient, { authenticates, endpoint }: Step): boolean {
  if (authenticates && authenticatesByCertificate(client)) return true;
  return client.tls_client_certificate_bound_access_tokens === true && ['token', 'userinfo'].includes(endpoint);
}

/** Whether the page has a certificate that the server knows by its key. */
export function isSelfSigned(client: RegisteredClient): boolean {
  return client.token_endpoint_auth_methods.includes('self_signed_tls_client_auth') && hasDemoKey(client);
}

/** The subject of the right certificate; only a client of the CA has a registered one. */
export function subjectOf(client: RegisteredClient): string {
  if (isSelfSigned(client)) return 'CN=grantbox-demo-key-published';
  return client.tls_client_auth_subject_dn ?? `CN=${client.client_id}`;
}

/** A certificate and its private key, PEM. */
export interface ShownCertificate {
  readonly cert: string;
  readonly key: string;
}

/** The path where the sandbox issues certificates; undefined where it has no CA for them. */
export function issuingPath({ desk }: PlaygroundRoom): string | undefined {
  return desk.endpoints.find(({ name }) => name === 'client_certificate')?.path;
}

/** A certificate with this subject, which the CA of the sandbox issues on the first use. Undefined if there is no such CA. */
export async function certificateOf(
  room: PlaygroundRoom,
  { certificates }: { readonly certificates: Map<string, ShownCertificate> },
  { client, subject }: { readonly client: RegisteredClient; readonly subject: string },
): Promise<ShownCertificate | undefined> {
  const isRight = subject === subjectOf(client);
  if (isRight && isSelfSigned(client)) {
    return { cert: demoCertificate, key: demoPrivateKey };
  }
  const known = certificates.get(subject);
  const path = issuingPath(room);
  if (known !== undefined || path === undefined) return known;
  const body = new URLSearchParams(isRight ? { client_id: client.client_id } : { subject_dn: subject }).toString();
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded', ...room.mark() };
  const answer = await room.desk.send({ method: 'POST', path, headers, body });
  if (answer.status !== 200) return undefined; // the subject is no name: the request is sent without a certificate
  const made = { cert: answer.body, key: answer.body };
  certificates.set(subject, made);
  return made;
}
