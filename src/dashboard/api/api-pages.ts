import type { Request, Response, Router } from 'express';
import type { Desk } from '../desk.ts';
import { formOf } from '../form.ts';
import { textOf } from '../query.ts';
import { apiEndpoints } from './api-endpoints.ts';
import { apiPage } from './api-page.ts';
import { type Tried, tryRequest } from './try-request.ts';

/** `/api`: the sample backend, its rules, and a way to call it. */
export function apiPages(router: Router, desk: Desk): void {
  router.get('/api', async (req, res) => {
    const form = filledForm(desk, req);
    const model = await apiPage(desk, form, textOf(req.query.tried));
    await desk.show(res, { template: 'api', title: 'Sample API', nav: 'api', model });
  });

  router.post('/api/try', (req, res) => send(desk, req, res));
}

/** Reads the form from the query, which a link of the page or the last call has set. */
function filledForm(desk: Desk, { query }: Request): Tried {
  const endpoints = apiEndpoints(desk);
  const endpoint = endpoints.find(({ id }) => id === textOf(query.endpoint)) ?? endpoints[0];
  return {
    endpoint: endpoint?.id ?? '',
    tokenId: textOf(query.token),
    id: textOf(query.id) || '1',
    body: textOf(query.body) || endpoint?.body || '',
  };
}

const longestBody = 4000;

async function send(desk: Desk, req: Request, res: Response): Promise<void> {
  const form = await formOf(req);
  const typed = (name: string) => form.get(name) ?? '';
  const endpoint = apiEndpoints(desk).find(({ id }) => id === typed('endpoint'));
  if (endpoint === undefined) return desk.forgotten(res, 'endpoint');
  const token = typed('token');
  const issued = token === '' ? undefined : desk.events.issued(token);
  if (token !== '' && issued === undefined) return desk.forgotten(res, 'token');
  const parts = { id: typed('id'), body: typed('body').replaceAll('\r\n', '\n'), token: issued?.token ?? '' };
  const { requestId } = await desk.send(tryRequest(endpoint, parts));
  const again = new URLSearchParams({ endpoint: endpoint.id, token, id: parts.id, tried: requestId });
  if (endpoint.body !== '' && parts.body.length <= longestBody) again.set('body', parts.body);
  res.redirect(303, `${desk.base}/dashboard/api?${again}#result`);
}
