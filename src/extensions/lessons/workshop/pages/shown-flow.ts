import type { Response } from 'express';
import { inTurns } from '../../../../base/turns.ts';
import type { Desk } from '../../../../dashboard/desk.ts';
import { sessionPage } from '../../../../dashboard/exports/session-page.ts';
import { exportFlows } from '../../../../record/flows/exports/export.ts';
import { sendText } from '../../../../server/http/send-text.ts';

/**
 * Sends a flow of the trainer, without its secrets. It is a document of its own, because a learner cannot open pages of
 * the trainer. False where there is no such flow.
 */
export async function sendShownFlow(res: Response, desk: Desk, id = ''): Promise<boolean> {
  await inTurns(desk.flows.catchUp());
  const flow = desk.flows.find(id);
  if (flow === undefined) return false;
  const { events, issuer } = desk;
  const exported = await inTurns(exportFlows([flow], { events, issuer, now: desk.clock(), secrets: 'redact' }));
  // it quotes untrusted requests
  res.set('Content-Security-Policy', "sandbox; default-src 'none'; style-src 'unsafe-inline'");
  await sendText(res.type('html'), sessionPage(exported, desk, desk.fragment));
  return true;
}
