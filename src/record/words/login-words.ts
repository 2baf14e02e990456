import type { EventOf } from '../../base/events/event.ts';
import type { LoginRule } from '../../base/events/login-events.ts';
import { type EventWords, say } from './say.ts';

const rules: Readonly<Record<LoginRule, string>> = {
  click: 'a click',
  password: 'a password',
  next_login: 'nextLogin, which names the next user',
  sandbox_login: 'the parameter sandbox_login',
  login_hint: 'login_hint, with AUTO_LOGIN=hint',
  client: 'auto_login of the client',
  environment: 'AUTO_LOGIN',
  control: 'a call that logs in without a browser',
};

/** A login in words, with the rule that signed the user in without a click. */
export function loginWords({ sub, amr, client_id, by, edited = [], silently }: EventOf<'login.succeeded'>): EventWords {
  const facts = {
    client: client_id,
    amr: amr.join(', '),
    by: by === undefined ? undefined : rules[by],
    'claims set for this login': edited.join(', '),
    'asked again': silently ? 'no: the rule signed the user in despite prompt=login' : undefined,
  };
  return say(`${sub} signed in`, facts);
}

const choosers: Readonly<Record<EventOf<'answer.replaced'>['by'], string>> = {
  login_screen: 'somebody on the login screen',
  next_login: rules.next_login,
  control: rules.control,
};

/** An answer that somebody replaced on purpose, in words. */
export function replacedWords({ client_id, choice, by }: EventOf<'answer.replaced'>): EventWords {
  const title = choice === 'no_answer' ? 'got no answer, on purpose' : 'got a code with a wrong state, on purpose';
  return say(`Client ${client_id} ${title}`, { client: client_id, 'chosen by': choosers[by] });
}
