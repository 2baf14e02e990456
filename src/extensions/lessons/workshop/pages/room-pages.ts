import type { RequestHandler, Response, Router } from 'express';
import { formOf } from '../../../../dashboard/form.ts';
import type { PageContext } from '../../../../dashboard/page.ts';
import { OAuthError } from '../../../../protocol/errors.ts';
import type { OpenLesson } from '../../run/lesson-runs.ts';
import { boardOfLessons, boardOfTasks, liveliest, runsOf, startedLessons } from '../board.ts';
import type { Trainer, Workshop } from '../workshop.ts';
import { controlPages } from './control-pages.ts';
import { showPage } from './record-pages.ts';

/** `/room`: the board for the projector, for the trainer alone. Without scripts the page loads itself again. */
export function roomPages(router: Router, desk: PageContext, workshop: Workshop): void {
  const { seats, trainer, join, streams } = workshop;
  trainerGate(router, desk, trainer);
  controlPages(router, desk, workshop);

  async function showBoard(res: Response, which: 'all' | 'liveliest' | OpenLesson): Promise<void> {
    const lessons = await workshop.lessons();
    const runs = await runsOf(seats.all());
    const called = lessons.find(({ id }) => id === workshop.controls.lesson()?.id);
    const started = startedLessons(runs, lessons);
    const lesson =
      typeof which === 'object' ? which : which === 'all' ? undefined : (called ?? liveliest(runs, lessons));
    const isWhole = res.req.query.all !== undefined;
    const offered = isWhole ? lessons : lessons.filter(each => each === which || started.includes(each));
    const now = workshop.now();
    const hands = workshop.controls.hands();
    const page = {
      ...{
        at: `${desk.base}/room`,
        short: join.replace(/^https?:\/\//, ''),
        free: seats.free(),
        total: lessons.length,
      },
      ...{ isWhole, isAll: which === 'all', taken: seats.all().length, hands },
      lessons: offered.map(each => ({ id: each.id, title: each.text.title, isCurrent: each === which })),
      ...(lesson === undefined ? {} : { lesson: boardOfTasks(runs, lesson, now, hands) }),
      ...(which === 'all' ? { all: boardOfLessons(runs, offered, now) } : {}),
    };
    const title = lesson?.text.title ?? (which === 'all' ? 'All lessons' : 'Board');
    await showPage(res, desk, 'workshop-board', { title, sheet: 'workshop-page.css', ...page });
  }

  router.get('/', (req, res) => {
    const { lesson } = req.query;
    if (typeof lesson !== 'string' || lesson === '') return showBoard(res, 'liveliest');
    const path = lesson === 'all' ? '' : `/${encodeURIComponent(lesson)}`;
    res.redirect(303, `${desk.base}/room/lessons${path}`);
  });
  router.get('/lessons', (_req, res) => showBoard(res, 'all'));
  router.get('/lessons/:id', async (req, res, next) => {
    const lesson = (await workshop.lessons()).find(({ id }) => id === req.params.id);
    return lesson === undefined ? next() : showBoard(res, lesson);
  });
  router.get('/stream', (_req, res) => streams.serve(res));
}

/** The routes that come after these are for the trainer, whose browser gets a cookie for the key. */
function trainerGate(router: Router, desk: PageContext, trainer: Trainer): void {
  const { gate, base } = desk;

  const askForKey = (res: Response, status: number, notice: string) =>
    showPage(res.status(status), desk, 'workshop-key', { title: 'Key of the trainer', notice });

  /** For scripts: `Authorization: Bearer`. */
  const requireKey: RequestHandler = (req, res, next) => {
    try {
      gate?.requireToken(req);
      next();
    } catch (error) {
      if (!(error instanceof OAuthError)) throw error;
      const { status, code, description, details } = error;
      res.status(status).set(details.headers ?? {});
      res.json({ error: code, error_description: description });
    }
  };

  const requireTrainer: RequestHandler = (req, res, next) => {
    if (trainer.admits(req)) return next();
    if (req.headers.authorization !== undefined) return requireKey(req, res, next);
    if (req.method === 'GET' && req.path === '/') return void askForKey(res, 401, '').catch(next);
    res.redirect(303, `${base}/room`);
  };

  router.post('/sign-in', async (req, res) => {
    const typed = (await formOf(req)).get('key')?.trim() ?? '';
    try {
      await gate?.signIn(req, typed); // counts wrong keys
    } catch (error) {
      if (!(error instanceof OAuthError)) throw error;
      const wrong =
        'This is not the key. It was printed when the sandbox was started, or it is the value of CONTROL_TOKEN.';
      return askForKey(res, error.status, error.status === 429 ? 'Too many wrong keys. Try again in a minute.' : wrong);
    }
    res.append('Set-Cookie', trainer.signIn);
    res.redirect(303, `${base}/room`);
  });
  router.use(requireTrainer);
  router.post('/sign-out', (_req, res) => {
    res.append('Set-Cookie', trainer.signOut);
    res.redirect(303, `${base}/room`);
  });
}
