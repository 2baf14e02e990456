import type { Request, Response, Router } from 'express';
import { secondsIn } from '../../../../base/text/duration.ts';
import { inTurns } from '../../../../base/turns.ts';
import { clockChip } from '../../../../dashboard/clock-pages.ts';
import { formOf } from '../../../../dashboard/form.ts';
import type { PageContext } from '../../../../dashboard/page.ts';
import { flowTitle } from '../../../../record/flows/flow.ts';
import { readBody } from '../../../../server/http/read-parameters.ts';
import type { OpenLesson } from '../../run/lesson-runs.ts';
import { holdWords } from '../announcements.ts';
import type { Controls } from '../controls.ts';
import { exportRoom, importRoom } from '../room-file.ts';
import type { Seats } from '../seats.ts';
import type { Workshop } from '../workshop.ts';
import { isFormat, sendRecords, showPage, showRecord } from './record-pages.ts';

const mostFlows = 8;

/** `/room/controls`: what the trainer does for all seats at once, or for one. Each button is a form. */
export function controlPages(router: Router, desk: PageContext, workshop: Workshop): void {
  const { seats, controls } = workshop;
  const at = `${desk.base}/room/controls`;
  const hasFlow = (id: string) => desk.flows.find(id) !== undefined;

  async function show(res: Response, problem = ''): Promise<void> {
    await inTurns(desk.flows.catchUp());
    const flows = [...desk.flows.newestFirst()].slice(0, mostFlows);
    const lessons = await workshop.lessons();
    const page = {
      ...{ at, problem, room: `${desk.base}/room` },
      flows: flows.map(flow => ({ id: flow.id, title: flowTitle(flow) })),
      lessons: lessons.map(({ id, text }) => ({ id, title: text.title, tasks: text.tasks })),
      seats: seats.all().map(({ name }) => ({ name })),
      ...{ hold: holdWords, holding: controls.holding() },
      ...{ message: controls.message(), mostLetters, called: controls.lesson()?.id },
      ...{ held: await controls.held(), clock: clockChip(controls.clock()) },
      keepsHints: controls.keepsHints(),
      shown: controls.shown(),
      sheet: 'workshop-page.css',
    };
    res.status(problem === '' ? 200 : 400);
    await showPage(res, desk, 'workshop-controls', { title: 'Controls of the room', ...page });
  }

  /** Asks the trainer before something is forgotten, because that cannot be undone. */
  async function ask(res: Response, action: string, form: URLSearchParams): Promise<void> {
    const lesson = (await workshop.lessons()).find(({ id }) => id === form.get('lesson'))?.text.title;
    const page = { at, action, seat: form.get('seat') ?? '', lesson, id: form.get('lesson') ?? '' };
    await showPage(res, desk, 'workshop-sure', { title: 'Are you sure?', sheet: 'workshop-page.css', ...page });
  }

  router.get('/controls', (_req, res) => show(res));
  router.post('/controls/:action', async (req, res, next) => {
    const { action } = req.params;
    const act = Object.hasOwn(controlActions, action) ? controlActions[action] : undefined;
    if (act === undefined) return next();
    const form = await formOf(req);
    const isScript = req.headers.authorization !== undefined;
    if (asking.has(action) && !isScript && form.get('sure') === null) return ask(res, action, form);
    const problem = await act(form, { seats, controls, hasFlow, lessons: await workshop.lessons() });
    if (problem !== undefined) return show(res, problem);
    res.redirect(303, form.get('back') === 'board' ? `${desk.base}/room` : at);
  });
  router.post('/import', async (req, res) => {
    const problem = await importRoom(workshop, await readFile(req));
    if (problem !== undefined) return show(res, problem);
    res.redirect(303, at);
  });
  filePages(router, desk, workshop);
}

function filePages(router: Router, desk: PageContext, workshop: Workshop): void {
  router.get('/export', async (_req, res) => {
    res.set('Content-Disposition', 'attachment; filename="grantbox-room.json"').json(await exportRoom(workshop));
  });
  router.get('/records.:format', (req, res, next) => {
    const { format } = req.params;
    return isFormat(format) ? sendRecords(res, workshop, 'all', format) : next();
  });
  router.get(['/seats/:name', '/seats/:name/record.:format'], async (req, res, next) => {
    const { name = '' } = req.params as Readonly<Record<string, string>>;
    const seat = workshop.seats.get(name);
    if (seat === undefined) return next();
    return showRecord(res, desk, workshop, { seat, back: `${desk.base}/room` });
  });
}

