import type { EventOf, ExtensionEvents } from '../../base/events/event.ts';
import { say } from '../../record/words/configuration-words.ts';
import type { WordsOf } from '../../record/words/event-words.ts';

const actions: Readonly<Record<EventOf<'trainer.acted'>['did'], string>> = {
  flow_shown: 'The trainer shows a flow',
  flow_hidden: 'The trainer ended showing a flow',
  hint_released: 'The trainer released a hint',
  hints_kept: 'The trainer keeps the hints closed',
  hints_free: 'Learners may open hints again',
};

/** The words of each event of lessons and of the demo app. */
export const eventWords: WordsOf<ExtensionEvents['lessons']['type']> = {
  'app.callback': ({ client_id, parameters }) =>
    say('The demo app got a response', { client: client_id, parameters: parameters.join(', ') }),
  'app.code_sent': ({ client_id, issuer }) =>
    say('The demo app sends the code to a provider', { client: client_id, provider: issuer }),
  'app.signed_in'({ client_id, iss, sub, account, before }) {
    const title = sub === account ? `signed ${sub} in` : `signed ${sub} in to the account of ${account}`;
    return say(`The demo app ${title}`, { client: client_id, iss, 'signed in before': before });
  },
  'app.refused': ({ client_id, why, sent, expected }) =>
    say('The demo app refused the sign-in', { client: client_id, check: why, sent, expected }),
  'lesson.started': ({ lesson, issuer }) => say('A lesson started', { lesson, issuer }),
  'task.done': ({ lesson, task, issuer }) => say('A task of a lesson is done', { lesson, task, issuer }),
  'api.probed': ({ passed, case: token, status = 'no response' }) =>
    say(`The learner's API ${passed ? 'answered' : 'did not answer'} as it should`, { token, status: String(status) }),
  'client.reported': ({ client_id, isClean }) =>
    say(`The report of the learner's client has ${isClean ? 'no' : 'a'} finding`, { client: client_id }),
  'lab.switched': ({ isDefended }) => say(`The defence of the lab is ${isDefended ? 'on' : 'off'}`, {}),
  'lab.token_let_through'({ alg, sub, client_id, scope, jku, tokenType, isForged }) {
    const token = isForged
      ? 'a token that this server never issued'
      : `${tokenType === 'id' ? 'an ID' : 'a real'} token`;
    return say(`The API of the lab accepted ${token}`, { alg, sub, client: client_id, scope, jku });
  },
  'trainer.acted': ({ did }) => say(actions[did], {}),
};
