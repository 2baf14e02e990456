import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Sandbox } from '../../src/index.ts';
import { everything } from '../conformance/everything.ts';
import { createAgent } from '../support/agent.ts';
import { createSandbox } from '../support/bundle.ts';
import * as script from '../support/flow-scripts.ts';
import { authorizeQuery, get, post, redeem, type Tokens, verifier } from '../support/wire.ts';

let sandbox: Sandbox;
let url: string;

beforeAll(async () => {
  sandbox = await createSandbox(everything);
  url = sandbox.url;
});
afterAll(() => sandbox.stop());

async function textOf(path: string, at = url): Promise<string> {
  const response = await get(at + path);
  expect(`${path} ${response.status}`).toBe(`${path} 200`);
  return response.text();
}

/** The address of the newest flow, as `/flows/latest` gives it. */
async function latest(at = url): Promise<string> {
  return (await get(`${at}/dashboard/flows/latest`)).headers.get('location') ?? '';
}

/** One step of the picture, from its `<li>` to the next. */
function stepIn(html: string, number: number): string {
  const [, step = ''] = html.split(new RegExp(`(?=<li[^>]* id="step-${number}">)`));
  return step.split(/<li[^>]* id="step-\d+">/)[1] ?? '';
}

async function fail(): Promise<{ path: string; code: string; requestId: string }> {
  const { code } = await script.walkToCode(url);
  const answer = await redeem(url, code, { code_verifier: `${verifier}x` });
  return { path: await latest(), code, requestId: answer.headers.get('x-request-id') ?? '' };
}

describe('/dashboard/flows', () => {
  it('says that there is none yet, and what there would be', async () => {
    await using fresh = await createSandbox();
    expect(await textOf('/dashboard/flows', fresh.url)).toContain('data-testid="flows-empty"');
    expect(await latest(fresh.url)).toBe('/dashboard/flows');
  });

  it('has a row for each flow, with its state in words', async () => {
    await script.logInAndCall(url);
    const [row = ''] = /<tr [^>]*data-testid="flow-row">.*?<\/tr>/s.exec(await textOf('/dashboard/flows')) ?? [];
    for (const text of ['Sign-in with a code', 'frontend', 'alice', 'badge status ok', 'Signed in'])
      expect(row).toContain(text);
  });

  it.each([
    ['status:failed', true],
    ['has:problem', true],
    ['"Refused: PKCE"', true],
    ['code:invalid_grant', true],
    ['code:pkce_mismatch', true],
    ['kind:authorization_code client:frontend user:alice', true],
    ['age:<5m', true],
    ['status:ok', false],
    ['-client:frontend', false],
    ['kind:device', false],
    ['age:>5m', false],
  ])('finds by %s what fits', async (query, isFound) => {
    const { path } = await fail();
    const id = path.slice(path.lastIndexOf('/') + 1);
    const html = await textOf(`/dashboard/flows?q=${encodeURIComponent(query)}`);
    expect(html.includes(`id="${id}"`)).toBe(isFound);
  });

  it('says what of a filter it did not understand', async () => {
    expect(await textOf('/dashboard/flows?q=cleint:frontend')).toContain('Did you mean <code>client:</code>?');
    const nothing = await textOf('/dashboard/flows?q=client:nobody');
    expect(nothing).toContain('No flow matches <code>client:nobody</code>');
  });

  it('leads to older ones, and says when the oldest are gone', async () => {
    await using small = await createSandbox({ historySize: 150 });
    for (let n = 0; n < 160; n++)
      await (await get(`${small.url}/oauth2/authorize?${authorizeQuery({ state: `${n}` })}`)).text();
    const first = await textOf('/dashboard/flows', small.url);
    expect(first.match(/data-testid="flow-row"/g)).toHaveLength(80);
    expect(first).toContain('data-testid="flows-forgotten"');
    const [, older = ''] = /id="older" href="([^"]+)"/.exec(first) ?? [];
    expect((await textOf(older, small.url)).match(/data-testid="flow-row"/g)).toHaveLength(70);
  });
});

