import type { IncomingMessage } from 'node:http';
import * as v from 'valibot';
import { jsonAnswer } from '../../../http/answer.ts';
import { described, optional, text } from '../../described.ts';
import type { LessonDesk, LessonProgress, ProbedLearner } from '../../lessons.ts';
import type { Controlled } from '../controlled.ts';
import { operation } from '../operation.ts';
import { unknownEntry } from '../refusal.ts';

const facts = v.object({
  id: v.string(),
  title: v.string(),
  minutes: v.number(),
  needs: text('Tools that the learner needs'),
  references: described(v.array(v.string()), 'Specifications and their sections: `RFC 6749 §4.4`'),
  kind: described(
    v.picklist(['lesson', 'lab']),
    'In a lab, the learner attacks, switches a defence on, and attacks again',
  ),
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
    summary: "Start a lesson in an issuer of the learner's own; a lesson that was started before continues",
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
      const told = await desk.progress(path.id ?? '', learner ?? desk.learnerOf(req));
      return jsonAnswer(200, told ?? (await nothingThere(desk, path.id)));
    },
  }),
];

const caseName = v.picklist(['good', 'expired', 'audience', 'issuer', 'tampered', 'none', 'id_token', 'rotated']);

const probeReport = v.object({
  issuer: text('The issuer that the API has to trust'),
  requests: described(
    v.array(v.object({ case: caseName, title: v.string(), headers: v.record(v.string(), v.string()) })),
    'Send each as a GET with these headers, in this order, and follow no redirect',
  ),
  rows: v.array(
    v.object({
      case: caseName,
      title: v.string(),
      proves: text('The rule that the API keeps if its answer is the expected one'),
      expected: v.string(),
      state: v.picklist(['passed', 'failed', 'open']),
      status: v.optional(v.number()),
      challenge: v.optional(v.string()),
      problem: optional(v.string(), 'The difference between the answer and the expected one'),
    }),
  ),
});

const probed = v.strictObject({
  ...query.entries,
  issuer: optional(v.string(), "The learner's own issuer, in place of `learner`"),
});

const notProbed = { description: 'There is no such lesson, it calls no API, or the learner has not started it' };

/** Calls of the learner's API, which the caller sends: that API may be on the machine of the caller. */
export const probeOperations = [
  operation({
    name: 'readLessonProbe',
    method: 'GET',
    path: '/lessons/{id}/probe',
    summary: "Read the requests that find out whether the learner's API checks tokens",
    query: probed,
    answers: { 200: { description: 'What to send, and what is known so far', schema: probeReport }, 404: notProbed },
    async run({ path: { id = '' }, query, req }, controlled) {
      const desk = await deskOf(controlled);
      return jsonAnswer(200, (await desk.probe(id, learnerIn(desk, query, req))) ?? (await nothingStarted(desk, id)));
    },
  }),
  operation({
    name: 'answerLessonProbe',
    method: 'POST',
    path: '/lessons/{id}/probe',
    summary: "Tell how the learner's API answered",
    query: probed,
    body: v.strictObject({
      answers: v.array(
        v.strictObject({
          case: caseName,
          status: optional(v.number(), 'The HTTP status; left out where there was no answer'),
          challenge: optional(v.string(), 'The header WWW-Authenticate'),
          failure: optional(v.string(), 'Why there was no answer'),
        }),
      ),
      rotate: optional(v.boolean(), 'Rotates the keys, and answers with one more request'),
    }),
    answers: {
      200: { description: 'What to send next, and what is known so far', schema: probeReport },
      404: notProbed,
    },
    async run({ path: { id = '' }, query, body: { answers, rotate = false }, req }, controlled) {
      const desk = await deskOf(controlled);
      const report = await desk.takeAnswers(id, learnerIn(desk, query, req), answers, rotate);
      return jsonAnswer(200, report ?? (await nothingStarted(desk, id)));
    },
  }),
];

const labReport = v.object({
  isDefended: v.boolean(),
  steps: v.array(
    v.object({
      step: v.string(),
      seen: v.array(v.object({ label: v.string(), value: v.string() })),
      stopped: optional(v.string(), 'The reason why the step ended early'),
    }),
  ),
});

const noLab = { description: 'There is no such lesson, it is not a lab, or the learner has not started it' };

/** The buttons of a lab. */
export const labOperations = [
  operation({
    name: 'attackInLab',
    method: 'POST',
    path: '/lessons/{id}/attack',
    summary: 'Run a step of the attack of a lab, or all steps in order',
    query: probed,
    body: v.strictObject({ step: optional(v.string(), 'The id of a step. Default: all steps') }),
    answers: { 200: { description: 'The steps that ran with the defence as it is', schema: labReport }, 404: noLab },
    async run({ path: { id = '' }, query, body: { step }, req }, controlled) {
      const desk = await deskOf(controlled);
      const report = await desk.attack(id, learnerIn(desk, query, req), step);
      return jsonAnswer(200, report ?? (await nothingStarted(desk, id, 'lab')));
    },
  }),
  operation({
    name: 'switchLabDefence',
    method: 'POST',
    path: '/lessons/{id}/defence',
    summary: 'Switch the defence of a lab on or off',
    query: probed,
    body: v.strictObject({ isDefended: v.boolean() }),
    answers: { 200: { description: 'The lab with the defence as it is now', schema: labReport }, 404: noLab },
    async run({ path: { id = '' }, query, body: { isDefended }, req }, controlled) {
      const desk = await deskOf(controlled);
      const report = await desk.defend(id, learnerIn(desk, query, req), isDefended);
      return jsonAnswer(200, report ?? (await nothingStarted(desk, id, 'lab')));
    },
  }),
];

function learnerIn(desk: LessonDesk, { learner, issuer }: ProbedLearner, req: IncomingMessage): ProbedLearner {
  return { learner: learner ?? desk.learnerOf(req), issuer };
}

async function nothingStarted(desk: LessonDesk, id: string, what = 'lesson with an API'): Promise<never> {
  const ids = (await desk.list()).map(lesson => lesson.id);
  if (!ids.includes(id)) throw unknownEntry('lesson', id, ids);
  throw unknownEntry(`started ${what}`, id);
}

interface Begun {
  readonly path: Readonly<Record<string, string>>;
  readonly query: { readonly learner?: string | undefined };
  readonly req: IncomingMessage;
}

async function begun({ path, query: { learner }, req }: Begun, controlled: Controlled, how: 'start' | 'reset') {
  const desk = await deskOf(controlled);
  const told = await desk[how](path.id ?? '', learner ?? desk.learnerOf(req));
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
