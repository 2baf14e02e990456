import type { Router } from 'express';
import { createProgress } from '../../record/progress.ts';
import { areSecretsHidden } from '../configure/secrets.ts';
import type { Desk } from '../desk.ts';
import { textOf } from '../query.ts';
import { connectPage } from './connect-page.ts';

/** `/connect`: snippets to paste, and the host names that clients use. */
export function connectPages(router: Router, desk: Desk): void {
  const progress = createProgress(desk.events);
  router.get('/connect', async (req, res) => {
    const model = await connectPage(desk, progress(), {
      client: textOf(req.query.client),
      open: textOf(req.query.open),
      areSecretsHidden: areSecretsHidden(desk, req),
    });
    await desk.show(res, { template: 'connect', title: 'Connect an app', nav: 'connect', model });
  });
}
