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
): { readonly url: string } | { readonly fault: string } {
  const port = PORT === '' ? 9000 : Number(PORT);
  if (!Number.isInteger(port) || port < 1 || port > 65_535)
    return { fault: `PORT: expected a port from 1 to 65535, found ${JSON.stringify(PORT)}` };
  const host = everywhere.has(HOST) ? loopback : HOST;
  const scheme = TLS === 'self-signed' || TLS_CERT !== '' ? 'https' : 'http';
  return { url: `${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}` };
}