describe('/dashboard/flows/:id', () => {
  it('shows the picture, each arrow with who sends it to whom', async () => {
    await script.logInAndCall(url);
    const html = await textOf(await latest());
    expect(html).toContain('data-lanes="4"');
    for (const lane of ['Browser', 'Client', 'Server', 'API']) expect(html).toContain(`<li><span>${lane}</span></li>`);
    expect(stepIn(html, 6)).toContain('<span class="route">Server to Browser, on to Client:</span>');
    expect(html).toMatch(/<li class="recorded response" data-s="1-3" data-dir="left" id="step-6">/);
    expect(html).toMatch(/<li class="inferred" data-s="2-2" data-dir="self" id="step-10">/);
    expect(stepIn(html, 7)).toContain('not observed');
  });

  it('opens with what was refused, both values, and the way to its explanation', async () => {
    const { path, requestId, code } = await fail();
    const html = await textOf(path);
    expect(html).toContain('Refused: PKCE, step 8');
    expect(html).toMatch(/<dd>[\w-]{43}<\/dd>[\s\S]*<dd>[\w-]{43}<\/dd>/);
    expect(html.match(new RegExp(`/dashboard/problems/${requestId}`, 'g'))?.length).toBeGreaterThan(1);
    expect(stepIn(html, 8)).toMatch(/<details open/);
    expect(stepIn(html, 8)).toContain(code);
    expect(stepIn(html, 9)).toContain('never reached');
    for (const anchor of ['copies', 'again', 'asked']) {
      expect(html).toContain(`/dashboard/requests/${requestId}#${anchor}`);
      expect(await textOf(`/dashboard/requests/${requestId}`)).toContain(`id="${anchor}"`);
    }
  });

  it('explains every parameter of a step beside its value', async () => {
    const { path } = await fail();
    const step = stepIn(await textOf(path), 8);
    for (const [name, words] of [
      ['code_verifier', 'The secret behind the <code>code_challenge</code>'],
      ['redirect_uri', 'The <code>redirect_uri</code> of the authorization request again'],
    ]) {
      expect(step).toMatch(
        new RegExp(`<dt>${name}</dt>\\s*<dd><span class="value">[^<]+</span><span class="meaning">${words}`),
      );
    }
  });

  it('hides secrets for screenshots, in values and in words', async () => {
    const { path, code } = await fail();
    expect(await textOf(path)).toContain(`${verifier}x`);
    const hidden = await textOf(`${path}?hide=1&print=1`);
    for (const secret of [code, `${verifier}x`]) expect(hidden).not.toContain(secret);
    expect(hidden).toContain('Show secrets');
    const { id_token, access_token } = await script.logInAndCall(url);
    const whole = await textOf(`${await latest()}?hide=1&print=1`);
    for (const token of [id_token, access_token]) expect(whole).not.toContain(token);
  });

  it('opens all steps for paper', async () => {
    await script.logInAndCall(url);
    const html = await textOf(`${await latest()}?print=1`);
    expect(html.match(/<details open/g)).toHaveLength(11);
  });

  it('shows one step after the other, by links', async () => {
    await script.logInAndCall(url);
    const path = await latest();
    const third = await textOf(`${path}?step=3`);
    expect(third.match(/<li class="[^"]+" data-s/g)).toHaveLength(3);
    expect(stepIn(third, 3)).toMatch(/<details open[\s\S]*<strong>Why:<\/strong>/);
    expect(third).toContain(`href="${path}?step=4#step-4" data-step="next"`);
    expect(third).toContain(`href="${path}?step=2#step-2" data-step="previous"`);
    const last = await textOf(`${path}?step=99`);
    expect(last).toContain('Step 11');
    expect(last).not.toContain('data-step="next"');
  });

  it('says that its beginning is gone, and when nothing is known', async () => {
    await using small = await createSandbox({ ...everything, historySize: 100 });
    const { access_token } = await script.logInAndCall(small.url);
    for (let n = 0; n < 98; n++)
      await (await get(`${small.url}/api/products`, { authorization: `Bearer ${access_token}` })).text();
    const html = await textOf(await latest(small.url), small.url);
    expect(html).toContain('data-testid="flow-incomplete"');
    expect(html).not.toContain('opens the app');
    expect((await get(`${url}/dashboard/flows/flow_nothing`)).status).toBe(404);
  });

  it('names the other flows of the same session', async () => {
    const agent = createAgent(url);
    const { code } = await script.walkToCode(url, {}, agent);
    const login = await latest();
    const { id_token } = await script.jsonOf<Tokens>(await redeem(url, code));
    await script.logOut(url, agent, id_token);
    expect(await textOf(await latest())).toContain(`href="${login}"`);
    expect(await textOf(login)).toContain(`href="${await latest()}"`);
  });

  it('links only to what is a web address, and shows text as text', async () => {
    const hostile = `"><script>alert(1)</script>`;
    const parameters = { state: hostile, redirect_uri: 'javascript:alert(1)//', login_hint: hostile, scope: hostile };
    await get(`${url}/oauth2/authorize?${authorizeQuery(parameters)}`, { 'user-agent': hostile });
    const html = await textOf(`${await latest()}?print=1`);
    expect(html).toContain('&lt;script&gt;alert(1)');
    expect(html).not.toContain('<script>alert');
    expect(html).not.toMatch(/href="javascript:/);
  });

  it('tells a script how long it is by now', async () => {
    const { path } = await fail();
    const id = path.slice(path.lastIndexOf('/') + 1);
    const progress = await get(`${url}/dashboard/api/v1/flows/${id}/progress`);
    expect(await progress.json()).toEqual({ requests: 4, status: 'failed' });
    const rows = await get(`${url}/dashboard/api/v1/flows/rows?q=status:failed&after=`);
    expect(await rows.text()).toContain(`id="${id}"`);
  });
});

describe('/dashboard/flows/by-request/:requestId', () => {
  it('leads to the step of the request', async () => {
    const { path, requestId } = await fail();
    const answer = await get(`${url}/dashboard/flows/by-request/${requestId}`);
    expect([answer.status, answer.headers.get('location')]).toEqual([303, `${path}#step-8`]);
  });

  it('says that a request is part of none, or not there any more', async () => {
    const other = await get(`${url}/nowhere`);
    const page = await get(`${url}/dashboard/flows/by-request/${other.headers.get('x-request-id')}`);
    expect(page.status).toBe(404);
    expect(await page.text()).toContain('is not part of a flow');
    expect(await (await get(`${url}/dashboard/flows/by-request/req_x`)).text()).toContain('has no request');
  });
});

it('the pages of an issuer with a path stay under it', async () => {
  await using sandbox = await createSandbox({ issuers: { '/tenant': {} } });
  const tenant = `${sandbox.url}/tenant`;
  await post(`${tenant}/oauth2/token`, { grant_type: 'client_credentials', client_id: 'nobody' });
  const path = await latest(tenant);
  expect(path).toMatch(/^\/tenant\/dashboard\/flows\/flow_/);
  const html = await textOf(path, sandbox.url);
  for (const [, href = ''] of html.matchAll(/href="(\/[^"]*)"/g)) expect(href).toMatch(/^\/tenant\//);
});
