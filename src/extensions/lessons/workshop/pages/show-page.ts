import type { Response } from 'express';
import type { Desk } from '../../../../dashboard/desk.ts';
import { inTheme } from '../../../../server/http/preferences.ts';

/** Shows a page of the room, which has no navigation of the dashboard, in the theme of the browser. */
export async function showPage(res: Response, desk: Desk, template: string, model: object): Promise<void> {
  const html = await desk.fragment(template, model);
  res.type('html').send(inTheme(html, desk.preferences.read(res.req).theme));
}
