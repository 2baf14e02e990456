import type { Request, Response, Router } from 'express';
import { formOf } from '../../../dashboard/form.ts';
import type { PageContext } from '../../../dashboard/page.ts';
import type { Lessons } from '../lessons.ts';
import { probeFromHere } from '../probe.ts';
import { mayAnswer, missingPrediction, taskNow } from '../run/predict.ts';
import { missedAt } from '../run/recall.ts';
import { drawingView } from './drawing.ts';
import { handoutPage, lessonPage } from './lesson-page.ts';
import { endView, lessonListPage } from './list-page.ts';
import { mistakesPage } from './mistakes-page.ts';
import { recall, recallCount, recallPage } from './recall-page.ts';
import { fieldsBeside, fieldsIn, fileIn, sendCommand } from './text-view.ts';

/** `/lessons`: the list, and a page for each lesson. Each button is a form, so that it works without scripts. */
export function lessonPages(router: Router, desk: PageContext, lessons: Lessons): void {
  const { runs } = lessons;
  const actions = lessonActions(lessons);
  const learnerOf = (req: Request) => lessons.desk.learnerOf(req);

  router.get('/', async (req, res) => {
    const learner = learnerOf(req);
    const model = { ...(await lessonListPage(runs, learner)), recall: recallCount(lessons, learner) };
    await desk.show(res, { template: 'lessons', title: 'Lessons', nav: 'lessons', model });
  });

  recallPages(router, desk, lessons);

  router.get('/mistakes', async (_req, res) => {
    const model = { kinds: await mistakesPage(runs) };
    await desk.show(res, { template: 'lessons-mistakes', title: 'Mistakes', nav: 'lessons', model });
  });

  router.get('/:id', async (req, res, next) => {
    const lesson = await runs.open(req.params.id);
    if (lesson === undefined) return next();
    const learner = learnerOf(req);
    await runs.run(lesson.id, learner)?.examiner?.settled();
    const drawing = await drawingView(lesson.code, runs.run(lesson.id, learner));
    const first = await Promise.all(lesson.text.after.map(runs.open));
    const model = {
      ...lessonPage(runs, lesson, learner),
      ...drawing,
      isPolled: lessons.isPolled,
      first: first.flatMap(each => (each === undefined ? [] : { id: each.id, title: each.text.title })),
      end: await endView(runs, lesson, learner),
    };
    await desk.show(res, { template: 'lesson', title: lesson.text.title, nav: 'lessons', model });
  });

  paperPages(router, desk, lessons);

  router.post('/:id/:action', async (req, res, next) => {
    const { id, action } = req.params;
    const act = Object.hasOwn(actions, action) ? actions[action] : undefined;
    if (act === undefined || (await runs.open(id)) === undefined) return next();
    const anchor = await act({ id, form: await formOf(req), req, res });
    res.redirect(303, `${desk.base}/lessons/${id}${anchor === '' ? '' : `#${anchor}`}`);
  });
}

/** What a learner takes along: the handout, and the files of a lesson. */
function paperPages(router: Router, desk: PageContext, { runs, desk: { learnerOf } }: Lessons): void {
  router.get('/:id/handout', async (req, res, next) => {
    const lesson = await runs.open(req.params.id);
    if (lesson === undefined) return next();
    const title = `${lesson.text.title}, to print`;
    await desk.show(res, { template: 'lesson-handout', title, nav: 'lessons', model: handoutPage(lesson) });
  });

  router.get('/:id/files/:name', async (req, res, next) => {
    const { id, name } = req.params;
    const lesson = await runs.open(id);
    const issuer = runs.run(id, learnerOf(req))?.issuer;
    const file = lesson && issuer && fileIn(lesson.text, name, { issuer });
    if (file === undefined) return next();
    res.attachment(name).type('text/plain; charset=utf-8').send(`${file}\n`);
  });
}

/** `/lessons/recall`: the missed questions. */
function recallPages(router: Router, desk: PageContext, lessons: Lessons): void {
  router.get('/recall', async (req, res) => {
    const answered = typeof req.query.answered === 'string' ? req.query.answered : undefined;
    const model = await recallPage(lessons, lessons.desk.learnerOf(req), answered);
    await desk.show(res, { template: 'lessons-recall', title: 'Recall', nav: 'lessons', model });
  });

  router.post('/recall/answer', async (req, res) => {
    const form = await formOf(req);
    const question = form.get('question') ?? '';
    await recall(lessons, lessons.desk.learnerOf(req), question, form.get('option') ?? '');
    const name = encodeURIComponent(question);
    res.redirect(303, `${desk.base}/lessons/recall?answered=${name}#quiz-${name}`);
  });
}

/** A sent form of a lesson's page. */
export interface SentForm {
  readonly id: string;
  readonly form: URLSearchParams;
  readonly req: Request;
  readonly res: Response;
}

/** Runs the action of a button. Returns the place on the page to return to. */
export type LessonAction = (sent: SentForm) => Promise<string>;

/** Actions by the last part of the address. */
function lessonActions(parts: Lessons): Readonly<Record<string, LessonAction>> {
  return { ...progressActions(parts), ...commandActions(parts), ...serverActions(parts), ...labActions(parts) };
}

function progressActions({ runs, desk, now }: Lessons): Readonly<Record<string, LessonAction>> {
  async function begin(how: 'start' | 'reset', { id, req, res }: SentForm): Promise<string> {
    const progress = await runs[how](id, desk.learnerOf(req));
    if (progress !== undefined) res.append('Set-Cookie', desk.setCookie(progress.learner));
    return '';
  }
  return {
    start: sent => begin('start', sent),
    reset: sent => begin('reset', sent),
    async again({ id, form, req }) {
      const run = runs.run(id, desk.learnerOf(req));
      const task = form.get('task') ?? '';
      run?.again(task);
      run?.bench.forget(task);
      await run?.lab?.defend(task === 'again', task !== 'goal');
      return `task-${task}`;
    },
    async answer({ id, form, req }) {
      const run = runs.run(id, desk.learnerOf(req));
      const question = form.get('question') ?? '';
      const isMissed = () => run?.answers()[`${question}:missed`] !== undefined;
      const wasMissed = isMissed();
      if (run !== undefined && mayAnswer(run, question)) run.answer(question, form.get('option') ?? '');
      if (isMissed() && !wasMissed) runs.recalls(desk.learnerOf(req)).set(`${id}/${question}`, missedAt(now()));
      return `quiz-${question}`;
    },
    async hint({ id, form, req }) {
      const [task, part] = [form.get('task') ?? '', form.get('part') ?? ''];
      if (runs.mayOpenHints() && /^(\d|solution)$/.test(part))
        runs.opened(desk.learnerOf(req)).add(`${id}/${task}/${part}`);
      return `task-${task}`;
    },
  };
}

/** Actions of the boxes and the commands of a lesson. */
function commandActions({ runs, desk }: Lessons): Readonly<Record<string, LessonAction>> {
  return {
    async fill({ id, form, req }) {
      const name = form.get('field') ?? '';
      const lesson = await runs.open(id);
      const field = lesson && fieldsIn(lesson.text).find(each => each.name === name);
      if (lesson === undefined || field === undefined) return '';
      const beside = fieldsBeside(lesson.text, name);
      runs.run(id, desk.learnerOf(req))?.bench.paste(field, form.get('value') ?? '', beside);
      return `box-${name}`;
    },
    async send({ id, form, req }) {
      const key = form.get('command') ?? '';
      const learner = desk.learnerOf(req);
      const [lesson, run] = [await runs.open(id), runs.run(id, learner)];
      if (lesson === undefined || run === undefined) return '';
      await sendCommand(lesson, run, runs.opened(learner), key);
      return `command-${key}`;
    },
  };
}

const longestUrl = 2000;

/** Actions of a lesson for its learner: it calls their API, and holds responses of their issuer. */
function serverActions({ runs, desk, callApi }: Lessons): Readonly<Record<string, LessonAction>> {
  return {
    async probe({ id, form, req }) {
      const run = runs.run(id, desk.learnerOf(req));
      if (run?.probe === undefined) return 'probe';
      run.apiUrl = addressOf((form.get('url') ?? '').trim().slice(0, longestUrl));
      await probeFromHere(run.probe, callApi, run.apiUrl, form.get('what') === 'rotated' ? 'rotated' : 'tokens');
      return 'probe';
    },
    async hold({ id, form, req }) {
      const breakpoints = await runs.run(id, desk.learnerOf(req))?.breakpoints.get();
      if (form.get('hold') === 'on') breakpoints?.set({ endpoint: 'redirect' });
      else breakpoints?.clear();
      return 'breakpoint';
    },
    async continue({ id, form, req }) {
      const breakpoints = runs.run(id, desk.learnerOf(req))?.breakpoints.current();
      breakpoints?.continue(form.get('request') ?? undefined);
      return 'breakpoint';
    },
  };
}

/** `localhost:8080` is an address, too: people leave the scheme out. */
function addressOf(typed: string): string {
  return !/^https?:/i.test(typed) && /^[\w.-]+(:\d+)?(\/|$)/.test(typed) ? `http://${typed}` : typed;
}

function labActions({ runs, desk }: Lessons): Readonly<Record<string, LessonAction>> {
  return {
    async attack({ id, form, req }) {
      const step = form.get('step') ?? undefined;
      const run = runs.run(id, desk.learnerOf(req));
      if (run?.lab === undefined) return '';
      const missing = missingPrediction(run);
      if (missing !== undefined) return `quiz-${missing}`;
      await run.lab.attack(step);
      return step === undefined ? `task-${taskNow(run)}` : `${taskNow(run)}-${step}`;
    },
    async act({ id, form, req }) {
      await runs.run(id, desk.learnerOf(req))?.lab?.act(form.get('page') ?? undefined, form.get('act') ?? undefined);
      return 'desk';
    },
    async request({ id, form, req }) {
      const [method = '', url = '', headers = '', body = ''] = ['method', 'url', 'headers', 'body'].map(
        each => form.get(each) ?? '',
      );
      await runs.run(id, desk.learnerOf(req))?.lab?.desk?.send({ method, url, headers, body });
      return 'desk-answer';
    },
    async defend({ id, form, req }) {
      const isDefended = form.get('defended') === 'on';
      await runs.run(id, desk.learnerOf(req))?.lab?.defend(isDefended);
      return isDefended ? 'task-again' : 'task-attack';
    },
  };
}
