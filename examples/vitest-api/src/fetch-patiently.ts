import { setTimeout as sleep } from 'node:timers/promises';

const attempts = 3;

/** `fetch` that comes again where the answer is 503 with `Retry-After` (RFC 9110 §10.2.3), as often as three times. */
export async function fetchPatiently(url: string, init: RequestInit): Promise<Response> {
  for (let attempt = 1; ; attempt++) {
    const response = await fetch(url, init);
    const retryAfter = response.headers.get('Retry-After');
    if (response.status !== 503 || retryAfter === null || attempt === attempts) return response;
    await response.body?.cancel();
    await sleep(Number(retryAfter) * 1000);
  }
}
