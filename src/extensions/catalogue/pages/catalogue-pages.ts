import type { Router } from 'express';
import type { Desk } from '../../../dashboard/desk.ts';
import type { IssuerCatalogue } from '../issuer-catalogue.ts';
import { cataloguePage } from './catalogue-page.ts';

/** `/dashboard/catalogue`: clients to copy or to enable, and the private key for their commands. */
export function cataloguePages(router: Router, desk: Desk, shelf: IssuerCatalogue): void {
  router.get('/', async (_req, res) => {
    const model = await cataloguePage(desk, shelf);
    await desk.show(res, { template: 'catalogue', title: 'Catalogue of clients', nav: 'clients', model });
  });

  router.get('/:file', async (req, res, next) => {
    const { demoKeyFile, demoPrivateKey } = await shelf.read();
    if (req.params.file === demoKeyFile) res.type('application/x-pem-file').send(demoPrivateKey);
    else next();
  });
}
