import * as v from 'valibot';
import { operation } from '../../../sandbox/control/api/operation.ts';
import { duration, wholeNumber } from '../../../sandbox/control/api/query-values.ts';
import { described, optional, text } from '../../../sandbox/control/described.ts';
import { unknownEntry } from '../../../sandbox/control/refusal.ts';
import { jsonAnswer } from '../../../server/http/answer.ts';
import { signInRecord } from '../drive/recorded-login.ts';
import type { ExamineHere } from './examine-here.ts';

const verdict = v.picklist(['pass', 'warn', 'fail', 'not_applicable', 'inconclusive']);

const module = v.looseObject({
  id: text('`invalid-iss`'),
  title: v.string(),
  verdict,
  why: v.string(),
  references: v.array(v.string()),
  gain: v.string(),
  right: v.string(),
  mend: v.string(),
  requests: v.array(v.looseObject({ method: v.string(), path: v.string(), status: v.number() })),
});

const step = v.picklist(['sign-in', 'sign-out', 'check'], 'sign-in, sign-out or check');

const examination = v.object({
  id: text('`exam_…`'),
  plan: v.string(),
  title: v.string(),
  driver: v.picklist(['asked', 'walk', 'recorded']),
  state: v.picklist(['running', 'done', 'failed', 'stopped']),
  version: described(v.number(), 'Counts up with each change'),
  startedAt: described(v.number(), 'Unix seconds'),
  app: optional(v.string(), 'The address of the app'),
  of: described(v.number(), 'How many modules there are'),
  left: described(v.array(v.string()), 'The modules that are not done'),
  waiting: described(
    v.array(v.looseObject({ id: v.string(), module: v.string(), step: step, issuer: v.string() })),
    'Steps that somebody has to do and to answer, with the issuer that the app must use, and for a check perhaps an address that the browser opens first',
  ),
  modules: described(v.array(module), 'The modules that are done'),
  result: optional(v.looseObject({ verdict }), 'The whole result, as `grantbox examine --json` writes it'),
  error: optional(v.object({ name: v.string(), message: v.string() }), 'Why it failed or was stopped'),
});

const begun = v.strictObject({
  driver: described(
    v.union(
      [
        v.literal('asked'),
        v.strictObject({
          walk: v.strictObject({
            url: text('The address that begins a sign-in'),
            signedIn: described(
              v.pipe(v.string(), v.minLength(1)),
              'A text that only a page for somebody signed in has',
            ),
            logoutUrl: optional(v.string(), 'The address that signs out, for modules that sign out'),
          }),
        }),
        v.strictObject({ recorded: signInRecord }),
      ],
      '`asked`, { walk: { url, signedIn } } or { recorded: a record of the page Examine }',
    ),
    'Who signs in to the app. You do, and answer: `asked`. The sandbox does, by redirects (`walk`) or with a record (`recorded`)',
  ),
  app: optional(v.string(), 'The address of the app, for the page of the run'),
  plan: optional(v.string(), 'Default: `relying-party`'),
  modules: optional(v.array(v.string()), 'Only these modules, after the baseline. Default: all'),
  user: optional(
    v.string(),
    'The user who is signed in without a click. Default: the first one for a walk, else nobody',
  ),
  seconds: optional(whole(3600), 'Seconds for each sign-in. Default: 300 for the driver `asked`, else 30'),
  sideBySide: optional(whole(64), 'Modules that run at once. Default: 1 for the driver `asked`, else 4'),
  steps: optional(v.array(step), 'The steps that you can do for the driver `asked`. Default: only sign in'),
  issuers: optional(v.literal('first'), 'The app knows this issuer alone, so no module gets an issuer of its own'),
});

function whole(most: number) {
  const expected = `a whole number from 1 to ${most}`;
  return v.pipe(v.number(expected), v.integer(expected), v.minValue(1, expected), v.maxValue(most, expected));
}

const unknown = { description: 'There is no examination with this id' };

