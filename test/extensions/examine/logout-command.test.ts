import { once } from 'node:events';
import { createServer, type OutgoingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, expect, it } from 'vitest';
import type { ClientEntry } from '../../../src/index.ts';
import { type } from '../../client/cli/support.ts';
import { observes } from '../../observed.ts';
import { freePort } from '../../support/free-port.ts';
import { newFolder } from '../../support/new-folder.ts';

// The steps of the plan logout beside the sign-in: by a command, and by a walk.

const servers: Server[] = [];
afterAll(() => {
  for (const server of servers) server.close();
});

async function folder(client: Partial<ClientEntry>, files: Readonly<Record<string, string>> = {}) {
  const clients = [{ client_id: 'app', client_secret: 'app-secret', scope: 'openid', ...client }];
  const cwd = newFolder({ 'clients.config.json': { clients }, ...files });
  return { cwd, environment: { PATH: process.env.PATH ?? '', PORT: String(await freePort()) } };
}

interface Verdict {
  readonly id: string;
  readonly verdict: string;
  readonly why: string;
}

async function verdicts(world: Awaited<ReturnType<typeof folder>>, ...flags: readonly string[]): Promise<Verdict[]> {
  const { out, note } = await type(['examine', '--plan', 'logout', '--user', 'alice', '--json', ...flags], world);
  expect(out, note).not.toBe('');
  return JSON.parse(out).modules.map(({ id, verdict, why }: Verdict) => ({ id, verdict, why }));
}

const modules = (...ids: readonly string[]) => ids.flatMap(id => ['--module', id]);

/** One script for all steps. It keeps the cookies of its browser in a file, and knows nothing of the front channel. */
const script = `
import { readFileSync, writeFileSync } from 'node:fs';
const { GRANTBOX_ISSUER: issuer, GRANTBOX_MODULE: module, GRANTBOX_STEP: step, GRANTBOX_OPEN: open } = process.env;
const kept = module + '.json';
const browser = (url, cookie) => fetch(url, { redirect: 'manual', headers: { cookie } });
if (step === 'sign-in') {
  const redirect_uri = 'http://localhost:7999/callback';
  const query = new URLSearchParams({ response_type: 'code', client_id: 'app', redirect_uri, scope: 'openid' });
  const response = await browser(issuer + '/oauth2/authorize?' + query, '');
  const cookie = response.headers.getSetCookie().map(line => line.split(';')[0]).join('; ');
  const code = new URL(response.headers.get('location')).searchParams.get('code');
  const body = new URLSearchParams({ grant_type: 'authorization_code', code, redirect_uri });
  const headers = { authorization: 'Basic ' + btoa('app:app-secret') };
  const { id_token } = await (await fetch(issuer + '/oauth2/token', { method: 'POST', headers, body })).json();
  writeFileSync(kept, JSON.stringify({ cookie, id_token }));
} else {
  const { cookie, id_token } = JSON.parse(readFileSync(kept));
  if (step === 'sign-out') await browser(issuer + '/connect/logout?id_token_hint=' + id_token, cookie);
  if (open) await browser(open, cookie);
  console.log(step, open ? 'opened ' + new URL(open).pathname : '');
}
`;

it('--logout and --check run a command for the other steps, which says in its exit code who is signed in', async () => {
  observes('command examine --logout', 'command examine --check');
  const redirect_uris = ['http://localhost:7999/callback'];
  const world = await folder(
    { redirect_uris, frontchannel_logout_uri: 'http://localhost:7999/front' },
    { 'app.mjs': script },
  );
  const node = (more = '') => `node app.mjs${more}`;
  const steps = ['--login', node(), '--logout', node(), '--check', node()];
  const wanted = modules('rp-init-logout', 'front-channel', 'back-channel');
  expect(await verdicts(world, ...steps, ...wanted)).toEqual([
    { id: 'test', verdict: 'pass', why: 'The app signed in.' },
    { id: 'rp-init-logout', verdict: 'pass', why: 'Nobody is signed in any more.' },
    { id: 'front-channel', verdict: 'fail', why: 'The app still believes that somebody is signed in.' },
    { id: 'back-channel', verdict: 'not_applicable', why: 'The client has no backchannel_logout_uri.' },
  ]);
  const others = ['--login', node(), '--logout', node('; exit 1'), '--check', node('; exit 1')];
  expect(await verdicts(world, ...others, ...modules('rp-init-logout', 'front-channel'))).toMatchObject([
    { id: 'test', verdict: 'pass' },
    { id: 'rp-init-logout', verdict: 'fail' },
    { id: 'front-channel', verdict: 'pass' },
  ]);
});

