import type { IncomingMessage } from 'node:http';
import type { Adapter } from '../../http/adapter.ts';
import type { ErrorForm } from '../../http/error-replies.ts';
import { requireOwnOrigin } from '../../http/origin-check.ts';
import { createPathTable } from '../../http/path-table.ts';
import { readJson } from '../../http/read-json.ts';
import { rawQuery, readForm } from '../../http/read-parameters.ts';
import type { Handler } from '../../http/request-context.ts';
import type { EndpointRequest } from '../../oauth/endpoints/endpoint.ts';
import { parseParameters } from '../../oauth/parameters.ts';
import type { CallInput, ManagementCall, ManagementCaller } from './call.ts';
import { notServed, rightMissing } from './refusals.ts';

/** The management API of one issuer. */
export interface ManagementParts<Place> {
  /** The name of the provider. */
  readonly title: string;
  readonly adapter: Adapter;
  /** The path that precedes those of the calls. */
  readonly base: string;
  readonly calls: readonly ManagementCall<Place>[];
  /** What the calls work on. */
  readonly place: Place;
  readonly form: ErrorForm;
  /** Refuses a path before the rights are checked, such as one with the name of another tenant. */
  requireNames?(names: CallInput['names'], place: Place): void;
  /** @throws invalid_token */
  authenticate(request: EndpointRequest): Promise<ManagementCaller>;
}

/** The caller of a call that needs no credential. */
const nobody: ManagementCaller = { name: 'a caller without a credential', has: () => false };

/** Every call at its path, behind one guard: the page it came from, the credential, the rights, and then the body. */
export function createManagement<Place>(parts: ManagementParts<Place>): Handler {
  const { title, adapter, base, calls, place, form, requireNames, authenticate } = parts;
  const table = createPathTable(calls);
  return adapter.answering(form, async req => {
    requireOwnOrigin(req, 'the management API answers only pages of the sandbox and programs that are not browsers');
    const path = pathIn(req).slice(base.length).replace(/\/$/, '');
    const found = table.find(path);
    const method = req.method === 'HEAD' ? 'GET' : (req.method ?? '');
    const call = found?.route.methods.get(method);
    const query = rawQuery(req);
    const request = adapter.endpointRequest(req, parseParameters(query));
    const isOpen = call !== undefined && call.needs === undefined;
    const caller = isOpen ? nobody : await authenticate(request);
    if (found === undefined || call === undefined)
      throw notServed(title, `${method} ${path}`, nearest(calls, method, path));
    requireNames?.(found.names, place);
    if (call.needs?.some(caller.has) === false) throw rightMissing(caller.name, call.needs);
    const body = call.form === undefined ? await readJson(req, jsonOf(call)) : new URLSearchParams(await readForm(req));
    return call.run({ names: found.names, query: new URLSearchParams(query), body, request, req, caller }, place);
  });
}

function jsonOf<Place>({ mostBytes }: ManagementCall<Place>) {
  return { empty: {}, takesDelete: true, ...(mostBytes === undefined ? {} : { mostBytes }) } as const;
}

/** Express cuts what it has routed by off `url`. */
function pathIn(req: IncomingMessage & { readonly originalUrl?: string }): string {
  return (req.originalUrl ?? req.url ?? '').split('?', 1)[0] ?? '';
}

/** Of all calls, the one whose path begins most alike. */
function nearest<Place>(calls: readonly ManagementCall<Place>[], method: string, path: string): string | undefined {
  const sent = path.split('/');
  const alike = (call: ManagementCall<Place>) => {
    const steps = call.path.split('/');
    const other = steps.findIndex((step, index) => step !== sent[index] && !step.startsWith('{'));
    return (other < 0 ? steps.length : other) * 2 + Number(call.method === method);
  };
  const [best] = calls.toSorted((a, b) => alike(b) - alike(a));
  return best && `${best.method} ${best.path}`;
}
