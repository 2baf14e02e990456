/** True for the words that stand for all addresses of this machine. */
export function isEveryAddress(host: string): boolean {
  return host === '0.0.0.0' || host === '::';
}

/** `localhost` if it listens on every address, because this machine reaches it by that name. */
export function urlOf(isHttps: boolean, host: string, port: number): string {
  const name = isEveryAddress(host) ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  return `${isHttps ? 'https' : 'http'}://${name}:${port}`;
}
