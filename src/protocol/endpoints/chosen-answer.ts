import { putDecoy } from '../authorization-code.ts';
import type { ChosenAnswer } from '../chosen-answer.ts';
import { type ErrorCode, OAuthError } from '../errors.ts';
import { errorParameters } from '../requests/authorization-response.ts';
import { deliver } from './deliver-response.ts';
import type { Reply, Trusted } from './endpoint.ts';

/** Where the answer was chosen. */
export type ChosenBy = 'login_screen' | 'next_login' | 'control';

/**
 * Sends the client the answer that was chosen in place of the result of a login.
 * @throws the chosen error, so that it is reported like other errors
 */
export async function chosenReply(trusted: Trusted, choice: ChosenAnswer | 'deny', by: ChosenBy): Promise<Reply> {
  if (choice === 'no_answer') return noAnswer(trusted, by);
  if (choice === 'wrong_state') return wrongState(trusted, by);
  throw choice === 'deny' ? denied(by) : chosenError(choice, by);
}

const places: Readonly<Record<ChosenBy, string>> = {
  login_screen: 'on the login screen',
  next_login: 'by the call that set the next login',
  control: 'by the call that logged in',
};

/** The user denied the request. */
function denied(by: ChosenBy): OAuthError {
  const description =
    by === 'login_screen' ? 'the user denied the request on the login screen' : `the request was denied ${places[by]}`;
  return new OAuthError('access_denied', 'user_denied', description);
}

function chosenError(code: ErrorCode, by: ChosenBy): OAuthError {
  return new OAuthError(code, 'chosen_on_login_screen', `this error was chosen ${places[by]}`);
}

/** Sends nothing, as if the user had closed the page: the client keeps waiting. */
function noAnswer({ request, target, asked }: Trusted, by: ChosenBy): Reply {
  request.emit({ type: 'answer.replaced', client_id: asked.client_id, choice: 'no_answer', by });
  return { kind: 'page', page: { name: 'no-answer', client: target.client, redirect_uri: asked.redirect_uri } };
}

/**
 * Simulates a planted login (RFC 6749 §10.12): a code with a `state` the client never sent, so a client that redeems it
 * does not check `state`. For a response type with tokens it sends an error, because there is no user to issue tokens
 * for.
 */
async function wrongState({ server, request, target, asked }: Trusted, by: ChosenBy): Promise<Reply> {
  request.emit({ type: 'answer.replaced', client_id: asked.client_id, choice: 'wrong_state', by });
  const parameters =
    asked.response_type === 'code'
      ? { code: await putDecoy(server) }
      : errorParameters(chosenError('access_denied', by));
  return deliver(server, { ...target, state: `not-your-state-${server.random.id()}` }, parameters);
}
