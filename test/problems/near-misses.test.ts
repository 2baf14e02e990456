import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ClientEntry, createSandbox, type Sandbox } from '../../src/index.ts';
import { authorizeQuery, callback, get } from '../support/wire.ts';

const clients: readonly ClientEntry[] = [
  { client_id: 'frontend', redirect_uris: [callback], scope: 'openid profile email' },
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
  const refused = await get(`${url}/oauth2/authorize?${authorizeQuery(parameters)}`, { accept: 'text/html' });
  const at = `problems/${refused.headers.get('x-request-id')}`;
  const { fixes } = (await (await get(`${url}/dashboard/api/v1/${at}`)).json()) as { fixes: readonly Fix[] };
  const page = await (await get(`${url}/dashboard/${at}`)).text();
  const main = /<button class="button primary"[^>]*data-testid="problem-fix[^>]*>([^<]*)</.exec(page)?.[1];
  const buttons = fixes.flatMap(({ apply }) => (apply === undefined ? [] : [apply.label]));
  return { first: fixes[0]?.snippets[0]?.code, buttons, main };
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
    expect(fixes.buttons).toEqual(['Create the client fronted and continue the login']);
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
    expect(fixes.main).toBe('Add products:write to frontend and continue the login');
  });

  it.each([
    ['a scope of the own API', { scope: 'openid invoices:read' }, /^Add invoices:read to frontend/],
    ['a client with a name of its own', { client_id: 'warehouse' }, /^Create the client warehouse/],
  ])('%s', async (_, parameters, main) => {
    expect((await offered(parameters)).main).toMatch(main);
  });
});
