import { defined } from '../../../base/defined.ts';
import type { SandboxEvent } from '../../../base/events/event.ts';
import {
  type AnswerCheck,
  type ChainCheck,
  type ChainStep,
  type ExchangeCheck,
  readDifference,
  type SeenCheck,
  type TaskCheck,
  type TaskResult,
} from './check.ts';
import { rowOf, stampFields } from './event-table.ts';
import { type Difference, fieldOf, isReference, type NamedEvents } from './pattern.ts';
import { allDifferences } from './request.ts';

/** Judges only by `evidence`, without the time, the page or a cookie. */
export function judge(check: TaskCheck, evidence: TaskEvidence): TaskResult {
  switch (check.form) {
    case 'seen':
      return judgeSeen(check, evidence);
    case 'chain':
      return judgeChain(check, evidence);
    case 'exchange':
      return judgeExchange(check, evidence);
    case 'answer':
      return judgeAnswer(check, evidence);
  }
}

/** A task is done when all its checks are done. The first open check tells what is missing. */
export function judgeAll(checks: readonly TaskCheck[], evidence: TaskEvidence): TaskResult {
  const results = checks.map(check => judge(check, evidence));
  const open = results.filter(({ state }) => state !== 'done');
  return (
    open.find(({ state }) => state === 'close') ??
    open[0] ??
    results.findLast(result => 'requestId' in result) ?? { state: 'done' }
  );
}

function judgeSeen({ pattern, not, count = 1, within }: SeenCheck, evidence: TaskEvidence): TaskResult {
  const ofType = evidence.events.filter(({ type }) => type === pattern.type);
  const differ = (event: SandboxEvent) => allDifferences(event, pattern, known(evidence));
  const matching = ofType.filter(event => differ(event).length === 0);
  if (not === true) return matching.length === 0 ? { state: 'done' } : { state: 'not yet' };
  const last = matching.find((event, index) => {
    const first = matching[index - count + 1];
    return first !== undefined && (within === undefined || event.at - first.at <= within);
  });
  if (last !== undefined) return done(last);
  if (matching.length > 0)
    return {
      ...{ state: 'not yet', reached: Math.min(matching.length, count - 1), steps: count },
      ...defined({ next: rowOf(pattern.type)?.next, last: matching.at(-1)?.id }),
    };
  return nearest(ofType, evidence, differ) ?? { state: 'not yet' };
}

function judgeExchange({ pattern, read }: ExchangeCheck, evidence: TaskEvidence): TaskResult {
  const ofType = evidence.events.filter(({ type }) => type === pattern.type);
  const differ = (event: SandboxEvent): readonly Difference[] => {
    const off = readDifference(event, read);
    return [...allDifferences(event, pattern, known(evidence)), ...(off === undefined ? [] : [off])];
  };
  const first = ofType.find(event => differ(event).length === 0);
  return first !== undefined ? done(first) : (nearest(ofType, evidence, differ) ?? { state: 'not yet' });
}

function judgeAnswer({ question: { id, right } }: AnswerCheck, { answers }: TaskEvidence): TaskResult {
  const given = answers[id];
  if (given === undefined) return { state: 'not yet' };
  return right === undefined || given === right ? { state: 'done' } : { state: 'not yet', wrong: given };
}

function nearest(
  events: readonly SandboxEvent[],
  evidence: TaskEvidence,
  differ: (event: SandboxEvent) => readonly Difference[],
): TaskResult | undefined {
  for (const event of events.toReversed()) {
    if (!mayBeNear(event, evidence)) continue;
    const [off, more] = differ(event);
    if (off !== undefined && more === undefined) return closeTo(event, off);
  }
  return undefined;
}

/** Only the newest request is close to a task, and none that did another one. */
function mayBeNear(event: SandboxEvent, { spent, isNewest }: TaskEvidence): boolean {
  return event.type !== 'lab.switched' && spent?.has(event.requestId) !== true && isNewest?.(event) !== false;
}

function closeTo(event: SandboxEvent, off: Difference): TaskResult {
  return { state: 'close', ...requestOf(event), difference: { has: fieldsIn(event), ...off } };
}

