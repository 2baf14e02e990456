import type { Request, Response, Router } from 'express';
import { defined } from '../../base/defined.ts';
import { OAuthError } from '../../protocol/errors.ts';
import type { ExpectedToken } from '../../protocol/judge-claims.ts';
import type { Desk } from '../desk.ts';
import { changing, formOf } from '../form.ts';
import { decodePage, emptyDecodePage, shownDecode } from './decode-page.ts';
import { acceptRule, type LikePage, likeThis } from './like-this.ts';
import { signAgain } from './sign-again.ts';

/** Routes of `/decode`. A pasted token comes in a request body, so that no URL, history or log contains it. */
export function decodePages(router: Router, desk: Desk): void {
  router.get('/decode', (_req, res) => desk.show(res, shownDecode(emptyDecodePage())));

  router.post('/decode', async (req, res) => {
    const form = await pastedIn(req);
    if (form === undefined) return desk.show(res, shownDecode(emptyDecodePage(tooMuch), 413));
    await desk.show(res, shownDecode(await decodePage(form.get('token') ?? '', desk, expectedIn(form))));
  });
  router.post('/decode/sign', (req, res) => sign(desk, req, res));
  router.post('/decode/like', async (req, res) => showLike(desk, await likeThis(desk, await formOf(req)), res));
  router.post(
    '/decode/like/accept',
    changing(desk, async (form, _req, res) => showLike(desk, await acceptRule(desk, form), res)),
  );
}

async function sign(desk: Desk, req: Request, res: Response): Promise<void> {
  const signed = await signAgain(desk, await formOf(req));
  if (signed.ok) return desk.show(res, shownDecode(await decodePage(signed.token, desk)));
  await desk.show(res, shownDecode({ ...emptyDecodePage(), draft: signed.draft }, 400));
}

async function showLike(desk: Desk, like: LikePage, res: Response): Promise<void> {
  await desk.show(res, shownDecode({ ...emptyDecodePage(), like }, like.faults.length > 0 ? 400 : 200));
}

const tooMuch = 'The text is longer than 64 KiB. Paste only the token.';

/** What the receiver expects; an empty field expects nothing. */
function expectedIn(form: URLSearchParams): ExpectedToken {
  const typed = (name: string) => form.get(name)?.trim() || undefined;
  return defined({ issuer: typed('issuer'), audience: typed('audience'), typ: typed('typ') });
}

async function pastedIn(req: Request): Promise<URLSearchParams | undefined> {
  try {
    return await formOf(req);
  } catch (error) {
    if (error instanceof OAuthError && error.status === 413) return undefined;
    throw error;
  }
}
