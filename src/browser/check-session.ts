import { checkSessionState, cookieValue } from './session-check.ts';

/** The `check_session_iframe` of OIDC Session Management §3.2: answers only the page that asks. */
const name = document.documentElement.dataset.cookie ?? '';

addEventListener('message', ({ data, origin, source }) => {
  // a page without an origin could only be answered with `*`, which anybody may read
  if (source === null || source === window || origin === 'null') return;
  const status = checkSessionState(data, origin, cookieValue(document.cookie, name));
  source.postMessage(status, { targetOrigin: origin });
});
