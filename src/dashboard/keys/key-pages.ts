import type { Router } from 'express';
import type { Desk } from '../desk.ts';
import { formOf } from '../form.ts';
import { keysPage } from './keys-page.ts';

/** `/keys`: current and former signing keys, and the clients that have read them. */
export function keyPages(router: Router, desk: Desk): void {
  router.get('/keys', async (req, res) => {
    const model = await keysPage(desk, desk.noticesFor(req).join(' '));
    await desk.show(res, { template: 'keys', title: 'Signing keys', nav: 'keys', model });
  });

  router.post('/keys', async (req, res) => {
    const action = (await formOf(req)).get('action');
    if (action !== 'rotate' && action !== 'unpublish') return res.redirect(303, `${desk.base}/dashboard/keys`);
    const unpublish = action === 'unpublish';
    await desk.control.rotateKeys({ unpublish, by: 'dashboard' });
    const done = unpublish
      ? 'A new key signs, and the old keys are no longer published. Clients that reload the keys refuse older tokens.'
      : 'A new key signs. The old one stays published until its last token has expired.';
    desk.leadTo(res, '/dashboard/keys', [done]);
  });
}
