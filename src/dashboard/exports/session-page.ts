import { headersOf, type RecordedBody } from '../../base/events/exchange.ts';
import { eachInTurns, type Turns } from '../../base/turns.ts';
import type { Export, ExportedRequest } from '../../record/flows/exports/export.ts';
import { type Flow, flowTitle } from '../../record/flows/flow.ts';
import { stateOf } from '../../record/flows/flow-state.ts';
import { type ShownParameter, sequenceOf } from '../../record/flows/sequence.ts';
import { stepView } from '../flows/flow-view.ts';
import { momentOf } from '../moment.ts';
import type { PageContext } from '../page.ts';
import { badgeOf } from '../status-badge.ts';

/**
 * A session, or one flow, as a self-contained page. Each step and each request is rendered and redacted separately,
 * because a long history is too much for one turn of the event loop.
 */
export async function* sessionPage(
  exported: Export,
  { clock, issuer, ...record }: Pick<PageContext, 'events' | 'describe' | 'clock' | 'issuer'>,
  render: (template: string, model: object) => Promise<string>,
  turns?: Turns,
): AsyncGenerator<string, void, void> {
  const now = clock();
  const { flows, requests, redacted, exportedAt, clean } = exported;
  const [only] = flows;
  const part = async (template: string, model: object) => clean(await render(template, model));
  const page = await render('export', {
    title: clean(flows.length === 1 && only !== undefined ? flowTitle(only) : `Session of ${issuer}`),
    issuer,
    exported: momentOf(exportedAt, now),
    redacted,
    count: flows.length,
  });
  // untrusted text cannot contain this marker, because EJS escapes `<`
  const pieces = page.split(/<!--parts-->\n?/);
  const isOnly = flows.length === 1;
  yield pieces.shift() ?? '';
  // one flow needs no contents, and its title is that of the page
  if (flows.length > 1) {
    yield* eachInTurns(flows, flow => part('export-contents', { flow: headOf(flow) }), turns);
    yield pieces.shift() ?? '';
  }
  const tellsMeaning = oncePerFile();
  for (const flow of flows) {
    const { steps, ...shown } = flowOf(flow, record, now);
    const [head = '', foot = ''] = (await part('export-flow', { isOnly, flow: shown })).split(/<!--parts-->\n?/);
    yield head;
    yield* eachInTurns(steps, step => part('export-step', { step: step(), tellsMeaning }), turns);
    yield foot;
  }
  yield pieces.shift() ?? '';
  yield* eachInTurns(requests, each => part('export-request', { request: requestOf(each, now) }), turns);
  yield pieces.shift() ?? '';
}

function headOf(flow: Flow) {
  const { words, look } = stateOf(flow);
  return { id: flow.id, title: flowTitle(flow), status: words, statusClass: look };
}

function flowOf(flow: Flow, record: Pick<PageContext, 'events' | 'describe'>, now: number) {
  const sequence = sequenceOf(flow, record.events);
  const isOpen = flow.status === 'open';
  return {
    ...headOf(flow),
    lanes: sequence.lanes,
    reached: sequence.reached,
    at: momentOf(flow.startedAt, now),
    count: sequence.steps.length,
    steps: sequence.steps.map(step => () => stepView(step, { ...record, sequence, isOpen, shows: () => false, now })),
  };
}

/** Tells a meaning only where it is new in the file: a long session has the same few parameters in each request. */
function oncePerFile(): (meaning: ShownParameter['meaning']) => boolean {
  const told = new Set<string>();
  return meaning => {
    const words = meaning?.words ?? '';
    const isNew = words === '' || !told.has(words);
    told.add(words);
    return isNew;
  };
}

function requestOf({ requestId, method, path, status, at, exchange, facts }: ExportedRequest, now: number) {
  const refusal = facts.find(fact => fact.type === 'error.returned');
  return {
    id: requestId,
    method,
    path,
    badge: badgeOf({ status }, facts.some(({ type }) => type === 'fault.applied') ? 'own' : undefined),
    at: momentOf(at, now),
    refusal: refusal?.type === 'error.returned' ? `${refusal.error}: ${refusal.description}` : '',
    sent: message(`${method} ${exchange.url}`, exchange.requestHeaders, exchange.requestBody),
    answered: message(`HTTP ${status}`, exchange.responseHeaders, exchange.responseBody),
  };
}

function message(first: string, headers: string, body: RecordedBody | undefined): string {
  const head = [first, ...headersOf(headers).map(([name, value]) => `${name}: ${value}`)].join('\n');
  if (body === undefined) return head;
  return `${head}\n\n${body.text}${body.cut === true ? `\n… cut: ${body.bytes} bytes in total` : ''}`;
}
