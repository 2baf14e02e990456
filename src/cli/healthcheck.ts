import { get as getPlain } from 'node:http';

export interface HealthcheckOptions {
  /** Instead of host and port: the whole address of the health check. */
  readonly url?: string | undefined;
  /** As in `HOST`; one that means every address, or the loopback ones, is asked at 127.0.0.1. */
  readonly host?: string | undefined;
  /** As in `PORT`; 9000 where absent or empty. */
  readonly port?: string | number | undefined;
  /** Whether to ask over HTTPS; where it is not said, after an answer that is none over HTTP too. */
  readonly isSecure?: boolean | undefined;
  /** Default 2.5. */
  readonly timeoutSeconds?: number | undefined;
}

/** Whether a sandbox is well, in one sentence. */
export interface Health {
  readonly ok: boolean;
  readonly message: string;
}

/**
 * GET /health of a running sandbox. Never throws. Loads node:http alone: probes are frequent. That a sandbox speaks HTTPS
 * may be said in a flag or a file, which a probe does not know; a sandbox that does answers 400 to plain HTTP.
 */
export async function healthcheck(options: HealthcheckOptions = {}): Promise<Health> {
  const url = options.url ?? healthUrl(options);
  const timeoutSeconds = options.timeoutSeconds ?? 2.5;
  if (url === undefined)
    return { ok: false, message: `PORT: expected a port from 1 to 65535, found ${JSON.stringify(options.port)}` };
  const health = await ask(url, timeoutSeconds);
  const isPlain = options.url === undefined && url.startsWith('http:');
  return isPlain && health.message.endsWith(' 400') ? ask(url.replace('http:', 'https:'), timeoutSeconds) : health;
}

async function ask(url: string, timeoutSeconds: number): Promise<Health> {
  try {
    const status = await fetchStatus(url, timeoutSeconds);
    return { ok: status === 200, message: `${url} answered ${status}` };
  } catch (error) {
    const reason = error instanceof Error ? ('code' in error ? String(error.code) : error.message) : String(error);
    return { ok: false, message: `${url} did not answer: ${reason}` };
  }
}

function healthUrl({ host = '', port = '', isSecure = false }: HealthcheckOptions): string | undefined {
  const number = port === '' ? 9000 : Number(port);
  if (!Number.isInteger(number) || number < 1 || number > 65_535) return undefined;
  const name = ['', 'localhost', '0.0.0.0', '::'].includes(host) ? '127.0.0.1' : host;
  return `${isSecure ? 'https' : 'http'}://${name.includes(':') ? `[${name}]` : name}:${number}/health`;
}

async function fetchStatus(url: string, timeoutSeconds: number): Promise<number> {
  const get = url.startsWith('https:') ? (await import('./get-over-tls.ts')).getOverTls : getPlain;
  return new Promise((resolve, reject) => {
    // The server refuses host names it does not know; this one it always knows.
    const request = get(url, { headers: { host: 'localhost' }, agent: false }, response => {
      response.resume();
      clearTimeout(timer);
      resolve(response.statusCode ?? 0);
    });
    const timer = setTimeout(
      () => request.destroy(new Error(`no answer in ${timeoutSeconds} s`)),
      timeoutSeconds * 1000,
    );
    request.on('error', error => {
      clearTimeout(timer);
      reject(error);
    });
  });
}