function fieldsIn(event: SandboxEvent): readonly string[] {
  const others = ['type', 'exchange', ...stampFields];
  return Object.keys(event).filter(name => !others.includes(name));
}

function done(event: SandboxEvent): TaskResult {
  return { state: 'done', ...requestOf(event) };
}

interface Path {
  readonly events: readonly SandboxEvent[];
  readonly named: NamedEvents;
  /** Values of the fields that must stay equal. */
  readonly equal: Readonly<Record<string, unknown>>;
}

/** The furthest result of a search, and the furthest event of the newest request that differs in one field. */
interface Furthest {
  path: Path;
  near?: { readonly event: SandboxEvent; readonly difference: Difference; readonly length: number };
}

const nowhere: Path = { events: [], named: new Map(), equal: {} };

function judgeChain(chain: ChainCheck, evidence: TaskEvidence): TaskResult {
  const furthest: Furthest = { path: nowhere };
  const found = search(chain, evidence, nowhere, { furthest, dead: new Set() });
  const last = found?.events.at(-1);
  if (last !== undefined) return { state: 'done', ...requestOf(last) };
  const { near, path } = furthest;
  return near === undefined || isStep(near, path) || isOver(near, path)
    ? begun(chain, path)
    : closeTo(near.event, near.difference);
}

/** What must not happen has happened in an attempt before this one. */
function isOver({ event, difference }: NonNullable<Furthest['near']>, { events }: Path): boolean {
  return difference === forbidden && event.id < (events.at(-1)?.id ?? 0);
}

const forbidden: Difference = { field: 'without', expected: 'nothing' };

/** An event of the furthest path, though it differs in another path, or of a request that has done this step by another event. */
function isStep({ event, length }: NonNullable<Furthest['near']>, { events }: Path): boolean {
  return events.some(
    ({ id, requestId }, index) => id === event.id || (index >= length && requestId === event.requestId),
  );
}

/** The requests that were seen, of those that the chain asks for: several steps may be of one request. */
function begun({ steps, by }: ChainCheck, { events }: Path): TaskResult {
  const joined = (step: ChainStep, index: number) =>
    index > 0 && (by.includes('requestId') || isReference(step.requestId));
  // a request counts once it has done all of its steps
  const at = steps.findLastIndex((step, index) => index <= events.length && !joined(step, index));
  const whole = steps[events.length] === steps[at] ? events : events.slice(0, at);
  const requests = whole.filter((event, index) => event.requestId !== whole[index - 1]?.requestId);
  const open = steps.filter((step, index) => index >= whole.length && !joined(step, index));
  const step = steps[whole.length];
  return {
    ...{ state: 'not yet', reached: requests.length, steps: requests.length + open.length },
    ...defined({ next: step?.next ?? rowOf(step?.type ?? '')?.next, last: events.at(-1)?.id }),
  };
}

interface Search {
  readonly furthest: Furthest;
  /** Starts without a continuation. Without this memory a hundred sign-ins would take a million steps. */
  readonly dead: Set<string>;
}

function search(chain: ChainCheck, evidence: TaskEvidence, path: Path, known: Search): Path | undefined {
  const step = chain.steps[path.events.length];
  if (step === undefined) return path;
  const key = keyOf(path, chain);
  if (known.dead.has(key)) return undefined;
  note(known.furthest, path);
  for (const event of allowed(step, path, evidence, known)) {
    if (event.type !== step.type || isLate(event, path, chain)) continue;
    const differ = [...differencesOf(event, step, path, evidence), ...unequal(event, path)];
    const [off, more] = differ;
    if (off === undefined) {
      const found = search(chain, evidence, extended(path, event, step, chain), known);
      if (found !== undefined) return found;
    } else if (more === undefined && mayBeNear(event, evidence)) {
      noteNear(known.furthest, { event, difference: off, length: path.events.length });
    }
  }
  known.dead.add(key);
  return undefined;
}

/** Events that can continue a path, up to one that must not happen. */
function allowed(step: ChainStep, path: Path, evidence: TaskEvidence, { furthest }: Search): readonly SandboxEvent[] {
  const events = followers(evidence, path);
  const end = events.findIndex(event => isForbidden(event, step, path, evidence));
  const event = events[end];
  if (event === undefined) return events;
  noteNear(furthest, { event, difference: forbidden, length: path.events.length });
  return events.slice(0, end);
}

