import type { Request, Response, Router } from 'express';
import { recordIn } from '../../base/text/record.ts';
import { randomSecret } from '../../protocol/random.ts';
import { s256 } from '../../protocol/requests/pkce.ts';
import { demoCallback, demoClient } from '../clients-and-users.ts';
import type { DashboardFacts } from '../facts.ts';
import type { MessagePage, PageContext } from '../page.ts';
import { areSecretsHidden, textOf } from '../query.ts';
import type { HomeQuery } from './first-visit.ts';
import type { Home } from './home-page.ts';

/** The options of Home in its address. */
export function homeQuery(context: PageContext, req: Request): HomeQuery {
  return { client: textOf(req.query.client), areSecretsHidden: areSecretsHidden(context, req) };
}

/** Home, and the demo login that starts there. */
export function homePages(router: Router, context: PageContext, home: Home): void {
  const demo = createDemo(context);
  router.get('/', async (req, res) => {
    const model = await home(homeQuery(context, req));
    return context.show(res, {
      template: 'home',
      title: 'Home',
      nav: 'home',
      model: { ...model, sheet: 'dashboard-page.css' },
    });
  });
  router.get('/demo', demo.start);
  router.get('/demo/callback', async (req, res) => {
    const failed = await demo.callback(req, res);
    if (failed !== undefined) await context.message(res, 400, demoFailed(context, failed));
  });
}

function demoFailed({ base }: PageContext, { error, description }: DemoFailure): MessagePage {
  return {
    title: 'The demo sign-in gave no token',
    code: error,
    paragraphs: [description],
    links: [
      { href: `${base}/dashboard/demo`, name: 'Try again' },
      { href: `${base}/dashboard`, name: 'Home' },
    ],
  };
}

interface DemoFailure {
  readonly error: string;
  readonly description: string;
}

const mostPending = 100;

function createDemo(options: DashboardFacts) {
  /** Verifiers by state, oldest first. Bounded, because anybody can start logins and abandon them. */
  const pending = new Map<string, string>();

  return {
    async start(req: Request, res: Response): Promise<void> {
      const client = demoClient(options);
      const authorize = options.endpoints.find(({ name }) => name === 'authorize');
      if (client === undefined || authorize === undefined) return res.redirect(303, `${options.base}/dashboard`);
      const [state, verifier] = [randomSecret(), randomSecret()];
      pending.set(state, verifier);
      for (const oldest of pending.keys()) if (pending.size > mostPending) pending.delete(oldest);
      const query = new URLSearchParams({
        response_type: 'code',
        client_id: client.client_id,
        redirect_uri: options.issuer + demoCallback,
        scope: client.scope,
        state,
        nonce: randomSecret(),
        code_challenge: s256(verifier),
        code_challenge_method: 'S256',
        ...asUser(req.query.user),
      });
      res.redirect(303, `${new URL(options.issuer).origin}${authorize.path}?${query}`);
    },

    async callback(req: Request, res: Response): Promise<DemoFailure | undefined> {
      const { state, code, error, error_description } = req.query;
      const verifier = typeof state === 'string' ? pending.get(state) : undefined;
      if (verifier === undefined || typeof state !== 'string') return unknownState;
      pending.delete(state);
      if (typeof code !== 'string') return failure(error, error_description);
      const outcome = await redeem(options, code, verifier);
      if ('error' in outcome) return outcome;
      res.redirect(303, outcome.page);
      return undefined;
    },
  };
}

/**
 * The button on the page of a user signs in this user: `login_hint` names the user (OIDC Core §3.1.2.1), and `sandbox_login`
 * skips the login page.
 */
function asUser(sub: unknown): Record<string, string> {
  return typeof sub === 'string' && sub !== '' ? { login_hint: sub, sandbox_login: sub } : {};
}

const unknownState: DemoFailure = {
  error: 'unknown state',
  description: 'This sign-in was not started here, or it was finished already. Start it again.',
};

function failure(error: unknown, description: unknown): DemoFailure {
  return {
    error: typeof error === 'string' ? error : 'no code',
    description: typeof description === 'string' ? description : 'The response held no code.',
  };
}

async function redeem(
  options: DashboardFacts,
  code: string,
  verifier: string,
): Promise<DemoFailure | { page: string }> {
  const client = demoClient(options);
  const form = new URLSearchParams({
    grant_type: 'authorization_code',
    client_id: client?.client_id ?? '',
    redirect_uri: options.issuer + demoCallback,
    code,
    code_verifier: verifier,
  });
  const path = options.endpoints.find(({ name }) => name === 'token')?.path ?? '';
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
  const answer = await options.send({ method: 'POST', path, headers, body: form.toString() });
  const { access_token, error, error_description } = recordIn(answer.body) ?? {};
  if (typeof access_token !== 'string') return failure(error, error_description);
  const issued = options.events.issuedAs(access_token);
  return { page: `${options.base}/dashboard/tokens${issued === undefined ? '' : `/${issued.tokenId}`}` };
}
