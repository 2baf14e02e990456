import type { IncomingMessage } from 'node:http';
import { editDistance } from '../../base/text/nearest.ts';
import type { EndpointRequest } from '../../protocol/endpoints/endpoint.ts';
import { parseParameters } from '../../protocol/parameters.ts';
import type { ManagedIssuer } from '../../sandbox/managed-issuer.ts';
import type { Answer } from '../../server/http/answer.ts';
import type { ErrorForm } from '../../server/http/error-replies.ts';
import { requireOwnOrigin } from '../../server/http/origin-check.ts';
import { type CallAt, createPathTable } from '../../server/http/path-table.ts';
import { readJson } from '../../server/http/read-json.ts';
import { rawQuery, readForm } from '../../server/http/read-parameters.ts';
import type { Handler } from '../../server/http/request-context.ts';
import { type CallInput, done, type ManagementCall, type ManagementCaller, notServed, rightMissing } from './call.ts';

interface ManagementParts<Place> {
  /** The name of the provider. */
  readonly title: string;
  readonly issuer: Pick<ManagedIssuer, 'adapter' | 'address' | 'events' | 'inTurn'>;
  /** The path of a call that something else than the address tells, such as a header. */
  pathOf?(req: IncomingMessage): string;
  /** The content type of a body that is JSON; default: `application/json`. */
  readonly jsonType?: string;
  /** Pages of clients may send calls that need no credential. */
  readonly isForPages?: true;
  readonly calls: readonly ManagementCall<Place>[];
  /** The parts of the issuer that the calls use. */
  readonly place: Place;
  readonly form: ErrorForm;
  /** The answer to a call that has none of its own; default: 204. */
  readonly done?: Answer;
  /** Refuses a path before the rights are checked, such as one with the name of another tenant. */
  requireNames?(names: CallInput['names'], place: Place): void;
  /** @throws invalid_token */
  authenticate(request: EndpointRequest, req: IncomingMessage): Promise<ManagementCaller>;
}

const nobody: ManagementCaller = { name: 'a caller without a credential', has: () => false };

/** Every call at its path, behind one guard: the page it came from, the credential, the rights, and then the body. */
export function createManagement<Place>(parts: ManagementParts<Place>): Handler {
  const { title, issuer, calls, place, form, requireNames, authenticate } = parts;
  const { adapter, events, inTurn } = issuer;
  const base = new URL(issuer.address).pathname.replace(/\/$/, '');
  const pathOf = parts.pathOf ?? (req => pathBelow(base, req));
  const table = createPathTable(calls);
  return adapter.answering(form, async req => {
    const path = pathOf(req);
    const found = table.find(path);
    const method = req.method === 'HEAD' ? 'GET' : (req.method ?? '');
    const call = found?.route.methods.get(method);
    const query = rawQuery(req);
    const request = adapter.endpointRequest(req, parseParameters(query));
    const isOpen = isOpenCall(call, parts);
    if (!isOpen || !parts.isForPages) requireOwnOrigin(req, notForPages);
    const caller = isOpen ? nobody : await authenticate(request, req);
    if (found === undefined || call === undefined)
      throw notServed(title, `${method} ${path}`, nearestCall(calls, method, path));
    requireNames?.(found.names, place);
    if (call.needs?.some(caller.has) === false) throw rightMissing(caller.name, call.needs);
    const body = await bodyOf(req, call, parts);
    const sent = { names: found.names, query: new URLSearchParams(query), body, request, req, caller };
    const run = async () => (await call.run(sent, place)) ?? parts.done ?? done;
    if (method !== 'GET') return inTurn(run);
    await events.caughtUp(); // calls read the log, and a reset by another replica empties what they keep
    return run();
  });
}

/** An unknown call that pages may send is refused as unknown before anybody is asked for a credential. */
function isOpenCall<Place>(call: ManagementCall<Place> | undefined, { isForPages }: ManagementParts<Place>): boolean {
  return call === undefined ? isForPages === true : call.needs === undefined;
}

const notForPages = 'the management API answers only pages of the sandbox and programs that are not browsers';

async function bodyOf<Place>(
  req: IncomingMessage,
  { form, mostBytes }: ManagementCall<Place>,
  { jsonType: type }: ManagementParts<Place>,
): Promise<unknown> {
  if (form !== undefined) return new URLSearchParams(await readForm(req));
  return readJson(req, { empty: {}, takesDelete: true, type, mostBytes });
}

/** Express cuts what it has routed by off `url`. */
function pathBelow(base: string, req: IncomingMessage & { readonly originalUrl?: string }): string {
  const [path = ''] = (req.originalUrl ?? req.url ?? '').split('?', 1);
  return path.slice(base.length).replace(/\/$/, '');
}

/**
 * The call that a caller of an unknown one may have meant: another method of the path, a path with a typo, or an action on the same
 * thing. Undefined where there is none, because the name of an unrelated call leads astray.
 */
function nearestCall(calls: readonly CallAt[], method: string, path: string): string | undefined {
  const sent = path.split('/');
  const related = calls.filter(call => isRelated(call.path.split('/'), sent));
  const alike = (call: CallAt) =>
    Number(call.method === method) + sharedLetters(call.path, path) / (call.path.length + path.length);
  const [best] = related.toSorted((a, b) => alike(b) - alike(a));
  return best && `${best.method} ${best.path}`;
}

/** At most one step differs, and that one little. */
function isRelated(steps: readonly string[], sent: readonly string[]): boolean {
  if (steps.length !== sent.length) return false;
  const others = steps.flatMap((step, index) => {
    const typed = sent[index] ?? '';
    return step === typed || step.startsWith('{') ? [] : [[step, typed] as const];
  });
  return others.length < 2 && others.every(([step, typed]) => isTypo(step, typed) || isOfOneThing(step, typed));
}

function isTypo(step: string, typed: string): boolean {
  return typed.length < 100 && editDistance(step.toLowerCase(), typed.toLowerCase()) <= Math.min(2, typed.length / 4);
}

function isOfOneThing(step: string, typed: string): boolean {
  const thing = thingOf(step);
  return thing !== '' && thing === thingOf(typed);
}

/** `User` of `ListUsers` and of `AdminGetUser`. A name without capital letters says no thing apart from its verb. */
function thingOf(action: string): string {
  const [, ...words] = action.replace(/^Admin/, '').match(/[A-Z]+(?![a-z])|[A-Z][a-z]+/g) ?? [];
  return words.join('').replace(/s$/, '');
}

function sharedLetters(a: string, b: string): number {
  const end = [...a].findIndex((letter, at) => letter !== b[at]);
  return end < 0 ? a.length : end;
}
