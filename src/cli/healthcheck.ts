import { get } from 'node:http';

export interface HealthcheckOptions {
  /** Instead of host and port: the whole address of the health check. */
  readonly url?: string | undefined;
  /** As in `HOST`; one that means every address, or the loopback ones, is asked at 127.0.0.1. */
  readonly host?: string | undefined;
  /** As in `PORT`; 9000 where absent or empty. */
  readonly port?: string | number | undefined;
  /** Default 2.5. */
  readonly timeoutSeconds?: number | undefined;
}

/** GET /health of a running sandbox. Never throws; `message` is one sentence. Loads node:http alone: probes are frequent. */
export async function healthcheck(options: HealthcheckOptions = {}): Promise<{ ok: boolean; message: string }> {
  const url = options.url ?? healthUrl(options);
  const timeoutSeconds = options.timeoutSeconds ?? 2.5;
  if (url === undefined)
    return { ok: false, message: `PORT: expected a port from 1 to 65535, found ${JSON.stringify(options.port)}` };
  try {
    const status = await fetchStatus(url, timeoutSeconds);
    return { ok: status === 200, message: `${url} answered ${status}` };
  } catch (error) {
    const reason = error instanceof Error ? ('code' in error ? String(error.code) : error.message) : String(error);
    return { ok: false, message: `${url} did not answer: ${reason}` };
  }
}

function healthUrl({ host = '', port = '' }: HealthcheckOptions): string | undefined {
  const number = port === '' ? 9000 : Number(port);
  if (!Number.isInteger(number) || number < 1 || number > 65_535) return undefined;
  const name = ['', 'localhost', '0.0.0.0', '::'].includes(host) ? '127.0.0.1' : host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${number}/health`;
}

function fetchStatus(url: string, timeoutSeconds: number): Promise<number> {
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
