import type { RecordedRequest } from '../recorded-request.ts';
import type { FlowRecord } from './flow-record.ts';
import { digest } from './handles.ts';
import { clientNamed } from './named-client.ts';

/** Seconds after its last request during which a flow is a candidate. */
const window = 30;
const mostRemembered = 20;

/** Last resort: finds a flow with the same client and redirect URI shortly before. Such a join is marked as `inferred`. */
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

/** Whether a token request with an unknown code probably belongs to a flow that waits for its code. */
function isMeant(flow: FlowRecord, request: RecordedRequest): boolean {
  if (request.fact('token.issued') !== undefined) return false;
  if (request.value('grant_type') !== 'authorization_code' || flow.kind !== 'authorization_code') return false;
  const sent = request.value('redirect_uri');
  return flow.progress.waitsUntil !== undefined && (sent === undefined || sent === flow.redirect_uri);
}

/** Whether the client repeats a request with the DPoP nonce it received (RFC 9449 §8). */
function isTriedAgain({ triedWith, steps }: FlowRecord, request: RecordedRequest): boolean {
  const last = steps.at(-1)?.step.refusal?.error;
  return last === 'use_dpop_nonce' && triedWith !== undefined && triedWith === contentOf(request);
}

const proofs: ReadonlySet<string> = new Set(['client_assertion', 'client_secret']);

/** A hash of the path and form of a request without its client credentials. */
export function contentOf({ event, form }: RecordedRequest): string {
  const pairs = [...form].filter(([name]) => !proofs.has(name)).map(pair => pair.join('='));
  return digest([event.path, ...pairs.sort()].join('\n'));
}
