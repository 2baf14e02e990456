import { createHmac, randomBytes } from 'node:crypto';
import { defined } from '../../base/defined.ts';
import type { Outbound, OutboundAnswer } from '../../protocol/outbound.ts';
import type { DeliveryAttempt, WebhookEndpoint } from './control.ts';
import { limits, longestRetryAfter } from './limits.ts';

/** The result of one attempt. */
export interface Attempted {
  readonly attempt: DeliveryAttempt;
  /** `gone`: the endpoint wants no more messages (410). */
  readonly result: 'delivered' | 'refused' | 'gone';
  /** Seconds that the receiver asks to wait; absent if it asks for nothing. */
  readonly retryAfter?: number;
}

/** Sends a message once. Any answer of 2xx counts as delivered; redirects are not followed. Never throws. */
export async function attemptDelivery(
  outbound: Pick<Outbound, 'post'>,
  { url, secret }: Pick<WebhookEndpoint, 'url' | 'secret'>,
  { id, body, at }: { readonly id: string; readonly body: string; readonly at: number },
): Promise<Attempted> {
  const signed = signedHeaders(secret, { id, timestamp: Math.floor(at), body });
  const headers = { 'Content-Type': 'application/json', ...signed };
  try {
    return judged(await outbound.post(url, body, { headers, timeoutMs: limits.answerMs }), { at, headers });
  } catch (error) {
    const failure = error instanceof Error ? error.message : String(error);
    return { attempt: { at, headers, failure }, result: 'refused' };
  }
}

function judged(
  { status, headers: answered, body, milliseconds }: OutboundAnswer,
  sent: Pick<DeliveryAttempt, 'at' | 'headers'>,
): Attempted {
  const attempt = { ...sent, status, milliseconds: Math.round(milliseconds), answer: body.slice(0, limits.answerText) };
  if (status >= 200 && status < 300) return { attempt, result: 'delivered' };
  const result = status === 410 ? 'gone' : 'refused';
  return {
    attempt: { ...attempt, failure: failureOf(status) },
    result,
    ...defined({ retryAfter: secondsIn(answered) }),
  };
}

function failureOf(status: number): string {
  if (status === 410) return 'the endpoint answered 410: it wants no more messages';
  if (status >= 300 && status < 400) return 'the endpoint answered with a redirect, which is not followed';
  return 'the endpoint must answer with 2xx';
}

function secondsIn({ 'retry-after': asked = '' }: Readonly<Record<string, string>>): number | undefined {
  return /^\d{1,9}$/.test(asked) ? Math.min(Number(asked), longestRetryAfter) : undefined;
}

const mark = 'whsec_';

/** Headers of one attempt (Standard Webhooks). `timestamp` is in Unix seconds of the real time, because receivers compare it. */
function signedHeaders(
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
