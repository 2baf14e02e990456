import * as v from 'valibot';
import { durationWords, secondsIn } from '../../../base/text/duration.ts';

/** A whole number in a query, where everything is text. */
export function wholeNumber(least: number, most: number, description: string) {
  const isBounded = most < Number.MAX_SAFE_INTEGER;
  const expected = isBounded ? `a whole number from ${least} to ${most}` : `a whole number, ${least} or more`;
  const jsonSchema = { type: 'integer', minimum: least, ...(isBounded ? { maximum: most } : {}) };
  return v.pipe(
    v.string('text'),
    v.regex(/^\d{1,15}$/, expected),
    v.check(text => Number(text) >= least && Number(text) <= most, expected),
    v.metadata({ jsonSchema }),
    v.description(description),
    v.transform(Number),
  );
}

/** A duration in a query, in seconds or as `1m`; what comes out are its seconds. */
export function duration(least: number, most: number, description: string) {
  const expected = `${durationWords}, from ${least} s to ${most} s`;
  return v.pipe(
    v.string('text'),
    v.check(text => {
      const seconds = secondsIn(text);
      return seconds !== undefined && seconds >= least && seconds <= most;
    }, expected),
    v.description(description),
    v.transform(text => secondsIn(text) ?? least),
  );
}

/** `true` or `false` in a query. */
export function yesOrNo(description: string) {
  return v.pipe(
    v.picklist(['true', 'false']),
    v.metadata({ jsonSchema: { type: 'boolean' } }),
    v.description(description),
    v.transform(text => text === 'true'),
  );
}
