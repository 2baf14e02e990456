import * as v from 'valibot';
import { nearestName } from '../../../base/text/nearest.ts';
import { isRecord } from '../../../base/text/record.ts';
import { listing } from '../../../base/text/words.ts';
import { eventTypesOf } from '../../../sandbox/added-events.ts';
import type { Finding } from '../../../sandbox/config/problem.ts';
import { entry, list, message, readDraft, text } from '../../../sandbox/config/schema.ts';
import { rowOf, stampFields } from '../checks/event-table.ts';
import { readings } from '../checks/readings.ts';
import { eventWords } from '../event-words.ts';
import { drawingNames, type LessonCode, type LessonTask } from '../lesson.ts';
import { labSchema } from './check-lab.ts';
import type { NamedTask } from './check-tasks.ts';

const object = v.custom<object>(isRecord, 'an object');

const eventTypes = eventTypesOf([{ events: { words: eventWords } }]);

const wanted = v.union([text, v.array(text), object], 'a text, a list of texts, or an object such as { includes: … }');
const byName = v.record(v.string(), wanted, 'an object with a value for each name');
const patternEntries = {
  type: v.picklist(eventTypes, ({ input }) =>
    message('the type of an event', typeof input === 'string' ? nearestName(input, eventTypes) : undefined),
  ),
  request: v.optional(
    entry({
      ...{ method: v.optional(wanted), path: v.optional(wanted), piece: v.optional(wanted) },
      ...{ parameter: v.optional(byName), header: v.optional(byName) },
    }),
  ),
};
const others = ['type', 'request', 'as', 'read', 'next', 'without', ...stampFields];
/** Names only fields that events of its type have. A type of the sandbox itself may have any. */
function named<T extends { readonly type: string }>() {
  return v.rawCheck<T>(({ dataset, addIssue }) => {
    if (!dataset.typed) return;
    const { value } = dataset;
    const fields = rowOf(value.type)?.fields;
    for (const key of fields === undefined ? [] : Object.keys(value)) {
      if (fields?.includes(key) === true || others.includes(key)) continue;
      const expected = message(`a field of ${value.type}`, nearestName(key, fields ?? []));
      const path = [{ type: 'object', origin: 'key', input: { ...value }, key, value: undefined }] as const;
      addIssue({ message: expected, input: key, path: [...path] });
    }
  });
}
const pattern = v.pipe(v.looseObject(patternEntries, 'an object with the type of an event'), named());
const reading = v.pipe(
  v.looseObject({ is: wanted }, 'an object: one thing to read, and its value `is`'),
  v.check(
    read => Object.keys(readings).some(name => typeof read[name] === 'string'),
    listing(Object.keys(readings), 'or'),
  ),
);
const step = v.pipe(
  v.looseObject(
    { ...patternEntries, read: v.optional(reading), next: v.optional(text), without: v.optional(pattern) },
    'an object with the type of an event',
  ),
  named(),
);
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
  after: v.optional(text),
  close: v.optional(v.record(v.string(), text, 'an object with a sentence for each reason or field')),
});
const lesson = entry({
  issuer: object,
  tasks: v.pipe(list(task, 'tasks'), v.minLength(1, 'at least one task')),
  holdsRedirect: v.optional(v.literal(true, 'true')),
  drawing: v.optional(v.picklist(drawingNames, drawingNames.join(' or '))),
  probe: v.optional(entry({ client: text, user: text, audience: text })),
  report: v.optional(
    entry({ client: text, places: v.record(v.string(), text, 'an object with a place for each check') }),
  ),
  lab: v.optional(labSchema),
});

/** What can be read of the code of a lesson. */
export interface CodeDraft {
  /** Absent where there are problems. */
  readonly code?: LessonCode;
  /** All tasks that have an id. */
  readonly tasks: readonly NamedTask[];
  readonly findings: readonly Finding[];
}

/** The code of a lesson, and the problems of its shape. It does not check the configuration of the issuer. */
export function checkCode(content: unknown): CodeDraft {
  const { findings } = readDraft(lesson, content);
  const tasks = namedTasks(content, findings);
  return findings.length > 0 ? { tasks, findings } : { code: content as LessonCode, tasks, findings }; // the schema has checked the type
}

function namedTasks(content: unknown, findings: readonly Finding[]): readonly NamedTask[] {
  const tasks: readonly unknown[] = isRecord(content) && Array.isArray(content.tasks) ? content.tasks : [];
  return tasks.flatMap((each, index) => {
    if (!isRecord(each) || typeof each.id !== 'string') return [];
    const isSound = !findings.some(({ path }) => path[0] === 'tasks' && path[1] === index);
    const { id, after } = each;
    return {
      ...{ index, id },
      ...(typeof after === 'string' ? { after } : {}),
      ...(isSound ? { sound: each as unknown as LessonTask } : {}), // the schema has checked the type
    };
  });
}
