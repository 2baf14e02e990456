import type { IncomingMessage } from 'node:http';
import * as v from 'valibot';
import { jsonAnswer } from '../../../http/answer.ts';
import { readCookie } from '../../../http/cookies.ts';
import { described, optional, text } from '../../described.ts';
import type { LessonDesk, LessonProgress } from '../../lessons.ts';
import type { Controlled } from '../controlled.ts';
import { operation } from '../operation.ts';
import { unknownEntry } from '../refusal.ts';

const facts = v.object({
  id: v.string(),
  title: v.string(),
  minutes: v.number(),
  needs: text('Tools that the learner needs'),
  references: described(v.array(v.string()), 'Specifications and their sections: `RFC 6749 §4.4`'),
});

const progress = v.object({
  lesson: v.string(),
  learner: text('Names the learner in later calls; empty before the first start'),
  issuer: optional(v.string(), "The learner's own issuer; absent before the start and after its end"),
  tasks: v.array(
    v.object({
      task: v.string(),
      state: described(v.picklist(['done', 'close', 'not yet']), '`close`: a request matched up to one field'),
      requestId: optional(v.string(), 'The request that did it, or came close'),
      difference: optional(
        v.object({ field: v.string(), sent: v.optional(v.string()), expected: v.string() }),
        'The field that was off',
      ),
    }),
  ),
});

const query = v.strictObject({
  learner: optional(v.string(), 'The `learner` of an earlier answer. Default: the one of the cookie'),
});

const unknown = { description: 'There is no lesson with this id' };

/** Lessons that check themselves, for a board, a script or a pipeline. Absent where `LESSONS=off`. */
export const lessonOperations = [
  operation({
    name: 'listLessons',
    method: 'GET',
    path: '/lessons',
    summary: 'List the lessons',
    answers: { 200: { description: 'The lessons, in their order', schema: v.object({ lessons: v.array(facts) }) } },
    run: async (_input, controlled) => jsonAnswer(200, { lessons: await (await deskOf(controlled)).list() }),
  }),
  operation({
    name: 'startLesson',
    method: 'POST',
    path: '/lessons/{id}/start',
    summary: "Start a lesson in an issuer of the learner's own; a lesson that runs goes on",
    query,
    answers: { 200: { description: 'The progress', schema: progress }, 404: unknown },
    run: async (input, controlled) => begun(input, controlled, 'start'),
  }),
  operation({
    name: 'resetLesson',
    method: 'POST',
    path: '/lessons/{id}/reset',
    summary: 'Start a lesson again in a new issuer at the same address, which remembers nothing',
    query,
    answers: { 200: { description: 'The progress', schema: progress }, 404: unknown },
    run: async (input, controlled) => begun(input, controlled, 'reset'),
  }),
  operation({
    name: 'readLessonProgress',
    method: 'GET',
    path: '/lessons/{id}/progress',
    summary: 'Read which tasks of a lesson are done, close, or not done yet',
    query,
    answers: { 200: { description: 'The progress', schema: progress }, 404: unknown },
    async run({ path, query: { learner }, req }, controlled) {
      const desk = await deskOf(controlled);
      const told = await desk.progress(path.id ?? '', learner ?? readCookie(req, desk.cookie));
      return jsonAnswer(200, told ?? (await nothingThere(desk, path.id)));
    },
  }),
];

interface Begun {
  readonly path: Readonly<Record<string, string>>;
  readonly query: { readonly learner?: string | undefined };
  readonly req: IncomingMessage;
}

async function begun({ path, query: { learner }, req }: Begun, controlled: Controlled, how: 'start' | 'reset') {
  const desk = await deskOf(controlled);
  const told = await desk[how](path.id ?? '', learner ?? readCookie(req, desk.cookie));
  const { learner: id, ...rest }: LessonProgress = told ?? (await nothingThere(desk, path.id));
  return jsonAnswer(200, { learner: id, ...rest }, { 'Set-Cookie': desk.setCookie(id) });
}

async function deskOf({ lessons }: Controlled): Promise<LessonDesk> {
  if (lessons === undefined) throw unknownEntry('lesson', '', []); // the router offers none of these then
  return lessons();
}

async function nothingThere(desk: LessonDesk, id = ''): Promise<never> {
  throw unknownEntry(
    'lesson',
    id,
    (await desk.list()).map(lesson => lesson.id),
  );
}
