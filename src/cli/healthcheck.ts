import { send } from '../wire/send.ts';
import { type AddressVariables, defaultAddress } from './default-address.ts';

/** Inputs of the health check. */
export interface HealthcheckOptions {
  /** Instead of the variables: the whole address of the health check. */
  readonly url?: string | undefined;
  /** Where they do not speak of TLS, HTTPS is tried after an answer that is none over HTTP. */
  readonly environment?: AddressVariables | undefined;
  /** Default 2.5. */
  readonly timeoutSeconds?: number | undefined;
}

/** Health of a sandbox, in one sentence. */
export interface Health {
  /** Exit code: 0 well; 1 not well; 2 nobody answered. */
  readonly code: 0 | 1 | 2;
  readonly message: string;
}

/**
 * GET /health of a running sandbox. Never throws. Loads node:http alone: probes are frequent. Whose certificate there is does
 * not matter: nothing is told and nothing is believed. That a sandbox speaks HTTPS
 * may be said in a flag or a file, which a probe does not know; a sandbox that does answers 400 to plain HTTP.
 */
export async function healthcheck(options: HealthcheckOptions = {}): Promise<Health> {
  const address = addressOf(options);
  if ('fault' in address) return { code: 1, message: address.fault };
  const { url } = address;
  const timeoutSeconds = options.timeoutSeconds ?? 2.5;
  const health = await ask(url, timeoutSeconds);
  const isPlain = options.url === undefined && url.startsWith('http:');
  return isPlain && health.message.endsWith(' 400') ? ask(url.replace('http:', 'https:'), timeoutSeconds) : health;
}

function addressOf({ url, environment = {} }: HealthcheckOptions): ReturnType<typeof defaultAddress> {
  if (url !== undefined) return { url };
  const address = defaultAddress(environment, '127.0.0.1');
  return 'fault' in address ? address : { url: `${address.url}/health` };
}

async function ask(url: string, timeoutSeconds: number): Promise<Health> {
  try {
    const { status } = await send(url, {
      headers: { Host: 'localhost' }, // the name that no sandbox refuses
      rejectUnauthorized: false,
      servername: 'localhost',
      timeoutSeconds,
    });
    return { code: status === 200 ? 0 : 1, message: `${url} answered ${status}` };
  } catch (error) {
    const reason = error instanceof Error ? ('code' in error ? String(error.code) : error.message) : String(error);
    return { code: 2, message: `${url} did not answer: ${reason}` };
  }
}
