import type { Router } from 'express';
import type { Desk } from '../../../dashboard/desk.ts';
import { cataloguePage } from './catalogue-page.ts';

/** `/catalogue`: clients to copy or to enable, and the private key for their commands. */
export function cataloguePages(router: Router, desk: Desk): void {
  router.get('/catalogue', async (_req, res) => {
    const model = await cataloguePage(desk);
    await desk.show(res, { template: 'catalogue', title: 'Catalogue of clients', nav: 'clients', model });
  });

  router.get('/catalogue/:file', async (req, res, next) => {
    const { demoKeyFile, demoPrivateKey } = await desk.catalogue.read();
    if (req.params.file === demoKeyFile) res.type('application/x-pem-file').send(demoPrivateKey);
    else next();
  });
}
