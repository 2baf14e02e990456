import { relative } from '../base/text/duration.ts';

/** A point in time as a page shows it: absolute with zone, relative beside it. */
export interface Moment {
  /** Unix seconds. */
  readonly seconds: number;
  /** For `datetime` of a `<time>`. */
  readonly iso: string;
  /** `2026-03-01 09:46:40 UTC`. */
  readonly absolute: string;
  /** `in 58 min 12 s`, `12 s ago`. */
  readonly relative: string;
}

const latest = 8.64e12;

/** A time in Unix seconds as a page shows it. Times outside the range of `Date` are clamped. */
export function momentOf(seconds: number, now: number): Moment {
  const safe = Math.min(Math.max(seconds, -latest), latest);
  const iso = new Date(safe * 1000).toISOString();
  return {
    seconds,
    iso,
    absolute: `${iso.slice(0, 19).replace('T', ' ')} UTC`,
    relative: relative(seconds - now),
  };
}
