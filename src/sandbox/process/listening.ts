import type { RequestListener } from 'node:http';
import { type Listening, type ListenOptions, listen } from '../../server/http/listen.ts';
import type { Config } from '../config/config.ts';

/**
 * Listens on the port of the sandbox, and with `managementPort` on a second one for probes and metrics alone. If both are the same, it
 * is one port, which answers everything.
 * @throws ListenError
 */
export async function listenWithProbes(
  { host, port, managementPort }: Pick<Config, 'host' | 'port' | 'managementPort'>,
  listener: RequestListener,
  options: ListenOptions,
): Promise<Listening> {
  const main = await listen(listener, host, port, options);
  if (managementPort === undefined || managementPort === main.port) return main;
  const setting = { flag: '--management-port', variable: 'MANAGEMENT_PORT' };
  const probes = await listen(onlyProbes(listener), host, managementPort, { ...options, setting }).catch(
    async error => {
      await main.close(0);
      throw error;
    },
  );
  return {
    port: main.port,
    announceEnd() {
      main.announceEnd();
      probes.announceEnd();
    },
    close: async grace => void (await Promise.all([main.close(grace), probes.close(grace)])),
  };
}

/** Keycloak has its probes below the path of its HTTP server, which may be any. */
const probe = /^(?:\/[^?]*?)??(\/(?:health(?:\/(?:live|ready|started))?|ready|metrics))(?=\?|$)/;

function onlyProbes(listener: RequestListener): RequestListener {
  return (req, res) => {
    const path = probe.exec(req.url ?? '')?.[1];
    if (path === undefined) {
      res.writeHead(404, { 'Content-Type': 'text/plain', 'Cache-Control': 'no-store' });
      return res.end(
        'this port answers /health, /health/live, /health/ready, /health/started, /ready and /metrics only\n',
      );
    }
    req.url = path;
    listener(req, res);
  };
}
