import type { RecordedRequest } from '../recorded-request.ts';
import type { FlowRecord } from './flow-record.ts';
import { digest } from './handles.ts';
import { clientNamed } from './named-client.ts';

/** Seconds after its last request in which a flow may be meant. */
const window = 30;
const mostRemembered = 20;

/** The last resort: the same client and redirect URI, a moment ago. Who is found like this is marked as inferred. */
export function createLikelyFlows() {
  const byClient = new Map<string, FlowRecord[]>();

  function find(request: RecordedRequest): FlowRecord | undefined {
    const client = clientNamed(request);
    const recent = (client === undefined ? undefined : byClient.get(client)) ?? [];
    const isRecent = (flow: FlowRecord) => request.event.at - flow.progress.lastAt <= window;
    const candidates = recent.filter(isRecent);
    return (
      candidates.findLast(flow => isMeant(flow, request)) ?? candidates.findLast(flow => isTriedAgain(flow, request))
    );
  }

  return {
    find,
    note(record: FlowRecord): void {
      const { client_id } = record;
      if (client_id === undefined) return;
      const flows = byClient.get(client_id) ?? [];
      byClient.set(client_id, flows);
      if (!flows.includes(record)) flows.push(record);
      if (flows.length > mostRemembered) flows.shift();
    },
    forget(record: FlowRecord): void {
      const flows = byClient.get(record.client_id ?? '');
      const index = flows?.indexOf(record) ?? -1;
      if (index !== -1) flows?.splice(index, 1);
      if (flows?.length === 0) byClient.delete(record.client_id ?? '');
    },
    clear: () => byClient.clear(),
  };
}

/** A code was sent to the redirect URI, and what comes now is no code of ours; one that gave tokens was some other's. */
function isMeant(flow: FlowRecord, request: RecordedRequest): boolean {
  if (request.fact('token.issued') !== undefined) return false;
  if (request.value('grant_type') !== 'authorization_code' || flow.kind !== 'authorization_code') return false;
  const sent = request.value('redirect_uri');
  return flow.progress.waitsUntil !== undefined && (sent === undefined || sent === flow.redirect_uri);
}

/** The server gave a nonce, and the client asks the same again with it (RFC 9449 §8). */
function isTriedAgain({ triedWith, steps }: FlowRecord, request: RecordedRequest): boolean {
  const last = steps.at(-1)?.step.refusal?.error;
  return last === 'use_dpop_nonce' && triedWith !== undefined && triedWith === contentOf(request);
}

const proofs: ReadonlySet<string> = new Set(['client_assertion', 'client_secret']);

/** What a request asks for, without how it proves who asks. */
export function contentOf({ event, form }: RecordedRequest): string {
  const pairs = [...form].filter(([name]) => !proofs.has(name)).map(pair => pair.join('='));
  return digest([event.path, ...pairs.sort()].join('\n'));
}
