import { createHmac, randomBytes } from 'node:crypto';

const mark = 'whsec_';

/** Headers of one attempt (Standard Webhooks). `timestamp` is in Unix seconds of the real time, because receivers compare it. */
export function signedHeaders(
  secret: string,
  { id, timestamp, body }: { readonly id: string; readonly timestamp: number; readonly body: string },
): Readonly<Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string>> {
  const key = Buffer.from(secret.slice(mark.length), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': String(timestamp), 'webhook-signature': `v1,${signature}` };
}

/** A new secret for an endpoint that was given none. */
export function newSecret(): string {
  return mark + randomBytes(24).toString('base64');
}
