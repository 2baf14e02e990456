import type { FaultAnswer } from '../fault.ts';

const headers = { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' };

/** Makes an error like one of the endpoint (RFC 6749 §5.2). Its description names the fault as the cause. */
export function errorAnswer(status: number, error: string, more: Readonly<Record<string, string>> = {}): FaultAnswer {
  const body = { error, error_description: 'a fault that was armed in the sandbox' };
  return { status, headers: { ...headers, ...more }, body: JSON.stringify(body) };
}

/** Makes a challenge of a protected resource (RFC 6750 §3). */
export function challengeAnswer(status: number, error: string): FaultAnswer {
  const words = 'a fault that was armed in the sandbox';
  return errorAnswer(status, error, { 'WWW-Authenticate': `Bearer error="${error}", error_description="${words}"` });
}

/** Makes an HTML page like one of a proxy. */
export function pageAnswer(status: number, title: string): FaultAnswer {
  const body = `<!doctype html><html lang="en"><head><title>${title}</title></head><body><h1>${title}</h1></body></html>`;
  return { status, headers: { 'Content-Type': 'text/html; charset=utf-8', 'Cache-Control': 'no-store' }, body };
}

/** Makes an answer with a given type and body. */
export function plainAnswer(status: number, type: string, body: string): FaultAnswer {
  return { status, headers: { 'Content-Type': type, 'Cache-Control': 'no-store' }, body };
}
