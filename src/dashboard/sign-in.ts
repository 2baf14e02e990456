import type { Request, RequestHandler, Response, Router } from 'express';
import { defined } from '../base/defined.ts';
import { OAuthError } from '../protocol/errors.ts';
import { inTheme } from '../server/http/preferences.ts';
import { sendHtml } from '../server/http/send-html.ts';
import { formOf } from './form.ts';
import type { Live } from './live.ts';
import type { PageContext } from './page.ts';

/**
 * With `CONTROL_TOKEN`, all later routes require it. A browser asks for the token once and keeps a cookie; scripts send
 * `Authorization: Bearer`.
 */
export function signInPages(router: Router, context: PageContext, live: Pick<Live, 'endOfBrowsers'>): void {
  const { gate, base } = context;
  const paths = pathsOf(context);
  if (gate === undefined) return;
  router.post('/sign-in', async (req, res) => {
    const typed = await formOf(req);
    const to = localPath(typed.get('to') ?? '', base, paths);
    try {
      res.append('Set-Cookie', inAllPaths(await gate.signIn(req, typed.get('token')?.trim() ?? ''), paths));
      res.redirect(303, to);
    } catch (error) {
      const refused = tellRefusal(context, res, error);
      await sendForm(context, res, { to, status: refused.status, notice: noticeOf(refused) });
    }
  });
  router.post('/sign-out', async (req, res) => {
    if (await gate.isSignedIn(req)) live.endOfBrowsers();
    res.append('Set-Cookie', inAllPaths(gate.signOut, paths));
    res.redirect(303, `${base}/dashboard`);
  });
  router.use(requireSignIn(context, gate, paths));
  router.get('/sign-in', (_req, res) => res.redirect(303, `${base}/dashboard`));
}

function pathsOf({ added }: PageContext): readonly string[] {
  const beside = added.filter(({ path, isOpen }) => !isOpen && !path.startsWith('/dashboard/'));
  return ['/dashboard', ...beside.map(({ path }) => path)];
}

/**
 * The cookie of the gate for each path. A cookie for the whole sandbox would be recorded with requests of clients, and be part of an
 * export.
 */
function inAllPaths(cookie: string, paths: readonly string[]): string[] {
  return paths.map(path => cookie.replace('/dashboard; ', `${path}; `));
}

function requireSignIn(
  context: PageContext,
  gate: NonNullable<PageContext['gate']>,
  paths: readonly string[],
): RequestHandler {
  return async (req, res, next) => {
    if (req.path === '/favicon.svg') return next(); // reveals only the name of the sandbox
    if (await gate.isSignedIn(req)) return next();
    try {
      gate.requireToken(req);
    } catch (error) {
      if (!isPage(req)) return sendJson(res, tellRefusal(context, res, error));
      if (gate.elsewhere !== undefined) return res.redirect(303, gate.elsewhere);
      const to = req.method === 'GET' ? localPath(req.originalUrl, context.base, paths) : `${context.base}/dashboard`;
      return sendForm(context, res, { to, status: 401 });
    }
    next();
  };
}

function isPage({ headers, path }: Request): boolean {
  return /text\/html/i.test(headers.accept ?? '') && !path.startsWith('/api/v1');
}

interface FormState {
  readonly to: string;
  readonly status: number;
  readonly notice?: string;
}

/** Browsers do not know the scheme Bearer, so the 401 opens no password prompt. */
async function sendForm(context: PageContext, res: Response, { to, status, notice = '' }: FormState): Promise<void> {
  const { base, fragment, preferences } = context;
  const html = await fragment('sign-in', { to, notice, action: `${base}/dashboard/sign-in` });
  res.status(status).set('WWW-Authenticate', 'Bearer realm="grantbox control"');
  sendHtml(res, inTheme(html, preferences.read(res.req).theme));
}

function sendJson(res: Response, { status, code, description, details }: OAuthError): void {
  res
    .status(status)
    .set(details.headers ?? {})
    .json({ error: code, error_description: description });
}

/** Records a wrong token, but not a missing one: every first visit has none. */
function tellRefusal({ events }: PageContext, res: Response, thrown: unknown): OAuthError {
  if (!(thrown instanceof OAuthError)) throw thrown;
  const { code, status, reason, description, details } = thrown;
  if (reason === 'control_token_missing') return thrown;
  events.append(
    {
      type: 'error.returned',
      endpoint: 'dashboard',
      form: 'json',
      error: code,
      status,
      reason,
      description,
      ...defined({ sent: details.sent, expected: details.expected }),
    },
    String(res.getHeader('X-Request-Id') ?? 'sandbox'),
  );
  return thrown;
}

function noticeOf({ status, details }: OAuthError): string {
  const seconds = details.headers?.['Retry-After'] ?? '60';
  if (status === 429) return `Too many wrong tokens from this address. Try again in ${seconds} seconds.`;
  return 'Wrong token. Use the value of CONTROL_TOKEN that the sandbox was started with.';
}

/** Accepts only paths below these, because the value comes from a form. */
function localPath(path: string, base: string, paths: readonly string[]): string {
  const home = `${base}/dashboard`;
  if (!path.startsWith('/') || !URL.canParse(path, 'http://sandbox')) return home;
  const { origin, pathname, search } = new URL(path, 'http://sandbox');
  const isIn = (each: string) => pathname === base + each || pathname.startsWith(`${base}${each}/`);
  const isOurs = origin === 'http://sandbox' && paths.some(isIn);
  return isOurs ? pathname + search : home;
}