const mostBytes = 4 * 1024 * 1024;

/** A file of a form (RFC 7578), which is its only field; or JSON that a script sends. */
async function readFile(req: Request): Promise<string> {
  if (req.is('application/json')) return readBody(req, 'application/json', mostBytes);
  const form = await readBody(req, 'multipart/form-data', mostBytes);
  return /\r\n\r\n([\s\S]*)\r\n--/.exec(form)?.[1] ?? '';
}

/** Does what a form asks for; the sentence says why it could not be done. */
type ControlAction = (form: URLSearchParams, room: ControlledRoom) => Promise<string | undefined>;

interface ControlledRoom {
  readonly seats: Seats;
  readonly controls: Controls;
  readonly lessons: readonly OpenLesson[];
  /** Whether the history of the trainer has a flow. */
  hasFlow(id: string): boolean;
}

/** The forms of a browser are answered with a question first. */
const asking: ReadonlySet<string> = new Set(['reset', 'end']);

const mostLetters = 300;

const controlActions: Readonly<Record<string, ControlAction>> = {
  async hold(form, { controls }) {
    const endpoint = form.get('endpoint') ?? '';
    await controls.hold(Object.hasOwn(holdWords, endpoint) ? endpoint : 'token');
    return undefined;
  },
  async 'let-go'(_form, { controls }) {
    await controls.letGo();
    return undefined;
  },
  async unhold(_form, { controls }) {
    await controls.unhold();
    return undefined;
  },
  clocks: async (form, { controls }) => moveClocks(form, controls),
  async hint(form, { controls }) {
    const [, lesson, task, part] = /^([\w-]+)\/([\w-]+)\/(\d|solution)$/.exec(form.get('hint') ?? '') ?? [];
    if (lesson === undefined || task === undefined || part === undefined) return 'Choose a hint first.';
    await controls.releaseHint(lesson, task, part);
    return undefined;
  },
  async 'keep-hints'(form, { controls }) {
    controls.keepHints(form.get('keep') === 'on');
    return undefined;
  },
  async show(form, { controls, hasFlow }) {
    const flow = form.get('flow') ?? '';
    if (flow !== '' && !hasFlow(flow)) return 'The history does not have this flow any more.';
    controls.show(flow === '' ? undefined : flow);
    return undefined;
  },
  async message(form, { controls }) {
    controls.say((form.get('message') ?? '').trim().slice(0, mostLetters));
    return undefined;
  },
  async lesson(form, { controls, lessons }) {
    const lesson = lessons.find(({ id }) => id === form.get('lesson'));
    controls.callTo(lesson && { id: lesson.id, title: lesson.text.title });
    return undefined;
  },
  async hand(form, { controls }) {
    controls.raise(form.get('seat') ?? '', false);
    return undefined;
  },
  async reset(form, { seats }) {
    const seat = seats.get(form.get('seat') ?? '');
    if (seat === undefined) return 'No seat has this name.';
    const lesson = form.get('lesson') ?? '';
    if (lesson === '') await seats.put(seat.key);
    else (await seat.place.lessons()).runs.forgetLesson(lesson, seat.name);
    return undefined;
  },
  async end(form, { seats, controls }) {
    const seat = form.get('seat') ?? '';
    controls.raise(seat, false);
    seats.end(seat);
    return undefined;
  },
};

const aYear = 31_536_000;

function moveClocks(form: URLSearchParams, controls: Controls): string | undefined {
  const action = form.get('action') ?? '';
  if (action === 'freeze' || action === 'resume' || action === 'reset') {
    controls.moveClocks(action);
    return undefined;
  }
  const seconds = secondsIn(form.get('by'));
  if (seconds === undefined || Math.abs(seconds) > aYear) return 'This is not a step of time: type 5m, 1h or -90s.';
  controls.moveClocks({ seconds });
  return undefined;
}
