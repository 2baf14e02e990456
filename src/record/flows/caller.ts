import { headerOf } from '../../base/events/exchange.ts';

/** The kind of sender: a browser, a back end, or a command-line or API tool. */
export type Caller = 'browser' | 'backend' | 'tool';

const tools = /^(curl|wget|httpie|postmanruntime|insomnia|bruno|xh|hurl|restsharp\/console|vscode-restclient)\b/i;

/**
 * Guesses the sender of a request by its headers. Browsers send `Sec-Fetch-Site`, but not over plain HTTP to a host other than
 * localhost; there the User-Agent decides. `Sec-Fetch-Mode` does not help, because Node's `fetch` sends it, too.
 */
export function callerOf(requestHeaders: string): Caller {
  const agent = headerOf(requestHeaders, 'user-agent') ?? '';
  if (headerOf(requestHeaders, 'sec-fetch-site') !== undefined || /^mozilla\//i.test(agent)) return 'browser';
  return tools.test(agent) ? 'tool' : 'backend';
}

const browsers = [
  ['Firefox', /firefox\/\d+/i],
  ['Edge', /edg\/\d+/i],
  ['Chrome', /chrom(?:e|ium)\/\d+/i],
  ['Safari', /version\/\d+[\d.]* .*safari/i],
] as const;

/** A short name from the User-Agent: `Chrome`, `Java-http-client/17.0.2`; empty without that header. */
export function agentOf(requestHeaders: string): string {
  const agent = headerOf(requestHeaders, 'user-agent') ?? '';
  const browser = browsers.find(([, pattern]) => pattern.test(agent));
  if (browser !== undefined) return browser[0];
  return (/^[^\s(;,]+/.exec(agent)?.[0] ?? '').slice(0, 40);
}
