import type { Request, Response, Router } from 'express';
import { inTurns } from '../../../../base/turns.ts';
import type { Desk } from '../../../../dashboard/desk.ts';
import { formOf } from '../../../../dashboard/form.ts';
import { flowTitle } from '../../../../record/flows/flow.ts';
import { readBody } from '../../../../server/http/read-parameters.ts';
import { exportRoom, importRoom } from '../room-file.ts';
import type { Workshop } from '../workshop.ts';
import { controlActions } from './control-actions.ts';
import { isFormat, sendRecords, showRecord } from './record-pages.ts';
import { showPage } from './show-page.ts';

const mostFlows = 8;

/** `/room/controls`: what the trainer does for all seats at once, or for one. Each button is a form. */
export function controlPages(router: Router, desk: Desk, workshop: Workshop): void {
  const { seats, controls } = workshop;
  const at = `${desk.base}/room/controls`;
  const hasFlow = (id: string) => desk.flows.find(id) !== undefined;

  async function show(res: Response, fault = ''): Promise<void> {
    await inTurns(desk.flows.catchUp());
    const flows = [...desk.flows.newestFirst()].slice(0, mostFlows);
    const lessons = await workshop.lessons();
    const page = {
      ...{ at, fault, room: `${desk.base}/room` },
      flows: flows.map(flow => ({ id: flow.id, title: flowTitle(flow) })),
      lessons: lessons.map(({ id, text }) => ({ id, title: text.title, tasks: text.tasks })),
      seats: seats.all().map(({ name }) => ({ name })),
      holding: controls.holding(),
      held: await controls.held(),
      keepsHints: controls.keepsHints(),
      shown: controls.shown(),
      sheet: 'workshop-page.css',
    };
    res.status(fault === '' ? 200 : 400);
    await showPage(res, desk, 'workshop-controls', { title: 'Controls of the room', ...page });
  }

  router.get('/controls', (_req, res) => show(res));
  router.post('/controls/:action', async (req, res, next) => {
    const { action } = req.params;
    const act = Object.hasOwn(controlActions, action) ? controlActions[action] : undefined;
    if (act === undefined) return next();
    const fault = await act(await formOf(req), { seats, controls, hasFlow });
    if (fault !== undefined) return show(res, fault);
    res.redirect(303, at);
  });
  router.post('/import', async (req, res) => {
    const fault = await importRoom(workshop, await readFile(req));
    if (fault !== undefined) return show(res, fault);
    res.redirect(303, at);
  });
  filePages(router, desk, workshop);
}

/** The export of the room, and the records of its seats. */
function filePages(router: Router, desk: Desk, workshop: Workshop): void {
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
