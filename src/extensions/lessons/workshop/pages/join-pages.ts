import type { Request, Response, Router } from 'express';
import { encode } from 'uqr';
import { inTurns } from '../../../../base/turns.ts';
import { sessionPage } from '../../../../dashboard/exports/session-page.ts';
import { formOf } from '../../../../dashboard/form.ts';
import type { PageContext } from '../../../../dashboard/page.ts';
import { exportFlows } from '../../../../record/flows/exports/export.ts';
import { sendText } from '../../../../server/http/send-text.ts';
import type { Seat } from '../seats.ts';
import type { Workshop } from '../workshop.ts';
import { showPage, showRecord } from './record-pages.ts';

/** `/join`: the address and its QR code for the projector, a seat for who has none yet, and the seat of who has one. */
export function joinPages(router: Router, desk: PageContext, workshop: Workshop): void {
  const { seats, join, controls, trainer } = workshop;
  const qr = qrOf(join);

  async function show(req: Request, res: Response, notice = '', status = 200): Promise<void> {
    const seat = seats.of(req);
    const page = {
      sheet: 'workshop-page.css',
      notice,
      short: join.replace(/^https?:\/\//, ''),
      free: seats.free(),
      ...(seat === undefined ? { qr } : { seat: { name: seat.name, key: seat.key, issuer: seat.place.issuer } }),
      ...(seat === undefined
        ? {}
        : { notices: { script: 'seat.js', at: `${desk.base}/join/notices`, list: () => toldAt(workshop, seat) } }),
    };
    const title = seat === undefined ? 'Join the workshop' : `Seat ${seat.name}`;
    await showPage(res.status(status), desk, 'workshop-join', { title, ...page });
  }

  router.get('/', (req, res) => show(req, res));
  seatPages(router, desk, workshop);

  router.get('/flow', async (req, res) => {
    if (seats.of(req) === undefined && !trainer.admits(req)) return res.redirect(303, `${desk.base}/join`);
    if (!(await sendShownFlow(res, desk, controls.shown())))
      return show(req, res, 'Your trainer shows no flow now.', 404);
  });

  router.post('/', async (req, res) => {
    const key = (await formOf(req)).get('key')?.trim() ?? '';
    const seat = key === '' ? (seats.of(req) ?? (await seats.take(req))) : seats.byKey(key);
    if (seat === 'none is free') return show(req, res, 'All seats are taken. Ask your trainer for one.', 409);
    if (seat === 'too many for one address') {
      const words = `${seats.mostPerAddress} seats are taken from the network address of your computer, which is the most.`;
      return show(req, res, `${words} Ask your trainer, who can set WORKSHOP_SEATS_PER_ADDRESS.`, 409);
    }
    if (seat === undefined)
      return show(req, res, 'No seat has this key. Copy it again from the page of your seat.', 403);
    res.append('Set-Cookie', seats.setCookie(seat));
    res.redirect(303, `${desk.base}/join`);
  });
}

/** Pages of a seat in the room: the messages of the trainer, a raised hand, the record. */
function seatPages(router: Router, desk: PageContext, workshop: Workshop): void {
  const { seats, controls } = workshop;

  router.get('/notices', (req, res) => {
    const seat = seats.of(req);
    if (seat === undefined) res.status(404).end();
    else res.set('Cache-Control', 'no-store').json(toldAt(workshop, seat));
  });

  router.post('/hand', async (req, res) => {
    const seat = seats.of(req);
    const form = await formOf(req);
    if (seat !== undefined) controls.raise(seat.name, form.get('value') === 'up');
    const back = form.get('back') ?? '';
    res.redirect(303, /^\/(?![/\\])/.test(back) ? back : `${desk.base}/join`);
  });

  router.get(['/record', '/record.:format'], async (req, res) => {
    const seat = seats.of(req);
    if (seat === undefined) return res.redirect(303, `${desk.base}/join`);
    return showRecord(res, desk, workshop, { seat, back: `${desk.base}/join` });
  });
}

function toldAt({ controls }: Workshop, { name, place }: Seat) {
  return controls.noticesFor(name, new URL(place.issuer).pathname);
}

/** The number of squares on each side of the QR code, and its dark squares as the path of an SVG. */
function qrOf(text: string): { readonly size: number; readonly path: string } {
  const { size, data } = encode(text, { ecc: 'M', border: 2 });
  const path = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ''))).join('');
  return { size, path };
}

/**
 * Sends a flow of the trainer, without its secrets. It is a document of its own, because a learner cannot open pages of
 * the trainer. False where there is no such flow.
 */
async function sendShownFlow(res: Response, desk: PageContext, id = ''): Promise<boolean> {
  await inTurns(desk.flows.catchUp());
  const flow = desk.flows.find(id);
  if (flow === undefined) return false;
  const { events, issuer } = desk;
  const exported = await inTurns(exportFlows([flow], { events, issuer, now: desk.clock(), secrets: 'redact' }));
  // it quotes untrusted requests
  res.set('Content-Security-Policy', "sandbox; default-src 'none'; style-src 'unsafe-inline'");
  await sendText(res.type('html'), sessionPage(exported, desk, desk.fragment));
  return true;
}
