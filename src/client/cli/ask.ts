import { send, type WireAnswer, type WireRequest } from '../../server/wire/send.ts';
import { CommandFailure } from './command.ts';

/** Options of one request to a sandbox. */
export type Asking = Pick<WireRequest, 'method' | 'headers' | 'body' | 'timeoutSeconds' | 'maxBytes'>;

/** The trusted CA, or no verification at all. */
export type Trust = Pick<WireRequest, 'ca' | 'rejectUnauthorized'>;

export type Answered = WireAnswer;

/** Limits the length of quoted text: a server that is not a sandbox may send anything. */
const maxBytes = 8_000_000;

/**
 * Sends one request without following redirects. The timeout is 10 seconds unless `asking` has one.
 * @throws CommandFailure if there is no answer: code 2, or 1 for an untrusted certificate
 */
export async function ask(url: URL, asking: Asking, trust: Trust): Promise<Answered> {
  try {
    return await send(url, { timeoutSeconds: 10, maxBytes, ...asking, ...trust });
  } catch (error) {
    throw connectionFailure(url, error);
  }
}

/** A POST of JSON. */
export function jsonPost(body: unknown, headers: Readonly<Record<string, string>>): Asking {
  return { method: 'POST', headers: { ...headers, 'Content-Type': 'application/json' }, body: JSON.stringify(body) };
}

/** Explains a missing answer and how to repair it. `error` is the error of Node's request. */
export function connectionFailure(url: URL, error: unknown): CommandFailure {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const reason = code === '' ? (error instanceof Error ? error.message : String(error)) : code;
  if (code === 'ECONNREFUSED') {
    const advice = `Start a sandbox with "grantbox start${portHint(url)}", wait for one with "grantbox wait", or give its address with --url.`;
    return new CommandFailure(`nothing listens at ${url.origin}`, 2, advice);
  }
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    const advice =
      'Inside a container the host name is the name of the service, on the host it is usually localhost. Give the address with --url.';
    return new CommandFailure(`the name ${url.hostname} cannot be resolved on this machine (${code})`, 2, advice);
  }
  if (untrusted.has(code)) {
    const advice = `Download its CA once (curl -k ${url.origin}/tls/ca.pem -o grantbox-ca.pem) and use it with --ca grantbox-ca.pem, or accept any certificate with --insecure.`;
    return new CommandFailure(`the certificate of ${url.origin} is not trusted (${code})`, 1, advice);
  }
  if (code === 'EPROTO' || code === 'ERR_SSL_WRONG_VERSION_NUMBER') {
    const advice = `If the sandbox runs without TLS, its address is ${url.origin.replace('https:', 'http:')}.`;
    return new CommandFailure(`${url.origin} does not speak HTTPS`, 2, advice);
  }
  return new CommandFailure(`${url.origin} did not answer: ${reason}`, 2);
}

const untrusted: ReadonlySet<string> = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'CERT_HAS_EXPIRED',
  'CERT_SIGNATURE_FAILURE',
  'ERR_TLS_CERT_ALTNAME_INVALID',
]);

/** The sandbox must be started with the same port, if it is not the default. */
function portHint({ port }: URL): string {
  return port === '' || port === '9000' ? '' : ` --port ${port}`;
}
