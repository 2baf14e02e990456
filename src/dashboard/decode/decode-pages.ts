import type { Request, Router } from 'express';
import { OAuthError } from '../../oauth/errors.ts';
import type { Desk } from '../desk.ts';
import { formOf } from '../form.ts';
import { decodePage, emptyDecodePage, shownDecode } from './decode-page.ts';

/** `/decode`: what is pasted comes in a body, so that no address, history or log has it. */
export function decodePages(router: Router, desk: Desk): void {
  router.get('/decode', (_req, res) => desk.show(res, shownDecode(emptyDecodePage())));

  router.post('/decode', async (req, res) => {
    const text = await pastedIn(req);
    if (text === undefined) return desk.show(res, shownDecode(emptyDecodePage(tooMuch), 413));
    await desk.show(res, shownDecode(await decodePage(text, desk)));
  });
}

const tooMuch = 'That is more than 64 KiB: paste the token alone.';

async function pastedIn(req: Request): Promise<string | undefined> {
  try {
    return (await formOf(req)).get('token') ?? '';
  } catch (error) {
    if (error instanceof OAuthError && error.status === 413) return undefined;
    throw error;
  }
}
