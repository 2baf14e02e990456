import { groupInPieces } from '../../../base/turns/lists.ts';
import { firstMatching } from '../../../base/turns/matching.ts';
import type { RecordedRequest } from '../../flows/recorded-request.ts';
import { detector, failureIn, type SilentFailure, sideBySide } from './detector.ts';

/** Detects requests that name an API by `audience`, which only some providers know. Their tokens are for a different one. */
export const audienceIgnored = detector('audience_ignored', function* ({ requests }) {
  const byClient = yield* groupInPieces(yield* firstMatching(requests, isIgnored), clientOf);
  const failures: SilentFailure[] = [];
  for (const [client_id, sent] of byClient) {
    const last = sent.at(-1);
    if (last === undefined) continue;
    const title = `\`audience\` of \`${client_id}\` was ignored`;
    failures.push(failureIn(last.event, title, () => explain(last.value('audience') ?? ''), client_id));
  }
  return failures;
});

function isIgnored({ facts }: RecordedRequest): boolean {
  return facts.some(fact => 'ignored' in fact && fact.ignored.includes('audience'));
}

function clientOf({ facts }: RecordedRequest): string | undefined {
  return facts.flatMap(fact => ('ignored' in fact ? [fact.client_id] : []))[0];
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
