import type { RequestHandler, Response, Router } from 'express';
import type { Desk } from '../../../../dashboard/desk.ts';
import { formOf } from '../../../../dashboard/form.ts';
import { OAuthError } from '../../../../protocol/errors.ts';
import type { Trainer } from '../trainer.ts';
import { showPage } from './show-page.ts';

/** The routes that come after these are for the trainer, whose browser gets a cookie for the key. */
export function trainerGate(router: Router, desk: Desk, trainer: Trainer): void {
  const { gate, base } = desk;

  const askForKey = (res: Response, status: number, notice: string) =>
    showPage(res.status(status), desk, 'workshop-key', { title: 'Key of the trainer', notice });

  /** For scripts: `Authorization: Bearer`. */
  const requireKey: RequestHandler = (req, res, next) => {
    try {
      gate?.requireToken(req);
      next();
    } catch (error) {
      if (!(error instanceof OAuthError)) throw error;
      const { status, code, description, details } = error;
      res.status(status).set(details.headers ?? {});
      res.json({ error: code, error_description: description });
    }
  };

  const requireTrainer: RequestHandler = (req, res, next) => {
    if (trainer.admits(req)) return next();
    if (req.headers.authorization !== undefined) return requireKey(req, res, next);
    if (req.method === 'GET' && req.path === '/') return void askForKey(res, 401, '').catch(next);
    res.redirect(303, `${base}/room`);
  };

  router.post('/sign-in', async (req, res) => {
    const typed = (await formOf(req)).get('key')?.trim() ?? '';
    try {
      await gate?.signIn(req, typed); // counts wrong keys
    } catch (error) {
      if (!(error instanceof OAuthError)) throw error;
      const wrong =
        'This is not the key. It was printed when the sandbox was started, or it is the value of CONTROL_TOKEN.';
      return askForKey(res, error.status, error.status === 429 ? 'Too many wrong keys. Try again in a minute.' : wrong);
    }
    res.append('Set-Cookie', trainer.signIn);
    res.redirect(303, `${base}/room`);
  });
  router.use(requireTrainer);
  router.post('/sign-out', (_req, res) => {
    res.append('Set-Cookie', trainer.signOut);
    res.redirect(303, `${base}/room`);
  });
}
