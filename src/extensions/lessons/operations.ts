import type { IncomingMessage } from 'node:http';
import * as v from 'valibot';
import { type Operation, operation } from '../../sandbox/control/api/operation.ts';
import { optional } from '../../sandbox/control/described.ts';
import { unknownEntry } from '../../sandbox/control/refusal.ts';
import { jsonAnswer } from '../../server/http/answer.ts';
import {
  type LessonDesk,
  labReport,
  learnerQuery,
  lessonFacts,
  lessonProgress,
  type ProbedLearner,
  probeAnswer,
  probedQuery,
  probeReport,
  progressQuery,
} from './control.ts';
import type { Learning } from './learning.ts';

const unknown = { description: 'There is no lesson with this id' };

/** Lessons that check themselves, for a board, a script or a pipeline. Absent where `LESSONS=off`. */
const lessonOperations = [
  operation({
    name: 'listLessons',
    method: 'GET',
    path: '/lessons',
    summary: 'List the lessons',
    answers: {
      200: { description: 'The lessons, in their order', schema: v.object({ lessons: v.array(lessonFacts) }) },
    },
    run: async (_input, _controlled, here: Learning) => jsonAnswer(200, { lessons: await (await deskOf(here)).list() }),
  }),
  operation({
    name: 'startLesson',
    method: 'POST',
    path: '/lessons/{id}/start',
    summary: "Start a lesson in an issuer of the learner's own; a lesson that was started before continues",
    query: learnerQuery,
    answers: { 200: { description: 'The progress', schema: lessonProgress }, 404: unknown },
    run: async (input, _controlled, here: Learning) => begun(input, here, 'start'),
  }),
  operation({
    name: 'resetLesson',
    method: 'POST',
    path: '/lessons/{id}/reset',
    summary: 'Start a lesson again in a new issuer at the same address, which remembers nothing',
    query: learnerQuery,
    answers: { 200: { description: 'The progress', schema: lessonProgress }, 404: unknown },
    run: async (input, _controlled, here: Learning) => begun(input, here, 'reset'),
  }),
  operation({
    name: 'readLessonProgress',
    method: 'GET',
    path: '/lessons/{id}/progress',
    summary: 'Read which tasks of a lesson are done, close, or not done yet',
    query: progressQuery,
    answers: { 200: { description: 'The progress', schema: lessonProgress }, 404: unknown },
    run: async (input, _controlled, here: Learning) =>
      jsonAnswer(
        200,
        await told(input, here, 'lesson', (desk, id, who) => desk.progress(id, who.learner, input.query.task)),
      ),
  }),
];

const withApi = 'lesson with an API';
const notProbed = { description: 'There is no such lesson, it calls no API, or the learner has not started it' };

/** Calls of the learner's API, which the caller sends: that API may be on the machine of the caller. */
const probeOperations = [
  operation({
    name: 'readLessonProbe',
    method: 'GET',
    path: '/lessons/{id}/probe',
    summary: "Read the requests that find out whether the learner's API checks tokens",
    query: probedQuery,
    answers: { 200: { description: 'What to send, and what is known so far', schema: probeReport }, 404: notProbed },
    run: async (input, _controlled, here: Learning) =>
      jsonAnswer(200, await told(input, here, withApi, (desk, id, who) => desk.probe(id, who))),
  }),
  operation({
    name: 'answerLessonProbe',
    method: 'POST',
    path: '/lessons/{id}/probe',
    summary: "Tell how the learner's API answered",
    query: probedQuery,
    body: v.strictObject({
      answers: v.array(probeAnswer),
      rotate: optional(v.boolean(), 'Rotates the keys, and answers with one more request'),
    }),
    answers: {
      200: { description: 'What to send next, and what is known so far', schema: probeReport },
      404: notProbed,
    },
    async run(input, _controlled, here: Learning) {
      const { answers, rotate = false } = input.body;
      const take = (desk: LessonDesk, id: string, who: ProbedLearner) => desk.takeAnswers(id, who, answers, rotate);
      return jsonAnswer(200, await told(input, here, withApi, take));
    },
  }),
];

const noLab = { description: 'There is no such lesson, it is not a lab, or the learner has not started it' };

const labOperations = [
  operation({
    name: 'attackInLab',
    method: 'POST',
    path: '/lessons/{id}/attack',
    summary: 'Run a step of the attack of a lab, or all steps in order',
    query: probedQuery,
    body: v.strictObject({
      step: optional(
        v.string(),
        'The id of a step, or `victim`: the victim of the attack by hand acts (`victim:ID` where there are several acts). Default: all steps',
      ),
      page: optional(v.string(), 'The page of the attacker in HTML, which that victim opens'),
    }),
    answers: { 200: { description: 'The steps that ran with the defence as it is', schema: labReport }, 404: noLab },
    run: async (input, _controlled, here: Learning) =>
      jsonAnswer(
        200,
        await told(input, here, 'lab', (desk, id, who) => desk.attack(id, who, input.body.step, input.body.page)),
      ),
  }),
  operation({
    name: 'switchLabDefence',
    method: 'POST',
    path: '/lessons/{id}/defence',
    summary: 'Switch the defence of a lab on or off',
    query: probedQuery,
    body: v.strictObject({ isDefended: v.boolean() }),
    answers: { 200: { description: 'The lab with the defence as it is now', schema: labReport }, 404: noLab },
    async run(input, _controlled, here: Learning) {
      const { isDefended } = input.body;
      return jsonAnswer(200, await told(input, here, 'lab', (desk, id, who) => desk.defend(id, who, isDefended)));
    },
  }),
];

interface Asked {
  readonly path: Readonly<Record<string, string>>;
  readonly query: ProbedLearner;
  readonly req: IncomingMessage;
}

/**
 * The answer of the desk for a learner. `started` names the lesson or lab in the refusal to a learner who has not started it.
 * @throws invalid_request with 404
 */
async function told<T>(
  { path: { id = '' }, query, req }: Asked,
  here: Learning,
  started: string,
  ask: (desk: LessonDesk, id: string, who: ProbedLearner) => Promise<T | undefined>,
): Promise<T> {
  const desk = await deskOf(here);
  const found = await ask(desk, id, { ...query, learner: query.learner ?? desk.learnerOf(req) });
  if (found !== undefined) return found;
  const ids = (await desk.list()).map(lesson => lesson.id);
  throw ids.includes(id) ? unknownEntry(`started ${started}`, id) : unknownEntry('lesson', id, ids);
}

async function begun(asked: Asked, here: Learning, how: 'start' | 'reset') {
  const { learner, ...rest } = await told(asked, here, 'lesson', (desk, id, who) => desk[how](id, who.learner));
  const desk = await deskOf(here);
  return jsonAnswer(200, { learner, ...rest }, { 'Set-Cookie': desk.setCookie(learner) });
}

async function deskOf({ lessons }: Learning): Promise<LessonDesk> {
  if (lessons === undefined) throw unknownEntry('lesson', ''); // an issuer without lessons has none of these operations
  return (await lessons.get()).desk;
}

export const operations: readonly Operation<Learning>[] = [...lessonOperations, ...probeOperations, ...labOperations];
