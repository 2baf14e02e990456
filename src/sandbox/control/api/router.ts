import type { IncomingMessage, ServerResponse } from 'node:http';
import { nearestName } from '../../../base/text/nearest.ts';
import { invalidRequest } from '../../../protocol/errors.ts';
import { shorten } from '../../../protocol/parameters.ts';
import type { Adapter } from '../../../server/http/adapter.ts';
import type { Answer } from '../../../server/http/answer.ts';
import { asProblem } from '../../../server/http/error-replies.ts';
import { wrongMethod } from '../../../server/http/mount.ts';
import { requireOwnOrigin } from '../../../server/http/origin-check.ts';
import { createPathTable, type FoundPath, type PathTable } from '../../../server/http/path-table.ts';
import { readJson } from '../../../server/http/read-json.ts';
import { rawQuery } from '../../../server/http/read-parameters.ts';
import { contextOf } from '../../../server/http/request-context.ts';
import { isLarge, mostValues } from '../../config/large-value.ts';
import { refusedInput, tooManyValues, tooManyWaiting } from '../refusal.ts';
import type { RunInTurn } from '../replica-turn.ts';
import { checked } from './checked.ts';
import type { ControlGate } from './control-gate.ts';
import type { Controlled } from './controlled.ts';
import type { Operation, OperationAnswer } from './operation.ts';

export interface ControlApiParts {
  readonly operations: readonly Operation[];
  readonly controlled: Controlled;
  readonly adapter: Adapter;
  readonly inTurn: RunInTurn;
  /** Where it is: the path of the issuer, and `/_sandbox`. */
  readonly at: string;
  /** Guard with `CONTROL_TOKEN`; absent: everybody who reaches the API may use it. */
  readonly gate?: ControlGate | undefined;
}

/** The control API of one issuer, as HTTP. */
export type ControlApi = ReturnType<typeof createControlApi>;

/** Every operation at its path, behind one guard: who asks, from where, and what was sent (RFC 9457 for what is refused). */
export function createControlApi(parts: ControlApiParts) {
  const table = createPathTable(parts.operations);
  const calls = createCalls();

  async function answer(req: IncomingMessage, res: ServerResponse): Promise<Answer> {
    const context = contextOf(req);
    context.endpoint = 'control';
    const { found, operation } = admit(parts, table, req);
    const signal = calls.begin(res, operation.isLong);
    // reads are not shown as events, unless they are refused
    if (operation.method === 'GET') context.endpoint = 'control_read';
    const answered = await runOperation(parts, operation, { found, req, signal }).catch(error => {
      context.endpoint = 'control';
      throw error;
    });
    if (!('stream' in answered)) return answered;
    await answered.stream(res);
    return { status: 200, headers: {}, body: '' }; // was sent already
  }
  return {
    handle: (req: IncomingMessage, res: ServerResponse) =>
      parts.adapter.answering(asProblem, () => answer(req, res))(req, res),
    /** Ends all waiting and streaming operations. */
    close: calls.end,
  };
}

/** @throws what the guard refuses */
function admit({ at, gate }: ControlApiParts, table: PathTable<Operation>, req: IncomingMessage) {
  requireOwnOrigin(req, 'the control API answers only pages of the sandbox and programs that are not browsers');
  const found = table.find(pathIn(req).slice(at.length).replace(/\/$/, ''));
  const method = req.method === 'HEAD' ? 'GET' : (req.method ?? '');
  const operation = found?.route.methods.get(method);
  if (operation?.isOpen !== true) gate?.requireToken(req);
  if (found === undefined) throw nothingThere(table, req, at);
  if (operation === undefined) return wrongMethod(req, allowedMethods(found));
  return { found, operation };
}

function allowedMethods({ route }: FoundPath<Operation>): string[] {
  return [...route.methods.keys()].flatMap(method => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
}

/** An issuer is made with all its clients, users and rows at once. */
const mostBytes = 1024 * 1024;

/** @throws invalid_request with 413 for a body that keeps everybody else waiting while it is checked */
function requireSmall(body: unknown): void {
  if (isLarge(body)) throw tooManyValues(mostValues);
}

async function runOperation(
  { controlled, inTurn }: ControlApiParts,
  operation: Operation,
  { found, req, signal }: { found: FoundPath<Operation>; req: IncomingMessage; signal: AbortSignal },
): Promise<OperationAnswer> {
  const query = checked(operation.query, queryOf(req));
  const limits = operation.mostBytes === undefined ? { mostBytes, requireSmall } : { mostBytes: operation.mostBytes };
  const sent = await readJson(req, { empty: {}, ...limits });
  const body = operation.checksBody ? sent : checked(operation.body, sent === undefined ? {} : sent);
  const run = () => operation.run({ path: found.names, query, body, req, signal }, controlled, undefined);
  const { changes } = operation;
  if (changes !== undefined) return inTurn(run, changes === 'makes room' ? changes : undefined);
  await controlled.events.caughtUp(); // a replica reads what the others have told only when somebody looks
  return run();
}

/** @throws invalid_request for a name that comes twice: nobody can say which is meant */
function queryOf(req: IncomingMessage): Readonly<Record<string, string>> {
  const query = new URLSearchParams(rawQuery(req));
  const twice = [...new Set(query.keys())].filter(name => query.getAll(name).length > 1);
  if (twice.length === 0) return Object.fromEntries(query);
  throw refusedInput(twice.map(member => ({ member, sent: `${query.getAll(member).length} values`, expected: 'one' })));
}

/** Express cuts what it has routed by off `url`. */
function pathIn(req: IncomingMessage & { readonly originalUrl?: string }): string {
  return (req.originalUrl ?? req.url ?? '').split('?', 1)[0] ?? '';
}

function nothingThere(table: PathTable<Operation>, req: IncomingMessage, at: string) {
  const path = pathIn(req);
  const paths = table.routes.map(route => at + route.path);
  const nearest = nearestName(
    path.slice(at.length),
    table.routes.map(route => route.path),
  );
  const expected = nearest === undefined ? `one of ${paths.length} paths, listed at ${at}` : at + nearest;
  return invalidRequest('path_unknown', 'no operation has this path', {
    status: 404,
    sent: shorten(path, 200),
    expected,
  });
}

/** Each holds a connection. */
const mostWaiting = 100;

/** Calls that are not answered yet. */
export function createCalls() {
  const open = new Set<AbortController>();
  let isEnded = false;
  let waiting = 0;
  return {
    /**
     * The signal aborts with `left` when the caller hangs up, with `stopping` when the sandbox stops.
     * @throws temporarily_unavailable for one more that waits or streams than there may be
     */
    begin(res: ServerResponse, isLong = false): AbortSignal {
      if (isLong && waiting >= mostWaiting) throw tooManyWaiting(mostWaiting);
      const call = new AbortController();
      if (isEnded) call.abort('stopping');
      if (res.closed) call.abort('left'); // while the app was loaded: it is not said again
      if (call.signal.aborted) return call.signal;
      open.add(call);
      if (isLong) waiting++;
      res.once('close', () => {
        open.delete(call);
        if (isLong) waiting--;
        call.abort('left');
      });
      return call.signal;
    },
    /** The sandbox stops. */
    end(): void {
      isEnded = true;
      for (const each of open) each.abort('stopping');
    },
  };
}
