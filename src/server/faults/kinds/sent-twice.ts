import { createHash } from 'node:crypto';
import type { FaultAnswer } from '../fault.ts';

const style =
  ':root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}body{max-width:44rem;margin:2rem auto;padding:0 1rem}iframe{box-sizing:border-box;width:100%;height:20rem;border:1px solid GrayText}';
const styleHash = createHash('sha256').update(style).digest('base64');

/** A page that opens an address in a frame, then in the whole window. It has no scripts, so its policy allows none. */
export function sentTwice(location: string, seconds: number): FaultAnswer {
  const to = escaped(location);
  const title = 'Back to the application, twice';
  const body = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title>
<link rel="icon" href="data:,"><style>${style}</style>
<meta http-equiv="refresh" content="${Math.ceil(seconds)}; url=${to}"></head>
<body><h1>${title}</h1>
<p>The fault <code>double_redirect</code> is armed in the sandbox. The frame below has called the application already, and this
page goes there in a moment. <a href="${to}">Continue</a></p>
<iframe src="${to}" title="The application, called for the first time"></iframe></body></html>`;
  const policy = `default-src 'none'; style-src 'sha256-${styleHash}'; img-src data:; frame-src ${sourceOf(location)}; base-uri 'none'; frame-ancestors 'none'`;
  const headers = {
    'Content-Type': 'text/html; charset=utf-8',
    'Cache-Control': 'no-store',
    'Content-Security-Policy': policy,
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'same-origin',
  };
  return { status: 200, headers, body };
}

/** Returns the CSP source of the address. A private scheme or an IPv6 address allows only the scheme. */
function sourceOf(location: string): string {
  const { hostname, origin, protocol } = new URL(location);
  return origin === 'null' || hostname.startsWith('[') ? protocol : origin;
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, each => `&#${each.charCodeAt(0)};`);
}
