import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ClientEntry, createSandbox, type Sandbox } from '../../../src/index.ts';
import { authorizeQuery, callback, get } from '../../support/wire.ts';

const clients: readonly ClientEntry[] = [
  {
    ...{ client_id: 'frontend', redirect_uris: [callback], scope: 'openid profile email' },
    post_logout_redirect_uris: ['http://localhost:5173/bye'],
    request_uris: ['http://localhost:5173/request.jwt'],
  },
  { client_id: 'shop', redirect_uris: [callback] },
];

let sandbox: Sandbox;
let url: string;
beforeAll(async () => {
  sandbox = await createSandbox({ clients, users: [{ sub: 'alice' }] });
  ({ url } = sandbox);
});
afterAll(() => sandbox.stop());

interface Fix {
  readonly text: string;
  readonly apply?: { readonly label: string };
  readonly snippets: readonly { readonly code: string }[];
}

/** The ways to mend it that the dashboard offers, and its page with their buttons. */
async function offered(parameters: Record<string, string>) {
  return offeredAt(`/oauth2/authorize?${authorizeQuery(parameters)}`);
}

async function offeredAt(path: string) {
  const refused = await get(url + path, { accept: 'text/html' });
  const at = `problems/${refused.headers.get('x-request-id')}`;
  const { fixes } = (await (await get(`${url}/dashboard/api/v1/${at}`)).json()) as { fixes: readonly Fix[] };
  const page = await (await get(`${url}/dashboard/${at}`)).text();
  const main = /<button class="button primary"[^>]*data-testid="problem-fix[^>]*>([^<]*)</.exec(page)?.[1];
  const buttons = fixes.flatMap(({ apply }) => (apply === undefined ? [] : [apply.label]));
  const snippets = fixes.map(fix => fix.snippets[0]?.code);
  return { first: snippets[0], snippets, texts: fixes.map(({ text }) => text), buttons, main };
}

const scope = "scope: 'openid profile products:read'";

describe('a near miss is answered with the corrected whole value', () => {
  it.each([
    ['a misspelt scope', 'openid proflie', "scope: 'openid profile'", undefined],
    ['two names swapped', 'openid profile products:raed', scope, /^Add products:read to frontend$/],
    ['two misspelt ones', 'openid proflie products:raed', scope, /^Add products:read to frontend$/],
    ['commas in one part of it', 'openid profile,email', "scope: 'openid profile email'", undefined],
  ])('of %s', async (_, sent, corrected, main) => {
    const fixes = await offered({ scope: sent });
    expect(fixes.first).toBe(corrected);
    expect(fixes.buttons.join()).not.toMatch(/proflie|raed/);
    if (main === undefined) expect(fixes.main).toBeUndefined();
    else expect(fixes.main).toMatch(main);
  });

  it('of a client_id, and the button that creates the client is not the main one', async () => {
    const fixes = await offered({ client_id: 'fronted' });
    expect(fixes.first).toBe("client_id: 'frontend'");
    expect(fixes.buttons).toEqual(['Create the client fronted and continue the sign-in']);
    expect(fixes.main).toBeUndefined();
  });

  it.each([
    ['a letter left out', 'http://localhost:5173/calback'],
    ['two letters swapped', 'http://localhost:5173/callabck'],
    ['two letters in two places', 'http://localhost:5173/calbak'],
    ['a letter of the host', 'http://localhots:5173/callback'],
    ['a capital letter', 'http://localhost:5173/Callback'],
    ['a slash at the end', 'http://localhost:5173/callback/'],
  ])('of a redirect_uri with %s', async (_, redirect_uri) => {
    const fixes = await offered({ redirect_uri });
    expect(fixes.first).toBe(`redirect_uri: '${callback}'`);
    expect(fixes.buttons).toContain('Add this URI to frontend and continue the sign-in');
    expect(fixes.main).toBeUndefined();
  });

  it('of a post_logout_redirect_uri', async () => {
    const asked = 'client_id=frontend&post_logout_redirect_uri=http://localhost:5173/bey';
    const fixes = await offeredAt(`/connect/logout?${asked}`);
    expect(fixes.first).toBe("post_logout_redirect_uri: 'http://localhost:5173/bye'");
    expect(fixes.buttons).toEqual(['Add this URI to frontend and continue the logout']);
    expect(fixes.main).toBeUndefined();
  });

  it('of a request_uri', async () => {
    const fixes = await offered({ request_uri: 'http://localhost:5173/reqest.jwt' });
    expect(fixes.first).toBe("request_uri: 'http://localhost:5173/request.jwt'");
    expect(fixes.buttons).toEqual(['Add this URI to frontend and continue the sign-in']);
    expect(fixes.main).toBeUndefined();
  });

  it('of a user', async () => {
    const fixes = await offered({ sandbox_login: 'alcie' });
    expect(fixes.buttons).toEqual(['Create the user alcie']);
    expect(fixes.main).toBeUndefined();
  });
});

describe('no near miss is', () => {
  it('a scope that is known, and only not registered for the client', async () => {
    const fixes = await offered({ scope: 'openid products:write' });
    expect(fixes.main).toBe('Add products:write to frontend and continue the sign-in');
  });

  it.each([
    ['the port of a development server', 'http://localhost:5174/callback'],
    ['https', 'https://localhost:5173/callback'],
    ['a path of its own', 'http://localhost:5173/callback/silent'],
    ['a query of its own', 'http://localhost:5173/callback?a'],
  ])('a redirect_uri with %s', async (_, redirect_uri) => {
    const fixes = await offered({ redirect_uri });
    expect(fixes.main).toBe('Add this URI to frontend and continue the sign-in');
    expect(fixes.snippets.at(-1)).toBe(`redirect_uri: '${callback}'`);
  });

  it('a request_uri with the hash of its object in the fragment', async () => {
    const fixes = await offered({ request_uri: 'http://localhost:5173/orders/request.jwt#hash' });
    expect(fixes.main).toBe('Add this URI to frontend and continue the sign-in');
    expect(fixes.snippets.at(-1)).toBe("request_uri: 'http://localhost:5173/request.jwt'");
  });

  it.each([
    ['a scope of the own API', { scope: 'openid invoices:read' }, /^Add invoices:read to frontend/],
    ['a client with a name of its own', { client_id: 'warehouse' }, /^Create the client warehouse/],
  ])('%s', async (_, parameters, main) => {
    expect((await offered(parameters)).main).toMatch(main);
  });
});

describe('an address after a logout', () => {
  const elsewhere = 'post_logout_redirect_uri=http://localhost:3000/out';

  it('is offered at the path that other servers have, beside the endpoint of this one', async () => {
    const fixes = await offeredAt(`/logout?client_id=frontend&${elsewhere}`);
    expect(fixes.first).toBe(`${url}/connect/logout`);
    expect(fixes.main).toBe('Add this URI to frontend');
    expect(fixes.snippets[1]).toContain('http://localhost:3000/out');
    const known = await offeredAt('/logout?client_id=frontend&post_logout_redirect_uri=http://localhost:5173/bye');
    expect(known.snippets).toEqual([`${url}/connect/logout`]);
  });

  it('is led to the client that has it, where the request names none', async () => {
    const { texts } = await offeredAt('/connect/logout?post_logout_redirect_uri=http://localhost:5173/bye');
    expect(texts).toEqual(['Send the ID token of the user, or the client_id. The client `frontend` has the address.']);
    const unknown = await offeredAt(`/connect/logout?${elsewhere}`);
    expect(unknown.snippets.at(-1)).toBe("post_logout_redirect_uris: ['http://localhost:3000/out'],");
  });
});
