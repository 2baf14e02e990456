/**
 * Posts the answer to the page that opened this window, or that frames it. The browser delivers it only to a page of the
 * origin of the redirect URI.
 */
const answer = document.getElementById('message')?.dataset;
const asking: Window | null = window.opener ?? (window.parent === window ? null : window.parent);
if (answer?.message !== undefined) asking?.postMessage(JSON.parse(answer.message), answer.origin ?? '');
