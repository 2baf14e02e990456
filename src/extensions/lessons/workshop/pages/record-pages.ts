import type { Response } from 'express';
import type { PageContext } from '../../../../dashboard/page.ts';
import { inTheme } from '../../../../server/http/preferences.ts';
import { sendHtml } from '../../../../server/http/send-html.ts';
import { runsOf } from '../board.ts';
import { asCsv, recordOf } from '../record.ts';
import type { Seat } from '../seats.ts';
import type { Workshop } from '../workshop.ts';

type Format = 'json' | 'csv';

export function isFormat(text: unknown): text is Format {
  return text === 'json' || text === 'csv';
}

/** Sends the record of a seat, or of all seats of the room, as a file. */
export async function sendRecords(res: Response, workshop: Workshop, seat: Seat | 'all', format: Format) {
  const records = await recordsOf(workshop, seat === 'all' ? workshop.seats.all() : [seat]);
  const name = seat === 'all' ? 'room' : seat.name;
  res.set('Content-Disposition', `attachment; filename="grantbox-${name}.${format}"`);
  if (format === 'csv') res.type('text/csv; charset=utf-8').send(asCsv(records));
  else res.json(seat === 'all' ? { records } : records[0]);
}

/** Sends the record of a seat as the file that the address names, or as a page that prints well. `back` leads to the page before. */
export async function showRecord(res: Response, desk: PageContext, workshop: Workshop, { seat, back }: ShownRecord) {
  const { format } = res.req.params;
  if (isFormat(format)) return sendRecords(res, workshop, seat, format);
  const [record] = await recordsOf(workshop, [seat]);
  const page = { sheet: 'workshop-page.css', record, back, at: `${res.req.baseUrl}${res.req.path}` };
  await showPage(res, desk, 'workshop-record', { title: `Record of ${seat.name}`, ...page });
}

interface ShownRecord {
  readonly seat: Seat;
  readonly back: string;
}

async function recordsOf({ lessons, now }: Workshop, seats: readonly Seat[]) {
  const [open, runs] = await Promise.all([lessons(), runsOf(seats)]);
  return runs.map(each => recordOf(each, open, now()));
}

/** Shows a page of the room, which has no navigation of the dashboard, in the theme of the browser. */
export async function showPage(res: Response, desk: PageContext, template: string, model: object): Promise<void> {
  const html = await desk.fragment(template, model);
  sendHtml(res, inTheme(html, desk.preferences.read(res.req).theme));
}
