import type { ClockOwner } from '../../clock/moved-clock.ts';
import type { Expiring } from '../../clock/sandbox-clock.ts';
import type { Desk } from '../desk.ts';
import { type Moment, momentOf } from '../moment.ts';
import { agree, readingWords } from './clock-words.ts';

/** One clock in words. */
export interface ClockFace {
  readonly at: Moment;
  /** `running, +2 h`; `frozen`. */
  readonly words: string;
}

export interface ClockPage {
  readonly sandbox: ClockFace;
  readonly wall: Moment;
  /** Present if the sample backend has a different time. */
  readonly api?: ClockFace;
  /** The next token to expire of each type. */
  readonly next: readonly (Omit<Expiring, 'exp'> & { readonly exp: Moment })[];
  /** Number of tokens and codes whose `iat` is later than the current clock. */
  readonly fromFuture: number;
  readonly frozen: boolean;
  readonly owners: readonly { readonly value: ClockOwner; readonly label: string }[];
  readonly done: string;
  /** The typed text that could not be read; empty for none. */
  readonly typed: string;
  readonly fault: string;
}

const owners: ClockPage['owners'] = [
  { value: 'all', label: 'issuer and sample backend' },
  { value: 'issuer', label: 'issuer only' },
  { value: 'api', label: 'sample backend only' },
];

export async function clockPage(
  { time, events }: Desk,
  said: Pick<ClockPage, 'done' | 'typed' | 'fault'>,
): Promise<ClockPage> {
  const state = time.state();
  const { now } = state;
  const face = (reading: typeof state.api): ClockFace => ({
    at: momentOf(reading.now, now),
    words: [...(reading.frozen ? [] : ['running']), readingWords(reading)].filter(word => word !== '').join(', '),
  });
  const all = await time.next(Number.POSITIVE_INFINITY);
  const firsts = all.filter((each, index) => all.findIndex(({ tokenType }) => tokenType === each.tokenType) === index);
  return {
    sandbox: face(state),
    wall: momentOf(state.wall, now),
    ...(agree(state) ? {} : { api: face(state.api) }),
    next: firsts.map(each => ({ ...each, exp: momentOf(each.exp, now) })),
    fromFuture: events.latestIssued(Number.POSITIVE_INFINITY).filter(({ iat }) => iat > now).length,
    frozen: state.frozen,
    owners,
    ...said,
  };
}
