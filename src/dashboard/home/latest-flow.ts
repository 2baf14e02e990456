import { ago } from '../../base/text/duration.ts';
import type { Flow } from '../../record/flows/flow.ts';
import { flowKindWords } from '../../record/flows/flow-words.ts';
import { type Sequence, type SequenceStep, sequenceOf } from '../../record/flows/sequence.ts';
import { lanesOf } from '../../record/flows/sequences/lanes.ts';
import type { Desk } from '../desk.ts';
import { outcomeOf, tookWords } from '../flows/flow-words.ts';
import { stepView } from '../flows/step-view.ts';

type Recorded = Pick<Desk, 'events' | 'flows'>;

const mostLookedAt = 20;

/** The newest flow with a short sequence. Requests for metadata and keys alone are skipped; undefined before the first flow. */
export function latestFlow(desk: Recorded, now: number) {
  const flow = desk.flows.latest(mostLookedAt).find(({ kind }) => kind !== 'setup');
  return flow && { ...lineOf(flow), ago: ago(now - flow.lastAt), ...shortSequence(desk, flow, now) };
}

function lineOf(flow: Flow) {
  const { id, kind, client_id = '', sub = '' } = flow;
  return { id, kind: flowKindWords[kind], client_id, sub, outcome: outcomeOf(flow), took: tookWords(flow) };
}

const mostSteps = 6;
const firstSteps = 2;

/** At most six steps, the first two and the last four, and how many are left out between them. */
function shortSequence(desk: Recorded, flow: Flow, now: number) {
  const sequence = sequenceOf(flow, desk.events);
  const steps = stepsThatTell(sequence);
  const shown =
    steps.length > mostSteps ? [...steps.slice(0, firstSteps), ...steps.slice(firstSteps - mostSteps)] : steps;
  const lanes = lanesOf(flow, shown);
  const context = {
    sequence: { ...sequence, lanes },
    events: desk.events,
    isOpen: flow.status === 'open',
    shows: () => false,
    now,
  };
  return {
    lanes,
    steps: shown.map(step => shortStep(stepView(step, context))),
    omitted: { after: firstSteps, count: steps.length - shown.length },
  };
}

/** The recorded steps between two parties, and the first step that the flow did not reach. */
function stepsThatTell({ steps, reached }: Sequence): SequenceStep[] {
  return steps.filter(
    ({ number, certainty, from, to }) => certainty !== 'inferred' && from !== to && number <= reached + 1,
  );
}

/** Uses only the status as title of an answer, because badges name its tokens. */
function shortStep(step: ReturnType<typeof stepView>) {
  const isTokenAnswer = step.tokens.length > 0 && step.title.startsWith('200 ');
  return { ...step, title: isTokenAnswer ? '200' : step.title };
}
