import type { EventOf } from '../../base/events/event.ts';
import { type EventWords, say } from './say.ts';

/** An event of the demo application in words. */
export function appWords(
  event: EventOf<'app.callback' | 'app.code_sent' | 'app.signed_in' | 'app.refused'>,
): EventWords {
  const client = event.client_id;
  if (event.type === 'app.callback') {
    return say('The demo application got an answer', { client, parameters: event.parameters.join(', ') });
  }
  if (event.type === 'app.code_sent') {
    return say('The demo application sends the code to a provider', { client, provider: event.issuer });
  }
  if (event.type === 'app.refused') {
    const { why, sent, expected } = event;
    return say('The demo application refused the login', { client, check: why, sent, expected });
  }
  const { iss, sub, account, before } = event;
  const title = sub === account ? `signed ${sub} in` : `signed ${sub} in to the account of ${account}`;
  return say(`The demo application ${title}`, { client, iss, 'signed in before': before });
}
