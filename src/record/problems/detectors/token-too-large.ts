import { exceedsHeader } from '../../../base/events/token-events.ts';
import { setting } from '../remedies.ts';
import { alike, detector, failureIn, sideBySide } from './detector.ts';

const usualMost = 16_384;

/** Detects tokens that do not fit into the headers of a request. */
export const tokenTooLarge = detector(
  'token_too_large',
  {
    event: (event, { maxHeaderSize = usualMost }) =>
      event.type === 'token.issued' && exceedsHeader(event, maxHeaderSize) ? event : undefined,
  },
  (large, _time, { maxHeaderSize = usualMost }) =>
    alike(large, ({ client_id }) => client_id).flatMap(issued =>
      issued.slice(-1).map(last => {
        const title = `A token of \`${last.client_id}\` is too large for a header`;
        return failureIn(last, title, () => explain(last.token.length, maxHeaderSize), last.client_id);
      }),
    ),
);

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
