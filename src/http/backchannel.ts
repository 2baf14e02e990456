import type { IncomingMessage } from 'node:http';

/**
 * Whether a request came by the address of back ends: its `Host` says so, with or without the port that goes unsaid. No `Vary`
 * tells caches of it, because the host is part of what they go by (RFC 9111 §2).
 */
export function createBackchannelCheck(backchannelUrl: string | undefined): (req: IncomingMessage) => boolean {
  if (backchannelUrl === undefined) return () => false;
  const { host, port, protocol } = new URL(backchannelUrl);
  const withPort = port === '' ? `${host}:${protocol === 'https:' ? 443 : 80}` : host;
  return ({ headers }) => {
    const asked = headers.host?.toLowerCase();
    return asked === host || asked === withPort;
  };
}
