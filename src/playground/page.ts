import { asCurl } from '../dashboard/copy-as/curl.ts';
import { explainedRequest } from '../dashboard/problems/explained-request.ts';
import { indented } from '../dashboard/requests/body-view.ts';
import { explanationView } from '../problems/explanation-view.ts';
import { prepareStep } from './engine.ts';
import type { PlaygroundRoom } from './room.ts';
import { challengeOf, type Edits, editsOf, type PlaygroundState, type Result } from './states.ts';
import { predictions } from './words.ts';

/** Everything the page of a grant shows of its state. */
export async function grantPage(room: PlaygroundRoom, state: PlaygroundState) {
  const { grant } = state;
  const step = grant.steps[state.step] ?? grant.steps[0];
  if (step === undefined) throw new Error(`the grant ${grant.id} has no steps`);
  const prepared = await prepareStep(room, state, step);
  const result = state.results.get(step.id);
  const guess = state.predictions.get(step.id);
  return {
    at: room.at,
    grant,
    state: { client_id: state.client_id, user: state.user, scope: state.scope },
    number: state.step + 1,
    steps: grant.steps.map(({ id, title }, index) => ({
      title,
      number: index + 1,
      isCurrent: index === state.step,
      outcome: state.results.get(id)?.outcome,
      hasEdits: isEdited(state.edits.get(id)),
    })),
    step,
    prepared,
    curl: prepared === undefined ? '' : asCurl(prepared.call),
    isReady: prepared?.fields.every(({ isMissing, isRemoved }) => !isMissing || isRemoved) ?? false,
    answers: step.by === 'visit' ? [] : Object.entries(predictions[step.by]).map(([id, text]) => ({ id, text })),
    guess,
    isRight: result === undefined || guess === undefined ? undefined : guess === result.outcome,
    result: result === undefined ? undefined : { ...result, body: indented(result.body) },
    explained: explanationOf(room, result),
    machine: machineOf(state),
    address: addressOf(room, state),
    next: state.step + 1 < grant.steps.length ? state.step + 2 : undefined,
  };
}

function isEdited(edits: Edits | undefined): boolean {
  return edits !== undefined && edits.removed.size + edits.wrong.size + edits.typed.size > 0;
}

function explanationOf({ desk }: PlaygroundRoom, result: Result | undefined) {
  if (result === undefined || result.outcome === 'accepted' || result.requestId === '') return undefined;
  const explained = explainedRequest(desk, result.requestId);
  return explained === undefined ? undefined : explanationView(explained.explanation, result.requestId, undefined);
}

/** The two strings that must meet: the challenge that the server keeps, and the SHA-256 of the verifier it receives. */
function machineOf(state: PlaygroundState) {
  const { values, results, grant } = state;
  if (!grant.steps.some(({ fields }) => fields.some(({ name }) => name === 'code_challenge'))) return undefined;
  const [verifier = '', challenge = ''] = [values.get('verifier'), values.get('challenge')];
  const redeemed = results.get('token');
  const sent = redeemed === undefined ? verifier : (redeemed.verifier ?? '');
  const computed = sent === '' ? '' : challengeOf(sent);
  return { verifier: sent, computed, challenge, isSent: redeemed !== undefined, meets: computed === challenge };
}

/** The address that makes this starting state again. */
function addressOf({ desk, at }: PlaygroundRoom, state: PlaygroundState): string {
  const { grant, client_id, user, scope } = state;
  const edited = grant.steps.findIndex(({ id }) => isEdited(state.edits.get(id)));
  const query = new URLSearchParams({ client: client_id, user, scope });
  const step = grant.steps[edited];
  if (step !== undefined) {
    const { removed, wrong } = editsOf(state, step.id);
    query.set('step', String(edited + 1));
    for (const name of removed) query.append('remove', name);
    for (const name of wrong) query.append('wrong', name);
  }
  return `${new URL(desk.issuer).origin}${at}/${grant.id}?${query}`;
}
