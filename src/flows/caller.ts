import { headerOf } from '../events/exchange.ts';

/** Who sent a request, as far as it shows: a browser, a program, or a person with a tool at a terminal. */
export type Caller = 'browser' | 'backend' | 'tool';

const tools = /^(curl|wget|httpie|postmanruntime|insomnia|bruno|xh|hurl|restsharp\/console|vscode-restclient)\b/i;

/**
 * Browsers say where a request comes from, but over plain HTTP on a name of the network; there only the name they go by is
 * left. `Sec-Fetch-Mode` alone is no sign: Node's `fetch` sends it.
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

/** What a caller goes by, short enough for a line: `Chrome`, `Java-http-client/17.0.2`; empty where it says nothing. */
export function agentOf(requestHeaders: string): string {
  const agent = headerOf(requestHeaders, 'user-agent') ?? '';
  const browser = browsers.find(([, pattern]) => pattern.test(agent));
  if (browser !== undefined) return browser[0];
  return (/^[^\s(;,]+/.exec(agent)?.[0] ?? '').slice(0, 40);
}
