import { checkSessionState, cookieValue } from './session-check.ts';

/** The `check_session_iframe` of OIDC Session Management §3.2. It answers only the page that asks. */
const name = document.documentElement.dataset.cookie ?? '';

addEventListener('message', ({ data, origin, source }) => {
  // an answer to a page without an origin would need the target `*`, which any page could read
  if (source === null || source === window || origin === 'null') return;
  const status = checkSessionState(data, origin, cookieValue(document.cookie, name));
  source.postMessage(status, { targetOrigin: origin });
});
