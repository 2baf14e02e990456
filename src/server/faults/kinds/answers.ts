import type { FaultAnswer } from '../fault.ts';

/** Makes an error like one of the endpoint (RFC 6749 §5.2). Its description names the fault as the cause. */
export function errorAnswer(status: number, error: string, more: Readonly<Record<string, string>> = {}): FaultAnswer {
  const body = { error, error_description: 'a fault that was armed in the sandbox' };
  return plainAnswer(status, 'application/json', JSON.stringify(body), more);
}

/** Makes a challenge of a protected resource (RFC 6750 §3). */
export function challengeAnswer(status: number, error: string): FaultAnswer {
  const words = 'a fault that was armed in the sandbox';
  return errorAnswer(status, error, { 'WWW-Authenticate': `Bearer error="${error}", error_description="${words}"` });
}

/** Makes an HTML page like one of a proxy. */
export function pageAnswer(status: number, title: string): FaultAnswer {
  const body = `<!doctype html><html lang="en"><head><title>${title}</title></head><body><h1>${title}</h1></body></html>`;
  return plainAnswer(status, 'text/html; charset=utf-8', body);
}

/** Makes an answer with a given type and body. */
export function plainAnswer(status: number, type: string, body: string, more = {}): FaultAnswer {
  return { status, headers: { 'Content-Type': type, 'Cache-Control': 'no-store', ...more }, body };
}
