import * as v from 'valibot';
import { durationWords, secondsIn } from '../../../base/text/duration.ts';

/** A duration in a JSON body; what comes out are its seconds, which may have a fraction or be negative. */
export const duration = v.pipe(
  v.union([v.number(), v.string()], durationWords),
  v.check(said => secondsIn(said) !== undefined, durationWords),
  v.transform(said => secondsIn(said) ?? 0),
);
