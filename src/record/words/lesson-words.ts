import type { EventOf } from '../../base/events/event.ts';
import { type EventWords, say } from './say.ts';

const actions: Readonly<Record<EventOf<'trainer.acted'>['did'], string>> = {
  flow_shown: 'The trainer shows a flow',
  flow_hidden: 'The trainer ended showing a flow',
  hint_released: 'The trainer released a hint',
  hints_kept: 'The trainer keeps the hints closed',
  hints_free: 'Learners may open hints again',
};

/** An action of the trainer of a workshop in words. */
export function trainerWords({ did }: EventOf<'trainer.acted'>): EventWords {
  return say(actions[did], {});
}

/** An event of a lesson in words. */
export function lessonWords(
  event: EventOf<'lesson.started' | 'task.done' | 'api.probed' | 'lab.switched'>,
): EventWords {
  if (event.type === 'api.probed') {
    const { passed, case: token, status } = event;
    const title = passed ? "The learner's API answered as it should" : "The learner's API did not answer as it should";
    return say(title, { token, status: status === undefined ? 'no answer' : String(status) });
  }
  if (event.type === 'lab.switched') return say(`The defence of the lab is ${event.isDefended ? 'on' : 'off'}`, {});
  const { lesson, issuer } = event;
  if (event.type === 'lesson.started') return say('A lesson started', { lesson, issuer });
  return say('A task of a lesson is done', { lesson, task: event.task, issuer });
}

/** A token that the API of a lab accepted without a check. */
export function letThroughWords(event: EventOf<'lab.token_let_through'>): EventWords {
  const { alg, sub, client_id, scope, jku, tokenType, isForged } = event;
  const token = isForged ? 'a token that this server never issued' : `${tokenType === 'id' ? 'an ID' : 'a real'} token`;
  return say(`The API of the lab accepted ${token}`, { alg, sub, client: client_id, scope, jku });
}
