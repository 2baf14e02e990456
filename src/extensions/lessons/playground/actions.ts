import { addCallback, addClient } from './choices.ts';
import { sendStep, stepNumber } from './engine.ts';
import type { PlaygroundRoom } from './room.ts';
import { type AnswerKind, editsOf, type PlaygroundState } from './states.ts';

/** Characters of a value that is typed. */
export const mostTyped = 8000;

/** Does what a button asks for; answers with the fragment to show. */
export async function changeState(
  room: PlaygroundRoom,
  state: PlaygroundState,
  typed: URLSearchParams,
): Promise<string> {
  const { grant } = state;
  if (typed.has('add-client')) {
    state.client_id = await addClient(room, grant);
    typed.set('choose', '1');
    typed.set('client', state.client_id);
    typed.delete('scope');
    state.scope = grant.scope;
    return '';
  }
  if (typed.has('add-callback')) {
    await addCallback(room, state.client_id);
    return '';
  }
  if (typed.has('go')) {
    state.step = stepNumber(grant, typed.get('go'));
    return '';
  }
  edit(state, typed);
  if (!typed.has('send')) return '#request';
  await sendStep(room, state);
  return '#answer';
}

function edit(state: PlaygroundState, typed: URLSearchParams): void {
  const step = state.grant.steps[state.step];
  if (step === undefined) return;
  const { removed, wrong, typed: values } = editsOf(state, step.id);
  for (const [key, value] of typed) {
    if (key.startsWith('was.')) {
      const name = key.slice(4);
      const now = typed.get(`value.${name}`);
      if (now !== null && now !== value) values.set(name, now.slice(0, mostTyped));
    }
  }
  const named = (button: string) => typed.get(button) ?? '';
  if (typed.has('remove')) removed.add(named('remove'));
  if (typed.has('wrong')) wrong.add(named('wrong'));
  if (typed.has('restore')) for (const each of [removed, wrong, values]) each.delete(named('restore'));
  const guess = typed.get('prediction');
  if (isOutcome(guess)) state.predictions.set(step.id, guess);
}

function isOutcome(text: string | null): text is AnswerKind {
  return text === 'accepted' || text === 'request' || text === 'caller';
}
