import type { Router } from 'express';
import { areSecretsHidden } from '../configure/secrets.ts';
import type { Desk, MessagePage } from '../desk.ts';
import { createDemo, type DemoFailure } from './demo.ts';
import type { Home } from './home-page.ts';

/** Home, and the demo login that starts there. */
export function homePages(router: Router, desk: Desk, home: Home): void {
  const demo = createDemo(desk);
  router.get('/', async (req, res) => {
    const model = await home.page(areSecretsHidden(desk, req));
    return desk.show(res, { template: 'home', title: 'Home', nav: 'home', model });
  });
  router.get('/demo', demo.start);
  router.get('/demo/callback', async (req, res) => {
    const failed = await demo.callback(req, res);
    if (failed !== undefined) await desk.message(res, 400, demoFailed(desk, failed));
  });
}

function demoFailed({ base }: Desk, { error, description }: DemoFailure): MessagePage {
  return {
    title: 'The demo login gave no token',
    code: error,
    paragraphs: [description],
    links: [
      { href: `${base}/dashboard/demo`, name: 'Try again' },
      { href: `${base}/dashboard`, name: 'Home' },
    ],
  };
}
