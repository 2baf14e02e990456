/** `localhost` if it listens on every address, because this machine reaches it by that name. */
export function urlOf(scheme: 'http' | 'https', host: string, port: number): string {
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  return `${scheme}://${name}:${port}`;
}