function isForbidden(event: SandboxEvent, { without }: ChainStep, { named }: Path, evidence: TaskEvidence): boolean {
  return event.type === without?.type && allDifferences(event, without, known(evidence), named).length === 0;
}

function differencesOf(
  event: SandboxEvent,
  { as: _, next: _next, without: _without, read, ...pattern }: ChainStep,
  { named }: Path,
  evidence: TaskEvidence,
) {
  const off = read && readDifference(event, read, named);
  return [...allDifferences(event, pattern, known(evidence), named), ...(off === undefined ? [] : [off])];
}

/** Events that can continue a path. The next switch of a lab ends a chain that begins with a switch. */
function followers({ events }: TaskEvidence, path: Path): readonly SandboxEvent[] {
  const [first] = path.events;
  const lastId = path.events.at(-1)?.id ?? 0;
  const later = events.filter(({ id }) => id > lastId);
  const end = first?.type === 'lab.switched' ? later.findIndex(({ type }) => type === 'lab.switched') : -1;
  return end === -1 ? later : later.slice(0, end);
}

/** Two paths with the same key have the same continuations. */
function keyOf({ events, named, equal }: Path, { within }: ChainCheck): string {
  const names = [...named].map(([name, { id }]) => [name, id]);
  return JSON.stringify([events.length, events.at(-1)?.id, within === undefined ? 0 : events[0]?.id, names, equal]);
}

function isLate({ at }: SandboxEvent, { events: [first] }: Path, { within }: ChainCheck): boolean {
  return within !== undefined && first !== undefined && at - first.at > within;
}

function unequal(event: SandboxEvent, { equal }: Path): readonly Difference[] {
  return Object.entries(equal).flatMap(([field, value]) => {
    const sent = fieldOf(event, field);
    return sent === undefined || sent === value ? [] : [{ field, sent: String(sent), expected: String(value) }];
  });
}

function extended({ events, named, equal }: Path, event: SandboxEvent, { as }: ChainStep, { by }: ChainCheck): Path {
  const values = by.map(field => [field, fieldOf(event, field)] as const).filter(([, value]) => value !== undefined);
  return {
    events: [...events, event],
    named: as === undefined ? named : new Map([...named, [as, event]]),
    equal: { ...Object.fromEntries(values), ...equal },
  };
}

function note(furthest: Furthest, path: Path): void {
  if (path.events.length >= furthest.path.events.length) furthest.path = path;
}

function noteNear(furthest: Furthest, near: NonNullable<Furthest['near']>): void {
  const { event: { id } = { id: 0 }, length = 0 } = furthest.near ?? {};
  if (near.length > length || (near.length === length && near.event.id >= id)) furthest.near = near;
}

interface TaskEvidence {
  /** Events since the task began, oldest first. */
  readonly events: readonly SandboxEvent[];
  /** All events, where the task did not begin with the first: a token that somebody changes may be older than the task. */
  readonly all?: readonly SandboxEvent[];
  /** Chosen options by the id of their question. */
  readonly answers: Readonly<Record<string, string>>;
  /** Requests that did another task: none of them is close to this one. */
  readonly spent?: ReadonlySet<string>;
  /** Whether an event belongs to the newest request. Default: all events may be near. */
  isNewest?(event: SandboxEvent): boolean;
}

function known({ events, all = events }: TaskEvidence): readonly SandboxEvent[] {
  return all;
}

/** Leaves out what the dashboard itself asked for, and requests that still run. */
export function countable(events: readonly SandboxEvent[]): readonly SandboxEvent[] {
  const ended = new Set(events.flatMap(({ type, requestId }) => (type === 'request.completed' ? [requestId] : [])));
  // `sandbox` and `call_…` are not requests
  return events.filter(({ type, requestId }) =>
    requestId.startsWith('req_') ? ended.has(requestId) : type !== 'page.served',
  );
}

/** Only a request has a page to link to. */
function requestOf({ requestId }: SandboxEvent): { readonly requestId?: string } {
  return requestId.startsWith('req_') ? { requestId } : {};
}
