import { askHealth } from '../../server/wire/health.ts';

/** Inputs of the health check. */
export interface HealthcheckOptions {
  /** The address of the sandbox, of an issuer or of its health check. It replaces the variables. */
  readonly url?: string | undefined;
  /** If these do not mention TLS, the check tries HTTPS after an answer 400 to HTTP. */
  readonly environment?: AddressVariables | undefined;
  /** Default 2.5. */
  readonly timeoutSeconds?: number | undefined;
}

/** Health of a sandbox, in one sentence. */
export interface Health {
  /** Exit code: 0 healthy; 1 not healthy; 2 no answer. */
  readonly code: 0 | 1 | 2;
  readonly message: string;
}

/**
 * Sends GET /health to a running sandbox. It never throws, and loads only node:http, because probes are frequent. A flag or the
 * file may switch TLS on, which the probe cannot see; such a sandbox answers 400 to plain HTTP.
 */
export async function healthcheck(options: HealthcheckOptions = {}): Promise<Health> {
  const address = addressOf(options);
  if ('problem' in address) return { code: 1, message: address.problem };
  const { url } = address;
  const timeoutSeconds = options.timeoutSeconds ?? 2.5;
  const health = await ask(url, timeoutSeconds);
  const isPlain = options.url === undefined && url.startsWith('http:');
  return isPlain && health.message.endsWith(' 400') ? ask(url.replace('http:', 'https:'), timeoutSeconds) : health;
}

function addressOf({ url, environment = {} }: HealthcheckOptions): ReturnType<typeof defaultAddress> {
  if (url !== undefined)
    return { url: /\/(health(\/\w+)?|ready|isalive)$/.test(url) ? url : `${url.replace(/\/+$/, '')}/health` };
  const address = defaultAddress(environment, '127.0.0.1');
  return 'problem' in address ? address : { url: `${address.url}/health` };
}

async function ask(url: string, timeoutSeconds: number): Promise<Health> {
  try {
    const { status } = await askHealth(url, timeoutSeconds);
    return { code: status === 200 ? 0 : 1, message: `${url} answered ${status}` };
  } catch (error) {
    const reason = error instanceof Error ? ('code' in error ? String(error.code) : error.message) : String(error);
    return { code: 2, message: `${url} did not answer: ${reason}` };
  }
}

/** The variables for the address of a sandbox. Its start and the commands that talk to it read the same ones. */
export interface AddressVariables {
  readonly HOST?: string | undefined;
  readonly PORT?: string | undefined;
  readonly TLS?: string | undefined;
  readonly TLS_CERT?: string | undefined;
}

/** Values of HOST for all addresses or the loopback addresses. A command then uses the loopback name. */
const everywhere: ReadonlySet<string> = new Set(['', 'localhost', '0.0.0.0', '::']);

/** The URL of the sandbox, by default `http://localhost:9000`. `loopback` is the name to use for this machine. */
export function defaultAddress(
  { HOST = '', PORT = '', TLS = '', TLS_CERT = '' }: AddressVariables,
  loopback: 'localhost' | '127.0.0.1',
): { readonly url: string } | { readonly problem: string } {
  const port = PORT === '' ? 9000 : Number(PORT);
  if (!Number.isInteger(port) || port < 1 || port > 65_535)
    return { problem: `PORT: expected a port from 1 to 65535, found ${JSON.stringify(PORT)}` };
  const host = everywhere.has(HOST) ? loopback : HOST;
  const scheme = TLS === 'self-signed' || TLS_CERT !== '' ? 'https' : 'http';
  return { url: `${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}` };
}
