import type { ClockOwner } from '../../base/clock/moved-clock.ts';
import type { Desk } from '../desk.ts';
import { momentOf } from '../moment.ts';
import { agree, readingWords } from './clock-words.ts';

/** The message of the page, and a typed text that could not be read; empty for none. */
interface Said {
  readonly done: string;
  readonly typed: string;
  readonly fault: string;
}

const owners: readonly { readonly value: ClockOwner; readonly label: string }[] = [
  { value: 'all', label: 'issuer and sample backend' },
  { value: 'issuer', label: 'issuer only' },
  { value: 'api', label: 'sample backend only' },
];

export async function clockPage({ time, events }: Desk, said: Said) {
  const state = time.state();
  const { now } = state;
  const face = (reading: typeof state.api) => ({
    at: momentOf(reading.now, now),
    // `running, +2 h`; `frozen`
    words: [...(reading.frozen ? [] : ['running']), readingWords(reading)].filter(word => word !== '').join(', '),
  });
  const all = await time.next(Number.POSITIVE_INFINITY);
  const firsts = all.filter((each, index) => all.findIndex(({ tokenType }) => tokenType === each.tokenType) === index);
  return {
    sandbox: face(state),
    wall: momentOf(state.wall, now),
    // present if the sample backend has a different time
    ...(agree(state) ? {} : { api: face(state.api) }),
    // the next token to expire of each type
    next: firsts.map(each => ({ ...each, exp: momentOf(each.exp, now) })),
    // tokens and codes whose `iat` is later than the current clock
    fromFuture: events.latestIssued(Number.POSITIVE_INFINITY).filter(({ iat }) => iat > now).length,
    frozen: state.frozen,
    owners,
    ...said,
  };
}
