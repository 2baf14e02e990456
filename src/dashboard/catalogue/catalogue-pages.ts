import type { Router } from 'express';
import type { Desk } from '../desk.ts';
import { cataloguePage } from './catalogue-page.ts';

/** `/catalogue`: ready clients to paste or to switch on, and the private key that their commands sign with. */
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
