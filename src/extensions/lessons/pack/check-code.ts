import * as v from 'valibot';
import { nearestName } from '../../../base/text/nearest.ts';
import { isRecord } from '../../../base/text/record.ts';
import { eventTypes } from '../../../record/words/event-words.ts';
import type { Finding } from '../../../sandbox/config/problem.ts';
import { entry, list, message, readDraft, text } from '../../../sandbox/config/schema.ts';
import { drawingNames, type LessonCode } from '../lesson.ts';

const object = v.custom<object>(isRecord, 'an object');

const pattern = v.looseObject(
  {
    type: v.picklist(eventTypes, ({ input }) =>
      message('the type of an event', typeof input === 'string' ? nearestName(input, eventTypes) : undefined),
    ),
  },
  'an object with the type of an event',
);
const wanted = v.union([text, v.array(text), object], 'a text, a list of texts, or an object such as { includes: … }');
const reading = v.pipe(
  v.looseObject({ is: wanted }, 'an object: one thing to read, and its value `is`'),
  v.check(
    read => ['parameter', 'header', 'answerHeader', 'answerMember'].some(name => typeof read[name] === 'string'),
    'parameter, header, answerHeader or answerMember',
  ),
);
const step = v.looseObject({ ...pattern.entries, read: v.optional(reading) }, 'an object with the type of an event');
const check = v.variant(
  'form',
  [
    v.looseObject({ form: v.literal('seen'), pattern }),
    v.looseObject({
      form: v.literal('chain'),
      steps: v.pipe(list(step, 'events'), v.minLength(1, 'a first event')),
    }),
    v.looseObject({ form: v.literal('exchange'), pattern, read: reading }),
    v.looseObject({ form: v.literal('answer'), question: object }),
  ],
  'a check made by seen, chain, exchange or answer',
);
const task = entry({
  id: v.pipe(text, v.regex(/^[\w-]+$/, 'letters, digits, _ and -')),
  checks: v.pipe(list(check, 'checks'), v.minLength(1, 'at least one check')),
});
const lesson = entry({
  issuer: object,
  tasks: v.pipe(list(task, 'tasks'), v.minLength(1, 'at least one task')),
  holdsRedirect: v.optional(v.literal(true, 'true')),
  drawing: v.optional(v.picklist(drawingNames, drawingNames.join(' or '))),
});

/** The code of a lesson if its shape is valid, otherwise its problems. It does not check the configuration of the issuer. */
export function checkCode(content: unknown): { readonly code?: LessonCode; readonly findings: readonly Finding[] } {
  const { findings } = readDraft(lesson, content);
  return findings.length > 0 ? { findings } : { code: content as LessonCode, findings }; // the schema has checked the type
}
