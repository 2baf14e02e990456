import { badgeOf } from '../../../dashboard/status-badge.ts';
import type { TaskResult } from '../checks/check.ts';
import { protectionWords } from '../demo-app/words.ts';
import { compareRounds } from '../lab/compare.ts';
import type { LabParts, LabWeakness } from '../lab/lab.ts';
import { type LabRequest, type LabRound, type LabRun, pathBelow, type StepSight } from '../lab/lab-run.ts';
import { apiWords, relaxationWords } from '../lab/weakness-words.ts';
import type { LessonRun } from '../run/lesson-run.ts';
import type { OpenLesson } from '../run/lesson-runs.ts';
import { mayAnswer, missingPrediction, taskNow } from '../run/predict.ts';
import { type LabTask, type LabText, type QuizText, roundOf } from '../text/lesson-text.ts';
import { toHtml } from '../text/to-html.ts';

interface LabViewParts {
  readonly run: LessonRun | undefined;
  readonly results: ReadonlyMap<string, TaskResult>;
  /** The addresses in the texts. */
  readonly values: Readonly<Record<string, string>>;
  readonly quiz: (quiz: QuizText) => object;
}

/** The buttons of a lab, and the requests that they caused; of a mystery, the desk alone; empty for other lessons. */
export function labView(
  { code: { lab }, text: { lab: text, check, quizzes } }: OpenLesson,
  { run, results, values, quiz }: LabViewParts,
) {
  if (lab === undefined) return {};
  if (text === undefined) return { mystery: { desk: deskView(lab, run?.lab) } };
  const rounds = run?.lab?.rounds;
  const isDefended = run?.lab?.isDefended() === true;
  const isDone = (task: LabTask) => results.get(task)?.state === 'done';
  const roundView = (task: LabTask, round: LabRound | undefined) => {
    const steps = lab.steps.map(step => stepView(step, text, round, run));
    return {
      steps,
      isFolded: steps.every(({ isDone }) => isDone),
      ran: steps.filter(({ isDone }) => isDone).length,
      next: steps.find(({ isDone }) => !isDone)?.title,
      predictions: quizzes
        .filter(({ question }) => roundOf(question.id) === task)
        .map(each => ({ ...quiz(each), isLocked: run !== undefined && !mayAnswer(run, each.question.id) })),
    };
  };
  return {
    lab: {
      isDefended,
      /** The rest of the page would tell the result of the attack. */
      isAttacked: isDone('attack') || isDone('again') || isDefended,
      /** Also the questions about it would. */
      isTold: isDone('again'),
      now: run === undefined ? undefined : taskNow(run),
      missing: run && missingPrediction(run),
      weaknesses: weaknessWords(lab.weak),
      defence: { title: text.defence.title, html: toHtml(text.defence.text, values) },
      yours: { title: text.yours.title, html: toHtml(text.yours.text, values) },
      attack: roundView('attack', rounds?.open),
      again: roundView('again', rounds?.defended),
      desk: deskView(lab, run?.lab),
      comparison: rounds && compareRounds(rounds.open, rounds.defended),
      check,
    },
  };
}

/** The desk of the attacker; undefined in a lab without one. */
function deskView({ desk, second }: LabParts, run: LabRun | undefined) {
  if (desk === undefined || run?.desk === undefined) return undefined;
  const { page, request, seen, answer } = run.desk.kept;
  return {
    acts: Object.entries({ '': desk, ...desk.more }).flatMap(([id, { label }]) =>
      label === undefined ? [] : { id, label },
    ),
    page: desk.page === undefined ? undefined : page,
    ...{ request, seen, answer, badge: answer && 'status' in answer ? badgeOf(answer, undefined) : undefined },
    // nothing leads the victim to a server of his: he has no page and no issuer, or she ends at a page of the server
    ...(((desk.page !== undefined && desk.arrives === undefined) || second !== undefined) && {
      reached: run.reached().map(each => ({
        ...requestView(each),
        url: each.completed.exchange.url,
        body: each.completed.exchange.requestBody?.text ?? '',
      })),
    }),
  };
}

function stepView(
  { id, by }: LabParts['steps'][number],
  { steps }: LabText,
  round: LabRound | undefined,
  run: LessonRun | undefined,
) {
  const { title = id, text = '' } = steps.get(id) ?? {};
  const sight = round?.steps.get(id);
  const requests = (round?.requests ?? []).filter(({ step }) => step === id);
  return {
    ...{ id, title, by: actorWords[by], html: toHtml(text, {}) },
    isDone: sight !== undefined,
    result:
      sight &&
      resultOf(
        sight,
        requests.filter(each => (each.by === 'mallory') === (by === 'mallory')),
        run,
      ),
    seen: sight?.seen ?? [],
    stopped: sight?.stopped,
    requests: requests.map(requestView),
  };
}

/** A step in one line: whether it went as its title says, and what the server or the app said. */
function resultOf({ stopped }: StepSight, own: readonly LabRequest[], run: LessonRun | undefined) {
  const outcome = own.findLast(each => each.outcome !== undefined)?.outcome;
  const { refusal, isAtSecond } = own.findLast(each => each.refusal !== undefined) ?? {};
  const isRefused = stopped !== undefined || refusal !== undefined || outcome?.startsWith('refuses') === true;
  // the second issuer has its own explanations
  const reason = refusal && (isAtSecond ? refusal.error : run?.titleOf(refusal));
  return { isRefused, what: reason ?? stopped ?? outcome };
}

function requestView(request: LabRequest) {
  const { by, issuer, isAtSecond, completed, refusal, outcome } = request;
  const { method, status, requestId } = completed;
  const href = refusal === undefined ? `requests/${requestId}` : `problems/${requestId}`;
  return {
    ...{ by: actorWords[by], method, path: pathBelow(request), isAtSecond, badge: badgeOf({ status }, undefined) },
    href: `${issuer}/dashboard/${href}`,
    error: refusal?.error,
    outcome,
  };
}

const actorWords: Readonly<Record<LabRequest['by'], string>> = {
  alice: 'Alice',
  mallory: 'Mallory',
  app: 'the app',
  api: 'the API',
  you: 'you',
};

/** Everything that is careless while the defence is off, a sentence each. */
function weaknessWords({ relax = [], api = [], unprotected = [], clients = {} }: LabWeakness): readonly string[] {
  const ofClients = Object.entries(clients).flatMap(([client_id, members]) =>
    Object.entries(members).map(([name, value]) => `The client ${client_id} has ${name}: ${JSON.stringify(value)}.`),
  );
  const ofApp = unprotected.map(name => `The demo app does not do this: ${protectionWords[name].label}.`);
  return [...relax.map(name => relaxationWords[name]), ...api.map(check => apiWords[check]), ...ofApp, ...ofClients];
}
