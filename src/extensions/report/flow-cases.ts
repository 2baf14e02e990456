import type { EventOf } from '../../base/events/event.ts';
import type { JunitCase, JunitSuite } from '../../base/text/junit-xml.ts';
import type { Pieces } from '../../base/turns.ts';
import { type Flow, type FlowStep, flowTitle } from '../../record/flows/flow.ts';
import { explainRefusal } from '../../record/problems/explain.ts';
import { refusalOf } from '../../record/problems/history.ts';
import type { Known } from '../../record/problems/known.ts';
import { isOrdinary } from '../../record/problems/on-purpose.ts';
import type { Explanation } from '../../record/problems/problem.ts';
import { textOf } from '../../record/problems/url-difference.ts';
import { counted } from './check.ts';

/**
 * Makes a JUnit test case for each flow, in the given order. A refused flow fails, with the explanation. A flow that a fault changed,
 * or that is unfinished, is skipped. `clean` removes secrets from a text.
 */
export function* flowSuite(flows: readonly Flow[], known: Known, clean: (text: string) => string): Pieces<JunitSuite> {
  const seen = new Map<string, number>();
  const cases: JunitCase[] = [];
  for (const flow of flows) {
    const title = flowTitle(flow);
    const count = (seen.get(title) ?? 0) + 1;
    seen.set(title, count);
    const { message, text, ...outcome } = outcomeOf(flow, known);
    cases.push({
      classname: 'flows',
      // the title stays the same in each run, the id of the flow does not
      name: clean(count === 1 ? title : `${title} (${count})`),
      seconds: flow.steps.reduce((sum, { milliseconds }) => sum + milliseconds, 0) / 1000,
      ...outcome,
      message: clean(message),
      text: clean(`${text ?? message}\n${flow.id}, ${counted(flow.steps.length, 'request')}`),
    });
    yield;
  }
  return { name: 'flows', cases };
}

type Outcome = Pick<JunitCase, 'outcome' | 'type' | 'message' | 'text'>;

function outcomeOf(flow: Flow, known: Known): Outcome {
  const faults = faultsIn(flow, known);
  if (faults.length > 0) return { outcome: 'skipped', message: `changed by an armed fault: ${faults.join(', ')}` };
  if (flow.status === 'failed') return failure(flow, known);
  if (flow.status === 'ok') return { outcome: 'passed', message: 'ok' };
  return { outcome: 'skipped', message: 'the flow was not finished' };
}

function faultsIn({ steps }: Flow, { events }: Known): readonly string[] {
  const facts = steps.flatMap(({ requestId }) => events.ofRequest(requestId));
  return [...new Set(facts.flatMap(fact => (fact.type === 'fault.applied' ? [fact.fault] : [])))];
}

function failure({ steps }: Flow, known: Known): Outcome {
  const step = steps.findLast(({ refusal }) => refusal !== undefined);
  const error = step && errorOf(step, known);
  if (step === undefined || error === undefined) return unexplained(steps.at(-1));
  if (isOrdinary(error)) return { outcome: 'skipped', message: `refused on purpose: ${error.description}` };
  const explanation = explainRefusal(known, refusalOf(known, error));
  const told = `${step.method} ${step.path} ${step.status}, ${step.requestId}`;
  return {
    outcome: 'failed',
    type: error.error,
    message: explanation.title,
    text: `${explanationText(explanation)}\n${told}`,
  };
}

function errorOf({ requestId, refusal }: FlowStep, { events }: Known): EventOf<'error.returned'> | undefined {
  const errors = events.ofRequest(requestId).filter(fact => fact.type === 'error.returned');
  return errors.find(({ reason }) => reason === refusal?.reason) ?? errors.at(-1);
}

/** A failure without a refusal in the log, such as a 404. */
function unexplained(step: FlowStep | undefined): Outcome {
  const told = step === undefined ? 'the flow failed' : `${step.method} ${step.path} answered ${step.status}`;
  return { outcome: 'failed', type: 'failed', message: told };
}

function explanationText({ title, comparison, why, others, fixes, references }: Explanation): string {
  const compared =
    comparison === undefined
      ? []
      : [
          `${comparison.sentLabel}: ${textOf(comparison.sent)}`,
          ...comparison.expected.map(({ value }) => `${comparison.expectedLabel}: ${textOf(value)}`),
        ];
  const also = others.map(each => `Other possible cause: ${each}`);
  const steps = fixes.map(({ text }) => `Fix: ${text}`);
  const see = references.length === 0 ? [] : [`see ${references.join(', ')}`];
  return [title, ...compared, why, ...also, ...steps, ...see].join('\n');
}
