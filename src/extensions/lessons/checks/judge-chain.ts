import type { SandboxEvent } from '../../../base/events/event.ts';
import type { ChainCheck, ChainStep, TaskResult } from './check.ts';
import { requestOf, type TaskEvidence } from './evidence.ts';
import { type Difference, differences, fieldOf, type NamedEvents } from './pattern.ts';
import { readDifference } from './reading.ts';

/** A matching start of the chain. */
interface Path {
  readonly events: readonly SandboxEvent[];
  readonly named: NamedEvents;
  /** Values of the fields that must stay equal. */
  readonly equal: Readonly<Record<string, unknown>>;
}

/** The furthest result of a search, with the newest event that differs in one field there. */
interface Furthest {
  reached: number;
  near?: { readonly event: SandboxEvent; readonly difference: Difference } | undefined;
}

const nowhere: Path = { events: [], named: new Map(), equal: {} };

export function judgeChain(chain: ChainCheck, evidence: TaskEvidence): TaskResult {
  const furthest: Furthest = { reached: 0 };
  const found = search(chain, evidence, nowhere, { furthest, dead: new Set() });
  const last = found?.events.at(-1);
  if (last !== undefined) return { state: 'done', ...requestOf(last) };
  const { near, reached } = furthest;
  if (near !== undefined) return { state: 'close', ...requestOf(near.event), difference: near.difference };
  return { state: 'not yet', reached, steps: chain.steps.length };
}

interface Search {
  readonly furthest: Furthest;
  /** Starts without a continuation. Without this memory a hundred logins would take a million steps. */
  readonly dead: Set<string>;
}

function search(chain: ChainCheck, evidence: TaskEvidence, path: Path, known: Search): Path | undefined {
  const step = chain.steps[path.events.length];
  if (step === undefined) return path;
  const key = keyOf(path, chain);
  if (known.dead.has(key)) return undefined;
  note(known.furthest, path);
  for (const event of followers(evidence, path)) {
    if (event.type !== step.type || isLate(event, path, chain)) continue;
    const differ = [...differencesOf(event, step, path), ...unequal(event, path)];
    const [off, more] = differ;
    if (off === undefined) {
      const found = search(chain, evidence, extended(path, event, step, chain), known);
      if (found !== undefined) return found;
    } else if (more === undefined && event.type !== 'lab.switched' && evidence.spent?.has(event.requestId) !== true) {
      noteNear(known.furthest, path, { event, difference: off });
    }
  }
  known.dead.add(key);
  return undefined;
}

function differencesOf(event: SandboxEvent, { as: _, read, ...pattern }: ChainStep, { named }: Path) {
  const off = read && readDifference(event, read, named);
  return [...differences(event, pattern, named), ...(off === undefined ? [] : [off])];
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

function note(furthest: Furthest, { events: { length } }: Path): void {
  if (length <= furthest.reached) return;
  furthest.reached = length;
  furthest.near = undefined;
}

function noteNear(furthest: Furthest, { events: { length } }: Path, near: NonNullable<Furthest['near']>): void {
  if (length < furthest.reached) return;
  if (furthest.near === undefined || near.event.id >= furthest.near.event.id) furthest.near = near;
}
