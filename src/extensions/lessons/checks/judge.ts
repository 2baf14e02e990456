import type { SandboxEvent } from '../../../base/events/event.ts';
import type { AnswerCheck, ExchangeCheck, SeenCheck, TaskCheck, TaskResult } from './check.ts';
import { requestOf, type TaskEvidence } from './evidence.ts';
import { judgeChain } from './judge-chain.ts';
import { type Difference, differences } from './pattern.ts';
import { readDifference } from './reading.ts';

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
  const matching = ofType.filter(event => differences(event, pattern).length === 0);
  if (not === true) return matching.length === 0 ? { state: 'done' } : { state: 'not yet' };
  const last = matching.find((event, index) => {
    const first = matching[index - count + 1];
    return first !== undefined && (within === undefined || event.at - first.at <= within);
  });
  if (last !== undefined) return done(last);
  if (matching.length > 0) return { state: 'not yet', reached: Math.min(matching.length, count - 1), steps: count };
  return nearest(ofType, evidence, event => differences(event, pattern)) ?? { state: 'not yet' };
}

function judgeExchange({ pattern, read }: ExchangeCheck, evidence: TaskEvidence): TaskResult {
  const ofType = evidence.events.filter(({ type }) => type === pattern.type);
  const differ = (event: SandboxEvent): readonly Difference[] => {
    const off = readDifference(event, read);
    return [...differences(event, pattern), ...(off === undefined ? [] : [off])];
  };
  const first = ofType.find(event => differ(event).length === 0);
  return first !== undefined ? done(first) : (nearest(ofType, evidence, differ) ?? { state: 'not yet' });
}

function judgeAnswer({ question: { id, right } }: AnswerCheck, { answers }: TaskEvidence): TaskResult {
  const given = answers[id];
  if (given === undefined) return { state: 'not yet' };
  return right === undefined || given === right ? { state: 'done' } : { state: 'not yet', wrong: given };
}

/** The newest event that differs in one field. */
function nearest(
  events: readonly SandboxEvent[],
  { spent }: TaskEvidence,
  differ: (event: SandboxEvent) => readonly Difference[],
): TaskResult | undefined {
  for (const event of events.toReversed()) {
    const [off, more] = differ(event);
    if (off === undefined || more !== undefined || spent?.has(event.requestId) === true) continue;
    return { state: 'close', ...requestOf(event), difference: off };
  }
  return undefined;
}

function done(event: SandboxEvent): TaskResult {
  return { state: 'done', ...requestOf(event) };
}
