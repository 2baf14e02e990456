import type { EventOf } from '../../events/event.ts';

/** How somebody continued a held response. */
export const continuations: Readonly<Record<EventOf<'response.continued'>['by'], string>> = {
  call: 'The held response continued',
  breakpoint: 'The held response continued, because the breakpoint was removed',
  time: 'The held response continued, because its time was over',
  gone: 'The client closed the connection while its response was held',
};

/** A held response in words. */
export function heldWords({ endpoint, status, location }: EventOf<'response.held'>) {
  return ['A breakpoint holds the response', { endpoint, status: String(status), location }] as const;
}
