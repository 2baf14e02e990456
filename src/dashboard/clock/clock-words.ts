import type { ClockReading, ClockState } from '../../base/clock.ts';
import { duration } from '../../base/text/duration.ts';

/** `+2 h`, `-3 min, frozen`, `frozen`; empty for the real time. */
export function readingWords({ offset, frozen }: ClockReading): string {
  const moved = offset === 0 ? '' : `${offset > 0 ? '+' : '-'}${duration(Math.abs(offset))}`;
  return [moved, frozen ? 'frozen' : ''].filter(word => word !== '').join(', ');
}

/** The chip in the bar at the top: `Clock +2 h`, `API clock +30 s`; empty for the real time. */
export function clockChip(state: ClockState): string {
  const here = readingWords(state);
  if (agree(state)) return here === '' ? '' : `Clock ${here}`;
  const there = `API clock ${readingWords(state.api) || 'at real time'}`;
  return here === '' ? there : `Clock ${here}; ${there}`;
}

/** Whether the sample backend has the same time as the issuer. */
export function agree({ offset, frozen, api }: ClockState): boolean {
  return offset === api.offset && frozen === api.frozen;
}
