import { send } from '../../server/wire/send.ts';

/** Bounds of a download: seconds and bytes in all, and redirects. */
const longest = 10;
const mostBytes = 1024 * 1024;
const mostRedirects = 3;

/**
 * Downloads a document, because somebody typed its URL. It follows redirects to the same host only, so that an address
 * cannot lead into another network.
 */
export async function fetchSample(typed: string): Promise<{ readonly text: string } | { readonly fault: string }> {
  const end = Date.now() + longest * 1000;
  let url = new URL(typed);
  for (let redirects = 0; redirects <= mostRedirects; redirects += 1) {
    const answered = await answerOf(url, (end - Date.now()) / 1000);
    if ('fault' in answered) return answered;
    const { status, headers, text } = answered;
    if (status === 200) return { text };
    if (![301, 302, 303, 307, 308].includes(status)) return { fault: `answered ${status}` };
    const next = URL.canParse(headers.location ?? '', url) ? new URL(headers.location ?? '', url) : undefined;
    if (next === undefined || !isSameHost(url, next))
      return { fault: 'redirects to another host, which is not followed: give that address' };
    url = next;
  }
  return { fault: `redirects more than ${mostRedirects} times` };
}

/** Never from HTTPS to HTTP. */
function isSameHost(from: URL, to: URL): boolean {
  const isAsSafe = to.protocol === from.protocol || (from.protocol === 'http:' && to.protocol === 'https:');
  return isAsSafe && to.hostname === from.hostname && (to.port === from.port || to.protocol !== from.protocol);
}

async function answerOf(url: URL, timeoutSeconds: number) {
  if (timeoutSeconds <= 0) return { fault: `did not answer in ${longest} s` };
  try {
    return await send(url, { timeoutSeconds, maxBytes: mostBytes, headers: { Accept: 'application/json' } });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    const reason = code !== '' ? code : error instanceof Error ? error.message : 'no answer';
    return { fault: `cannot be downloaded (${reason})` };
  }
}
