import { exceedsHeader } from '../../../base/events/header-room.ts';
import { groupInPieces } from '../../../base/turns/lists.ts';
import { firstMatching } from '../../../base/turns/matching.ts';
import { setting } from '../remedies.ts';
import { detector, failureIn, type SilentFailure, sideBySide } from './detector.ts';

/** Detects tokens that do not fit into the headers of a request. */
export const tokenTooLarge = detector('token_too_large', function* ({ tokens }, { maxHeaderSize = 16_384 }) {
  const large = yield* firstMatching(tokens, token => exceedsHeader(token, maxHeaderSize));
  const byClient = yield* groupInPieces(large, ({ client_id }) => client_id);
  const failures: SilentFailure[] = [];
  for (const [client_id, issued] of byClient) {
    const last = issued.at(-1);
    if (last === undefined) continue;
    const title = `A token of \`${client_id}\` is too large for a header`;
    failures.push(failureIn(last, title, () => explain(last.token.length, maxHeaderSize), client_id));
  }
  return failures;
});

function explain(bytes: number, most: number) {
  return {
    comparison: sideBySide('Bytes of the token', `${bytes}`, 'Bytes of address and headers', `at most ${most}`),
    why: 'A request that carries this token is refused with 431 before any code sees it. Other servers have limits of 8 kB to 16 kB, too.',
    others: ['The app reads the token itself and sends it to nobody.'],
    fixes: [
      'Take claims out of the token: groups and permissions make it grow. Or use `access_token_format: "opaque"`.',
      setting('Accept longer requests', 'MAX_HEADER_SIZE', String(2 ** Math.ceil(Math.log2(bytes + 4096)))),
    ],
    references: ['RFC 6585 §5'],
  };
}
