import type { RecordedRequest } from '../../flows/recorded-request.ts';
import { alike, detector, failureIn, sideBySide } from './detector.ts';

/** Detects requests that name an API by `audience`, which only some providers know. Their tokens are for a different one. */
export const audienceIgnored = detector('audience_ignored', { request: ignoredIn }, clues =>
  alike(clues, ({ client_id }) => client_id).flatMap(sent =>
    sent.slice(-1).map(({ client_id, event, audience }) => {
      const title = `\`audience\` of \`${client_id}\` was ignored`;
      return failureIn(event, title, () => explain(audience), client_id);
    }),
  ),
);

function ignoredIn(request: RecordedRequest) {
  const { event, facts } = request;
  for (const fact of facts) {
    if ('ignored' in fact && fact.ignored.includes('audience'))
      return { event, client_id: fact.client_id, audience: request.value('audience') ?? '' };
  }
  return undefined;
}

function explain(audience: string) {
  const code = `resource=${audience}`;
  return {
    comparison: sideBySide('Sent', `audience=${audience}`, 'Expected', code),
    why: 'This server names an API with the parameter `resource`. The `aud` of the token is that of the client.',
    others: ['The app was written for Auth0, whose parameter this is.'],
    fixes: [
      { text: 'Name the API with `resource`.', snippets: [{ where: 'your app', code }] },
      { text: 'Or imitate Auth0.', snippets: [{ where: 'environment', code: 'PRESET=auth0' }] },
    ],
    references: ['RFC 8707 §2'],
  };
}
