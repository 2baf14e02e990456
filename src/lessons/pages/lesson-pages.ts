import type { Request, Response, Router } from 'express';
import type { Desk } from '../../dashboard/desk.ts';
import { formOf } from '../../dashboard/form.ts';
import { readCookie } from '../../http/cookies.ts';
import type { Lessons } from '../lessons.ts';
import { lessonListPage, lessonPage } from './lesson-page.ts';

/** `/lessons`: the list, and a page for each lesson. Each button is a form, so that a browser without scripts has them, too. */
export function lessonPages(router: Router, desk: Desk, { runs, desk: lessons }: Lessons): void {
  const learnerOf = (req: Request) => readCookie(req, lessons.cookie);

  router.get('/', async (req, res) => {
    const model = await lessonListPage(runs, learnerOf(req));
    await desk.show(res, { template: 'lessons', title: 'Lessons', nav: 'lessons', model });
  });

  router.get('/:id', async (req, res, next) => {
    const lesson = await runs.open(req.params.id);
    if (lesson === undefined) return next();
    const model = lessonPage(runs, lesson, learnerOf(req));
    await desk.show(res, { template: 'lesson', title: lesson.text.title, nav: 'lessons', model });
  });

  router.post('/:id/:action', async (req, res, next) => {
    const { id, action } = req.params;
    const act = actions[action];
    if (act === undefined || (await runs.open(id)) === undefined) return next();
    const form = await formOf(req);
    const anchor = await act(id, form, { req, res });
    res.redirect(303, `${desk.base}/lessons/${id}${anchor === '' ? '' : `#${anchor}`}`);
  });

  interface Call {
    readonly req: Request;
    readonly res: Response;
  }

  async function begin(how: 'start' | 'reset', id: string, { req, res }: Call): Promise<string> {
    const progress = await runs[how](id, learnerOf(req));
    if (progress !== undefined) res.append('Set-Cookie', lessons.setCookie(progress.learner));
    return '';
  }

  /** Each returns the place on the page to come back to. */
  const actions: Readonly<Record<string, (id: string, form: URLSearchParams, call: Call) => Promise<string>>> = {
    start: (id, _form, call) => begin('start', id, call),
    reset: (id, _form, call) => begin('reset', id, call),
    async again(id, form, { req }) {
      runs.run(id, learnerOf(req))?.again(form.get('task') ?? '');
      return `task-${form.get('task') ?? ''}`;
    },
    async answer(id, form, { req }) {
      runs.run(id, learnerOf(req))?.answer(form.get('question') ?? '', form.get('option') ?? '');
      return `quiz-${form.get('question') ?? ''}`;
    },
    async hint(id, form, { req }) {
      const [task, part] = [form.get('task') ?? '', form.get('part') ?? ''];
      if (/^(\d|solution)$/.test(part)) runs.opened(learnerOf(req)).add(`${id}/${task}/${part}`);
      return `task-${task}`;
    },
  };
}
