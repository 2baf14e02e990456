import express, { type Request, type Response, type Router } from 'express';
import { defined } from '../../../base/defined.ts';
import { setHeaders } from '../../../server/http/mount.ts';
import { requireOwnOrigin } from '../../../server/http/origin-check.ts';
import { rawQuery, readParameters } from '../../../server/http/read-parameters.ts';
import { loginHeaders } from '../../../server/http/security-headers.ts';
import { signOutByToken } from './back-channel.ts';
import { AppRefusal, protectionNames } from './checks.ts';
import { type AppDesk, createAppDesk, type DemoAppOptions } from './desk.ts';
import { beginSignIn, finishSignIn, type SignInParts } from './sign-in.ts';

/** Parameters whose names appear in events. */
const mostNames = 20;
const mostCharacters = 200;

/**
 * A small application that signs users in at this issuer like any client. It shows the client's half of a login, where many
 * mistakes are made. Each of its protections can be switched off.
 */
export function createDemoApp(options: DemoAppOptions): Router {
  const desk = createAppDesk(options);
  options.onReset(desk.state.reset);
  const router = express.Router();
  router.use(setHeaders(loginHeaders), (_req, res, next) => {
    res.set('Cache-Control', 'no-store');
    next();
  });
  router.get('/', (req, res) => desk.show(req, res));
  router.get('/callback', (req, res) => desk.asClient(req, res, parts => callback(desk, parts, req, res)));
  router.post('/back-channel-logout', (req, res) => backChannelLogout(desk, req, res));
  router.post('/{*form}', (req, _res, next) => {
    requireOwnOrigin(req);
    next();
  });
  router.post('/sign-in', async (req, res) => {
    const { values } = await readParameters(req);
    const provider = values.get('provider') === 'second' && desk.lab?.second ? { issuer: desk.lab.second } : {};
    await desk.asClient(req, res, parts => beginSignIn({ ...parts, ...provider }, desk.visited(req, res)));
  });
  for (const [path, change] of Object.entries(changes)) {
    router.post(path, async (req, res) => {
      await change(desk, req);
      res.redirect(303, desk.at);
    });
  }
  return router;
}

/** The provider reports that a session has ended (OIDC Back-Channel Logout §2.5, §2.8). */
async function backChannelLogout({ parts }: AppDesk, req: Request, res: Response) {
  const { values } = await readParameters(req);
  const own = parts();
  const problem =
    own === undefined
      ? 'the application is not registered'
      : await signOutByToken(own, values.get('logout_token') ?? '');
  if (problem === undefined) return void res.status(200).end();
  res.status(400).json({ error: 'invalid_request', error_description: problem });
}

async function callback({ emit, at, visited }: AppDesk, parts: SignInParts, req: Request, res: Response) {
  const { client_id } = parts.client;
  const answer = new URLSearchParams(rawQuery(req));
  emit(req, { type: 'app.callback', client_id, parameters: [...new Set(answer.keys())].slice(0, mostNames) });
  const visit = visited(req, res);
  const onCodeSent = (issuer: string) => emit(req, { type: 'app.code_sent', client_id, issuer });
  try {
    const { claimed, account, sid } = await finishSignIn({ ...parts, onCodeSent }, visit, answer);
    const before = defined({ before: visit.account?.sub });
    Object.assign(visit, { account, sid });
    emit(req, {
      type: 'app.signed_in',
      client_id,
      iss: claimed.iss,
      sub: claimed.sub,
      account: account.sub,
      ...before,
    });
    return at;
  } catch (error) {
    if (error instanceof AppRefusal) {
      const { why, sent, expected } = error;
      emit(req, { type: 'app.refused', client_id, why, sent: sent.slice(0, mostCharacters), expected });
    }
    throw error;
  }
}

/** The forms that change the application, by path. */
const changes: Readonly<Record<string, (desk: AppDesk, req: Request) => Promise<void> | void>> = {
  '/sign-out'({ visitOf }, req) {
    const visit = visitOf(req);
    if (visit !== undefined) visit.account = undefined;
  },
  async '/protections'({ state }, req) {
    const { values } = await readParameters(req);
    state.protections = new Set(protectionNames.filter(name => values.has(name)));
  },
  '/register': ({ register }) => register(),
  '/reset': ({ state }) => state.reset(),
};
