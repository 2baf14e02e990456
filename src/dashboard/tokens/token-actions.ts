import type { Request, Response, Router } from 'express';
import type { IssuedEvent } from '../../base/events/event-log.ts';
import { claimsOf } from '../claims/claim-values.ts';
import type { Desk } from '../desk.ts';
import { toolHeader } from '../requests/request-facts.ts';
import { tokenUses } from './token-use.ts';

/** Handles the forms of a token page: expire, undo expiry, revoke, use. Each redirects back to the page, which shows the result. */
export function tokenActions(router: Router, desk: Desk): void {
  const { control } = desk;
  const act = (name: string, work: (event: IssuedEvent) => Promise<string>) =>
    router.post(`/tokens/:id/${name}`, (req, res) => perform(desk, req, res, work));

  act('expire', async ({ tokenId }) => ((await control.expireToken(tokenId)) ? '?done=expired' : ''));
  act('resume', async ({ tokenId }) => ((await control.resumeToken(tokenId)) ? '?done=resumed' : ''));
  act('revoke', async ({ tokenId }) => ((await control.revokeToken(tokenId)) ? '?done=revoked' : ''));
  router.post('/tokens/:id/use/:what', (req, res) =>
    perform(desk, req, res, event => use(desk, event, req.params.what)),
  );
}

async function perform(
  desk: Desk,
  req: Request<{ id: string }>,
  res: Response,
  work: (event: IssuedEvent) => Promise<string>,
): Promise<void> {
  const issued = desk.events.issued(req.params.id);
  if (issued === undefined) return desk.forgotten(res, 'token');
  const query = await work(issued);
  res.redirect(303, `${desk.base}/dashboard/tokens/${issued.tokenId}${query}`);
}

/** Sends the request as a client would. The page reads the result from the log. */
async function use(desk: Desk, event: IssuedEvent, what: string): Promise<string> {
  const wanted = tokenUses(event, claimsOf(event), desk).find(each => each.what === what);
  if (wanted?.request === undefined) return '';
  const { request } = wanted;
  const { requestId } = await desk.send({ ...request, headers: { ...request.headers, [toolHeader]: 'dashboard' } });
  return `?used=${encodeURIComponent(requestId)}#result`;
}
