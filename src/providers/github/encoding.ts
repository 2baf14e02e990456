import type { EndpointRequest, Reply } from '../../protocol/endpoints/endpoint.ts';
import { textHeaders } from '../../server/http/answer.ts';

const formType = 'application/x-www-form-urlencoded; charset=utf-8';

export const formHeaders = textHeaders(formType);

/** GitHub answers in JSON only if `Accept` names it. */
export function wantsJson(accept: string | undefined): boolean {
  return /application\/(\w[\w.]*\+)?json/i.test(accept ?? '');
}

export function formText(members: object): string {
  return new URLSearchParams(Object.entries(members).map(([name, value]) => [name, String(value)])).toString();
}

/** A reply in JSON, or form-encoded unless `Accept` names JSON. */
export function encoded(reply: Reply, { accept }: EndpointRequest): Reply {
  if (reply.kind !== 'json' || wantsJson(accept)) return reply;
  return { kind: 'text', type: formType, body: formText(reply.body) };
}
