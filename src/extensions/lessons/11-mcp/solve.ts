import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { code_challenge, codeIn, redirect_uri, verifier } from '../bike-shop.ts';
import type { LessonSolver, Participant, SolverPage } from '../solver.ts';

const description = { client_name: 'Agent', redirect_uris: [redirect_uri], token_endpoint_auth_method: 'none' };

/** Serves the metadata document of the agent while `work` runs. `work` gets its URL, which is the client_id. */
async function asDocument(work: (client_id: string) => Promise<unknown>): Promise<void> {
  const server = createServer(({ url }, res) => {
    const client_id = `http://localhost:${port}${url}`;
    res.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify({ client_id, ...description }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // of a TCP socket
  try {
    await work(`http://localhost:${port}/agent.json`);
  } finally {
    server.close();
  }
}

/** The older way: dynamic registration (RFC 7591). */
async function register(by: Participant): Promise<string> {
  return (await by.call('/connect/register', { json: description })).body.client_id ?? '';
}

interface Asked {
  readonly client_id: string;
  readonly scope?: string;
  readonly resource?: string;
}

/** Logs in as Bob, gives consent if asked, and returns the access token. `sent` is the resource of the exchange. */
async function tokenFor(
  by: Participant,
  { client_id, scope = 'tools:read', resource }: Asked,
  sent?: Readonly<Record<string, string>>,
): Promise<string> {
  const target: Record<string, string> = resource === undefined ? {} : { resource };
  const asked = { response_type: 'code', client_id, redirect_uri, scope, state: 'xyz', ...target };
  const query = new URLSearchParams({ ...asked, code_challenge, code_challenge_method: 'S256' });
  let page = await by.open(`/oauth2/authorize?${query}`);
  for (const button of ['login-user-bob', 'consent-allow']) {
    if (page.html.includes(`"${button}"`)) page = await by.submit(page, button);
  }
  return redeem(by, page, { client_id, ...(sent ?? target) });
}

async function redeem(by: Participant, page: SolverPage, more: Readonly<Record<string, string>>): Promise<string> {
  const form = { grant_type: 'authorization_code', redirect_uri, code: codeIn(page), code_verifier: verifier, ...more };
  return (await by.call('/oauth2/token', { form })).body.access_token ?? '';
}

const tools = ({ issuer }: Participant) => `${issuer}/api/tools`;

async function read(by: Participant, token: string): Promise<void> {
  await by.call('/api/tools', { headers: { Authorization: `Bearer ${token}` } });
}

async function add(by: Participant, token: string): Promise<void> {
  await by.call('/api/tools', { json: { name: 'Wrench' }, headers: { Authorization: `Bearer ${token}` } });
}

const metadata = async (by: Participant) => void (await by.call('/.well-known/openid-configuration'));

async function describedApi(by: Participant, collection: string): Promise<void> {
  const { origin, pathname } = new URL(by.issuer);
  await by.open(`${origin}/.well-known/oauth-protected-resource${pathname}/api/${collection}`);
}

/** Adds a tool with a token that may only read, and then with one for these scopes. */
async function addTwice(by: Participant, scope: string): Promise<void> {
  const asked = { client_id: await register(by), resource: tools(by) };
  await add(by, await tokenFor(by, asked));
  await add(by, await tokenFor(by, { ...asked, scope }));
}

export const solver: LessonSolver = {
  knock: {
    solve: async by => void (await by.call('/api/tools')),
    nearMisses: {
      'a typo in the address': { does: async by => void (await by.call('/api/tool')) },
      'a token that nobody issued': { does: by => read(by, 'a.b.c'), state: 'close', says: 'Call without one' },
    },
  },
  find: {
    async solve(by) {
      await describedApi(by, 'tools');
      await metadata(by);
    },
    nearMisses: {
      'a guess at the authorization server': { does: metadata },
      'the wrong order': {
        async does(by) {
          await metadata(by);
          await describedApi(by, 'tools');
        },
      },
      'a typo in the address': {
        async does(by) {
          await describedApi(by, 'tool');
          await metadata(by);
        },
      },
    },
  },
  identify: {
    solve: by => asDocument(client_id => tokenFor(by, { client_id, resource: tools(by) })),
    nearMisses: {
      'nobody serves that document': {
        async does(by) {
          const query = new URLSearchParams({ response_type: 'code', client_id: 'my-agent', redirect_uri });
          await by.open(`/oauth2/authorize?${query}`);
        },
      },
      'no resource': { does: by => asDocument(client_id => tokenFor(by, { client_id })), says: 'no `resource`' },
      'a typo in the scope': {
        does: by =>
          asDocument(client_id =>
            tokenFor(by, { client_id, resource: tools(by), scope: 'tools:reed' }).catch(() => undefined),
          ),
      },
    },
  },
  call: {
    solve: by => asDocument(async client_id => read(by, await tokenFor(by, { client_id, resource: tools(by) }))),
    nearMisses: {
      'the token has no audience for a server': {
        does: async by => read(by, await tokenFor(by, { client_id: await register(by) })),
      },
      'an exchange without resource': {
        async does(by) {
          const asked = { client_id: await register(by), resource: tools(by) };
          await read(by, await tokenFor(by, asked, {}));
        },
        also: ['identify'],
      },
      'an exchange without resource, before the call': {
        async does(by) {
          await tokenFor(by, { client_id: await register(by), resource: tools(by) }, {});
        },
        also: ['identify'],
        says: 'in the exchange, too',
      },
      'a typo in the token': {
        async does(by) {
          const token = await tokenFor(by, { client_id: await register(by), resource: tools(by) });
          await read(by, `${token}x`);
        },
        also: ['identify'],
      },
    },
  },
  more: {
    solve: by => addTwice(by, 'tools:read tools:write'),
    nearMisses: {
      'the scope that it had is lost': {
        does: by => addTwice(by, 'tools:write'),
        also: ['identify', 'call'],
      },
      'a sign-in for the new scope alone': {
        async does(by) {
          const asked = { client_id: await register(by), resource: tools(by) };
          await add(by, await tokenFor(by, asked));
          await tokenFor(by, { ...asked, scope: 'tools:write' });
        },
        also: ['identify'],
        says: 'both scopes',
      },
      'the same scope again': { does: by => addTwice(by, 'tools:read'), also: ['identify'] },
    },
  },
};
