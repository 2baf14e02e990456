import { headerOf, headersOf } from '../../base/events/exchange.ts';
import type { Completed } from '../../record/flows/recorded-request.ts';
import { isCopied } from '../copy-as/http-call.ts';
import { replayHeader, toolHeader } from './request-facts.ts';

/** The editable parts of a request. */
export interface ReplayFields {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  /** `Name: value`, one per line. */
  readonly headers: string;
  readonly body: string;
}

/** The form for a recorded request. `origin` is that of this sandbox; its own pages send no Origin header. */
export function replayForm(event: Completed, { hidden, origin }: { hidden: boolean; origin: string }) {
  const { requestBody } = event.exchange;
  return {
    ...replayFields(event, origin),
    // warnings about values that work only once
    warnings: warningsOf(event),
    // why it cannot be replayed unchanged; empty if it can
    incomplete: requestBody?.cut
      ? 'Only the first 64 KiB of its body were recorded, so it cannot be replayed unchanged.'
      : '',
    // whether its fields are shown; they contain secrets
    editable: !hidden,
    // the faults of the edited request
    faults: [],
  };
}

/** A recorded request for a replay, without the headers of its connection. */
export function replayFields({ method, exchange }: Completed, origin: string): ReplayFields {
  const headers = headersOf(exchange.requestHeaders).filter(([name, value]) => {
    const plain = name.toLowerCase();
    if (plain === toolHeader.toLowerCase() || plain === replayHeader.toLowerCase()) return false;
    return isCopied(name, value) && !(plain === 'origin' && value === origin);
  });
  return {
    method,
    path: exchange.url,
    headers: headers.map(([name, value]) => `${name}: ${value}`).join('\n'),
    body: exchange.requestBody?.text ?? '',
  };
}

/** Warns of values that work only once: the server will refuse them. */
function warningsOf({ exchange }: Completed): string[] {
  const form = new URLSearchParams(exchange.requestBody?.text ?? '');
  const grant = form.get('grant_type');
  const proof = headerOf(exchange.requestHeaders, 'dpop');
  return [
    ...(grant === 'authorization_code'
      ? ['A code works only once. The server will refuse it and revoke the tokens issued for it (RFC 6749 §4.1.2).']
      : []),
    ...(grant === 'refresh_token'
      ? ['A refresh token that was replaced ends its whole family when it is used again (RFC 9700 §4.14.2).']
      : []),
    ...(form.has('client_assertion') || form.has('assertion')
      ? ['An assertion with a jti works only once, and may have expired by now (RFC 7523 §3).']
      : []),
    ...(proof === undefined ? [] : ['A DPoP proof works only once, and only for this address (RFC 9449 §11.1).']),
  ];
}
