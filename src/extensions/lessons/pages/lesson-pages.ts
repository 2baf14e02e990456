import type { Request, Router } from 'express';
import type { Desk } from '../../../dashboard/desk.ts';
import { formOf } from '../../../dashboard/form.ts';
import { drawingView } from '../drawings/drawing.ts';
import type { Lessons } from '../lessons.ts';
import { lessonActions } from './lesson-actions.ts';
import { handoutPage, lessonListPage, lessonPage } from './lesson-page.ts';

/** `/lessons`: the list, and a page for each lesson. Each button is a form, so that it works without scripts. */
export function lessonPages(router: Router, desk: Desk, lessons: Lessons): void {
  const { runs } = lessons;
  const actions = lessonActions(lessons);
  const learnerOf = (req: Request) => lessons.desk.learnerOf(req);

  router.get('/', async (req, res) => {
    const model = await lessonListPage(runs, learnerOf(req));
    await desk.show(res, { template: 'lessons', title: 'Lessons', nav: 'lessons', model });
  });

  router.get('/:id', async (req, res, next) => {
    const lesson = await runs.open(req.params.id);
    if (lesson === undefined) return next();
    const learner = learnerOf(req);
    const drawing = await drawingView(lesson.code, runs.run(lesson.id, learner));
    const model = { ...lessonPage(runs, lesson, learner), ...drawing, isPolled: lessons.isPolled };
    await desk.show(res, { template: 'lesson', title: lesson.text.title, nav: 'lessons', model });
  });

  router.get('/:id/handout', async (req, res, next) => {
    const lesson = await runs.open(req.params.id);
    if (lesson === undefined) return next();
    const title = `${lesson.text.title}, to print`;
    await desk.show(res, { template: 'lesson-handout', title, nav: 'lessons', model: handoutPage(lesson) });
  });

  router.post('/:id/:action', async (req, res, next) => {
    const { id, action } = req.params;
    const act = Object.hasOwn(actions, action) ? actions[action] : undefined;
    if (act === undefined || (await runs.open(id)) === undefined) return next();
    const anchor = await act({ id, form: await formOf(req), req, res });
    res.redirect(303, `${desk.base}/lessons/${id}${anchor === '' ? '' : `#${anchor}`}`);
  });
}