it('a module whose step nobody does is not applicable, and names the flag', async () => {
  const world = await folder({ redirect_uris: ['http://localhost:7999/callback'] }, { 'app.mjs': script });
  const [, out, front] = await verdicts(
    world,
    '--login',
    'node app.mjs',
    ...modules('rp-init-logout', 'front-channel'),
  );
  expect(out).toMatchObject({ verdict: 'not_applicable', why: expect.stringMatching(/^Give --logout with a command/) });
  expect(front).toMatchObject({
    verdict: 'not_applicable',
    why: expect.stringMatching(/^Give --check with a command/),
  });
});

/** A web app with one issuer. It ends the session of a browser in a frame, and of a logout token without a check. */
async function webApp() {
  let issuer = '';
  const idTokens = new Map<string, string>(); // by the cookie of a session
  const pages: Readonly<
    Record<string, (form: URLSearchParams, cookie: string) => Promise<OutgoingHttpHeaders | string>>
  > = {
    '/login': async () => {
      const query = { response_type: 'code', client_id: 'app', redirect_uri: `${url}/callback`, scope: 'openid' };
      return { Location: `${issuer}/oauth2/authorize?${new URLSearchParams(query)}` };
    },
    async '/callback'(form) {
      const body = { grant_type: 'authorization_code', code: form.get('code') ?? '', redirect_uri: `${url}/callback` };
      const headers = { Authorization: `Basic ${btoa('app:app-secret')}` };
      const sent = await fetch(`${issuer}/oauth2/token`, { method: 'POST', headers, body: new URLSearchParams(body) });
      const session = `session=${idTokens.size}`;
      idTokens.set(session, ((await sent.json()) as { id_token: string }).id_token);
      return { Location: '/home', 'Set-Cookie': session };
    },
    '/home': async (_form, cookie) => (idTokens.has(cookie) ? 'Sign out' : { Location: '/login' }),
    async '/logout'(_form, cookie) {
      const query = { id_token_hint: idTokens.get(cookie) ?? '', post_logout_redirect_uri: `${url}/bye`, state: 'x' };
      idTokens.delete(cookie);
      return { Location: `${issuer}/connect/logout?${new URLSearchParams(query)}` };
    },
    '/bye': async () => 'Bye',
    async '/front'(_form, cookie) {
      idTokens.delete(cookie);
      return 'bye';
    },
    async '/back'() {
      idTokens.clear();
      return '';
    },
  };
  const server = createServer(async (req, res) => {
    const at = new URL(req.url ?? '', 'http://app');
    const form = new URLSearchParams([...at.searchParams, ...new URLSearchParams(await text(req))]);
    const answer = (await pages[at.pathname]?.(form, req.headers.cookie ?? '')) ?? 'not found';
    if (typeof answer === 'string') res.end(answer);
    else res.writeHead(302, answer).end();
  });
  servers.push(server.listen(0, '127.0.0.1'));
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const world = await folder({
    redirect_uris: [`${url}/callback`],
    post_logout_redirect_uris: [`${url}/bye`],
    frontchannel_logout_uri: `${url}/front`,
    backchannel_logout_uri: `${url}/back`,
  });
  issuer = `http://localhost:${world.environment.PORT}`;
  return { url, world };
}

it('--logout-url walks on with the cookies of the sign-in, loads frames, and opens the page of the sign-in again', async () => {
  observes('command examine --logout-url');
  const { url, world } = await webApp();
  const walk = ['--login-url', `${url}/login`, '--signed-in', 'Sign out', '--logout-url', `${url}/logout`];
  const found = await verdicts(world, ...walk);
  const wrong = (id: string) => id.startsWith('back-channel-');
  expect(found.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id)).toEqual(
    found.map(({ id }) => id).filter(wrong),
  );
  expect(found.filter(({ verdict }) => verdict === 'pass').map(({ id }) => id)).toEqual([
    ...[
      'test',
      'rp-init-logout',
      'rp-init-logout-other-state',
      'rp-init-logout-no-state',
      'front-channel',
      'back-channel',
    ],
  ]);
  expect(found.at(-1)).toMatchObject({ id: 'session-management', verdict: 'not_applicable' });
});

it.each([
  [['--login-url', 'http://localhost:1', '--logout', 'true'], '--logout needs --login'],
  [['--login', 'true', '--logout-url', 'http://localhost:1'], '--logout-url needs --login-url'],
  [
    ['--login-url', 'http://localhost:1', '--signed-in', 'x', '--logout-url', 'y'],
    '--logout-url expects an http or https',
  ],
  [['--api', 'http://localhost:1', '--check', 'true'], '--api and --check cannot be used together'],
])('refuses %j', async (flags, words) => {
  const { code, note } = await type(['examine', ...flags], await folder({}));
  expect([code, note]).toEqual([1, expect.stringContaining(words)]);
});
