import { hash } from 'node:crypto';
import type { Reply } from '../../protocol/endpoints/endpoint.ts';

/**
 * The iframe that keycloak-js keeps open. A page sends `CLIENT_ID SID`, and is told `unchanged`, `changed` or `error`.
 * The state of the session comes from `init` below this address, because the cookie of the session is not readable.
 */
export const frame = page(`
addEventListener('message', async ({ data, origin, source }) => {
  // an answer to a page without an origin would need the target *, which any page could read
  if (source === null || source === window || origin === 'null') return;
  const [client_id, sid = ''] = String(data).split(' ');
  let state = 'error';
  try {
    const query = new URLSearchParams({ client_id, sid, origin });
    const { status } = await fetch(location.pathname + '/init?' + query, { credentials: 'same-origin' });
    state = status === 204 ? 'unchanged' : 'changed';
  } catch {}
  source.postMessage(state, origin);
});
`);

/** The iframe in which keycloak-js finds out whether the browser lets this server keep cookies inside other pages. */
export const cookieTest = page(`
document.cookie = 'grantbox_cookie_test=1; path=' + location.pathname + '; max-age=60';
const isKept = document.cookie.includes('grantbox_cookie_test=1');
document.cookie = 'grantbox_cookie_test=; path=' + location.pathname + '; max-age=0';
parent.postMessage(isKept ? 'supported' : 'unsupported', '*');
`);

/** A page without contents that any application may frame, and its one script, which the policy names by its hash. */
function page(script: string): Reply {
  const digest = hash('sha256', script, 'base64');
  return {
    kind: 'text',
    type: 'text/html; charset=utf-8',
    body: `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Frame</title></head><body><script>${script}</script></body></html>`,
    headers: {
      'Content-Security-Policy': `default-src 'none'; script-src 'sha256-${digest}'; connect-src 'self'; base-uri 'none'`,
      'X-Content-Type-Options': 'nosniff',
      'Referrer-Policy': 'same-origin',
    },
  };
}
