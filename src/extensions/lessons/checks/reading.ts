import type { SandboxEvent } from '../../../base/events/event.ts';
import { type Exchange, headerOf } from '../../../base/events/exchange.ts';
import { recordIn } from '../../../base/text/record.ts';
import type { ExchangeCheck, ExchangeReading } from './check.ts';
import { type Difference, difference, type NamedEvents } from './pattern.ts';

/** The difference of one value in a recorded request or answer; undefined for an accepted value. */
export function readDifference(
  event: SandboxEvent,
  { is, ...reading }: ExchangeCheck['read'],
  named: NamedEvents = new Map(),
): Difference | undefined {
  const [name = ''] = Object.values(reading);
  return difference(name, readingOf(event, reading), is, named);
}

/** One value of a recorded request or answer; undefined if it was not sent or nothing was recorded. */
export function readingOf(event: SandboxEvent, reading: ExchangeReading): string | undefined {
  if (event.type !== 'request.completed') return undefined;
  const { url, requestHeaders, responseHeaders, responseBody } = event.exchange;
  if ('header' in reading) return headerOf(requestHeaders, reading.header);
  if ('answerHeader' in reading) return headerOf(responseHeaders, reading.answerHeader);
  if ('answerMember' in reading) {
    const value = recordIn(responseBody?.text ?? '')?.[reading.answerMember];
    return typeof value === 'string' ? value : undefined;
  }
  const query = new URLSearchParams(url.includes('?') ? url.slice(url.indexOf('?')) : '');
  return query.get(reading.parameter) ?? formIn(event.exchange).get(reading.parameter) ?? undefined;
}

/** The form of a recorded request; empty for any other body. */
export function formIn({ requestHeaders, requestBody }: Exchange): URLSearchParams {
  const isForm = headerOf(requestHeaders, 'Content-Type')?.startsWith('application/x-www-form-urlencoded') === true;
  return new URLSearchParams(isForm ? requestBody?.text : '');
}
