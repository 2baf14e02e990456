import type { Response, Router } from 'express';
import type { Desk } from '../../../../dashboard/desk.ts';
import type { OpenLesson } from '../../run/lesson-runs.ts';
import { boardOfLessons, boardOfTasks, liveliest, runsOf } from '../board.ts';
import { mostStuck } from '../most-stuck.ts';
import type { Workshop } from '../workshop.ts';
import { controlPages } from './control-pages.ts';
import { showPage } from './show-page.ts';
import { trainerGate } from './trainer-gate.ts';

/** `/room`: the board for the projector, for the trainer alone. Without scripts the page loads itself again. */
export function roomPages(router: Router, desk: Desk, workshop: Workshop): void {
  const { seats, trainer, join, streams } = workshop;
  trainerGate(router, desk, trainer);
  controlPages(router, desk, workshop);

  async function showBoard(res: Response, lesson?: OpenLesson): Promise<void> {
    const lessons = await workshop.lessons();
    const runs = await runsOf(seats.all());
    const page = {
      at: `${desk.base}/room`,
      short: join.replace(/^https?:\/\//, ''),
      free: seats.free(),
      lessons: lessons.map(({ id, text }) => ({ id, title: text.title, isCurrent: id === lesson?.id })),
      ...(lesson === undefined ? {} : { lesson: { id: lesson.id, title: lesson.text.title } }),
      now: liveliest(runs, lessons)?.id,
      board: lesson === undefined ? boardOfLessons(runs, lessons) : boardOfTasks(runs, lesson),
      stuck: mostStuck(runs, lessons),
    };
    const title = lesson === undefined ? 'Board' : `Board: ${lesson.text.title}`;
    await showPage(res, desk, 'workshop-board', { title, sheet: 'workshop-page.css', ...page });
  }

  router.get('/', (_req, res) => showBoard(res));
  router.get('/lessons/:id', async (req, res, next) => {
    const lesson = (await workshop.lessons()).find(({ id }) => id === req.params.id);
    return lesson === undefined ? next() : showBoard(res, lesson);
  });
  router.get('/stream', (_req, res) => streams.serve(res));
}
