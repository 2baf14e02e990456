import { describe, expect, it } from 'vitest';
import { operations } from '../../../support/tables.ts';

const inStore = 'adds to the store in one step, as the endpoint does that a client asks';
const here = 'works on what this process alone has';

/** Why these are in no turn of all replicas. */
const withoutTurn: Readonly<Record<string, string>> = {
  login: inStore,
  mintToken: inStore,
  nextLogin: inStore,
  inspectToken: 'only reads',
  setBreakpoint: here,
  continueResponses: here,
  removeBreakpoints: here,
  removeBreakpoint: here,
  resendDelivery: here,
  startExamination: here,
  answerExamination: here,
  stopExamination: here,
  startLesson: here,
  resetLesson: here,
  answerLessonProbe: here,
  switchLabDefence: here,
  attackInLab: 'sends requests to this sandbox',
};

describe('an operation that is sent with another method than GET', () => {
  it.each(operations.filter(({ method }) => method !== 'GET'))(
    '$name says that it changes something, or there is a reason why not',
    ({ name, changes }) => {
      expect(changes === undefined).toBe(withoutTurn[name] !== undefined);
    },
  );

  it('neither waits nor streams, if it changes something: it would keep the turn', () => {
    expect(operations.filter(({ changes, isLong }) => changes && isLong)).toEqual([]);
  });

  it('makes room, if it is a reset: a full store takes that', () => {
    expect(operations.flatMap(({ name, changes }) => (changes === 'makes room' ? [name] : []))).toEqual(['reset']);
  });
});