/** Examinations of apps that a running sandbox does. */
export const examineOperations = [
  operation({
    name: 'startExamination',
    method: 'POST',
    path: '/examinations',
    summary: 'Examine an app: misbehave in each way of a plan, and judge what the app does',
    body: begun,
    answers: {
      201: { description: 'The examination, which runs', schema: examination },
      503: { description: 'Too many examinations run' },
    },
    run: async ({ body }, _controlled, here: ExamineHere) => jsonAnswer(201, await here.start(body)),
  }),
  operation({
    name: 'listExaminations',
    method: 'GET',
    path: '/examinations',
    summary: 'List the examinations, newest first',
    answers: {
      200: { description: 'Examinations', schema: v.object({ examinations: v.array(examination) }) },
    },
    run: async (_input, _controlled, { runs }: ExamineHere) => jsonAnswer(200, { examinations: runs.list() }),
  }),
  operation({
    name: 'getExamination',
    method: 'GET',
    path: '/examinations/{id}',
    summary: 'Read an examination with its results so far and the sign-ins that wait for you',
    answers: { 200: { description: 'The examination', schema: examination }, 404: unknown },
    async run({ path }, _controlled, here: ExamineHere) {
      const run = runIn(here, path);
      run.look();
      return jsonAnswer(200, run.shown());
    },
  }),
  operation({
    name: 'waitForExamination',
    method: 'GET',
    path: '/examinations/{id}/wait',
    summary: 'Wait until an examination changes',
    isLong: true,
    query: v.strictObject({
      after: v.optional(
        wholeNumber(0, Number.MAX_SAFE_INTEGER, 'The `version` that you know. Default: answer at once'),
      ),
      timeout: v.optional(duration(0, 60, 'Longest time to wait: 20, 20s or 1m. Default: 10 s')),
    }),
    answers: {
      200: { description: 'The examination, also if nothing changed in time', schema: examination },
      404: unknown,
    },
    run: async ({ path, query: { after = 0, timeout = 10 }, signal }, _controlled, here: ExamineHere) =>
      jsonAnswer(200, await runIn(here, path).wait({ after, timeout, signal })),
  }),
  operation({
    name: 'answerExamination',
    method: 'POST',
    path: '/examinations/{id}/answer',
    summary: 'Tell what became of a sign-in that waits for you',
    body: v.strictObject({
      signIn: optional(v.string(), 'The `id` of the sign-in. Default: the only one that waits'),
      believed: optional(v.boolean(), 'Whether the app believes that somebody is signed in. Left out: nobody can tell'),
      said: optional(v.string(), 'The last lines that the app said, for the report'),
    }),
    answers: { 200: { description: 'The examination', schema: examination }, 404: unknown },
    async run({ path, body: { signIn, believed, said = '' } }, _controlled, here: ExamineHere) {
      const run = runIn(here, path);
      const waiting = run.shown().waiting.map(({ id }) => id);
      const id = signIn ?? (waiting.length === 1 ? waiting[0] : undefined) ?? '';
      if (!run.answer(id, { believed, said: said.slice(-2000) })) throw unknownEntry('sign-in', id, waiting);
      return jsonAnswer(200, run.shown());
    },
  }),
  operation({
    name: 'stopExamination',
    method: 'DELETE',
    path: '/examinations/{id}',
    summary: 'Stop an examination: its issuers end, and its faults are disarmed',
    answers: { 200: { description: 'The examination, which is over', schema: examination }, 404: unknown },
    async run({ path }, _controlled, here: ExamineHere) {
      const run = runIn(here, path);
      await run.stop('Somebody stopped it.');
      return jsonAnswer(200, run.shown());
    },
  }),
];

/** @throws invalid_request with 404 */
function runIn({ runs }: ExamineHere, { id = '' }: Readonly<Record<string, string>>) {
  const known = runs.list().map(run => run.id);
  return runs.get(id) ?? refuse(unknownEntry('examination', id, known));
}

function refuse(error: Error): never {
  throw error;
}
