import { recordIn } from '../../base/text/record.ts';
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

/**
 * Makes the failure for an unwanted answer (RFC 6749 §5.2, RFC 9457). `asked` names the request, such as `the token endpoint`.
 * `advice` has a sentence for each error code.
 */
export function refusalOf(
  asked: string,
  { status, text }: Answered,
  advice: Readonly<Record<string, string>>,
  otherwise = '',
): CommandFailure {
  const body = recordIn(text) ?? {};
  const said = (name: string) => (typeof body[name] === 'string' ? printable(body[name]) : '');
  const error = said('error') || said('title');
  const description = said('error_description') || said('detail');
  const values = said('expected') === '' ? '' : `; received ${said('sent')}, expected ${said('expected')}`;
  const reason = `${asked} answered ${status}${sentence(error, description + values)}`;
  return new CommandFailure(reason, 1, adviceFor(advice[error] ?? otherwise, said('error_uri')));
}

/** Makes the failure for an unwanted answer of the control API. */
export function controlRefusal(asked: string, answered: Answered): CommandFailure {
  const advice = 'The sandbox requires its CONTROL_TOKEN: set the same variable here, or use --control-token.';
  return refusalOf(asked, answered, {}, answered.status === 401 ? advice : '');
}

/** Makes the failure for an error at the redirect URI (RFC 6749 §4.1.2.1). */
export function redirectedRefusal(
  asked: string,
  parameters: URLSearchParams,
  advice: Readonly<Record<string, string>>,
): CommandFailure {
  const said = (name: string) => printable(parameters.get(name) ?? '');
  const reason = `${asked} refused${sentence(said('error'), said('error_description'))}`;
  return new CommandFailure(reason, 1, adviceFor(advice[said('error')] ?? '', said('error_uri')));
}

function sentence(error: string, description: string): string {
  return [error, description].filter(part => part !== '').reduce((all, part) => `${all}: ${part}`, '');
}

function adviceFor(advice: string, uri: string): string {
  const explained = uri === '' ? '' : `Explanation and fix: ${uri}`;
  return [advice, explained].filter(part => part !== '').join(' ');
}

/** Removes control characters from a text of a server, because a terminal would obey them. */
export function printable(text: string): string {
  return text.replace(/\p{Cc}+/gu, ' ').slice(0, 500);
}
