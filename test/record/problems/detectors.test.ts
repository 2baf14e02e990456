import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createSandbox, type Sandbox } from '../../../src/index.ts';
import { detectors } from '../../../src/record/problems/detectors/index.ts';
import type { Known } from '../../../src/record/problems/known.ts';
import type { Problem } from '../../../src/record/problems/problem.ts';
import { createProblemIndex } from '../../../src/record/problems/problem-index.ts';
import { everything } from '../../conformance/everything.ts';
import { createAgent } from '../../support/agent.ts';
import * as script from '../../support/flow-scripts.ts';
import { authorizeQuery, get, login, post, redeem, type Tokens, verifier } from '../../support/wire.ts';

let sandbox: Sandbox;
let url: string;
/** Moves on by hand: a silence takes its time. */
let time = Math.floor(Date.now() / 1000);

beforeAll(async () => {
  sandbox = await createSandbox({ ...everything, accessTokenLifetime: 120 }, { now: () => time });
  url = sandbox.url;
});
beforeEach(() => sandbox.reset());
afterAll(() => sandbox.stop());

function known(): Known {
  return {
    events: sandbox.events,
    issuer: sandbox.issuer,
    iss: sandbox.issuer,
    base: '',
    registered: () => [],
    accounts: () => [],
    scopes: [],
    endpoints: [],
    collections: [{ name: 'products', readScope: 'products:read' }],
    clock: sandbox.clock,
  };
}

function silent(index = createProblemIndex(known())) {
  const problems = index.latest(100).filter(({ kind }) => kind === 'silent');
  return { problems, explain: (problem: Problem) => index.explain(problem) };
}

/** `code_not_redeemed of frontend` */
const names = () => silent().problems.map(({ code, client_id }) => `${code}${client_id ? ` of ${client_id}` : ''}`);

let count = 0;
/** What a client makes anew for each login. */
const unique = () => ({ state: `state-${++count}`, nonce: `nonce-${count}` });
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const settle = async (response: Response) => void (await response.arrayBuffer());
const scope = 'openid profile products:read';

interface Case {
  readonly name: string;
  /** Of the problem, with its client. */
  readonly found: string;
  run(): Promise<unknown>;
  /** Both of them must be on the page. */
  readonly values: readonly [RegExp, RegExp];
}

const silences: readonly Case[] = [
  {
    name: 'a code that nobody redeems',
    found: 'code_not_redeemed of frontend',
    async run() {
      await script.walkToCode(url, unique());
      time += 21;
    },
    values: [/http:\/\/localhost:5173\/callback/, /token endpoint/],
  },
  {
    name: 'a browser that comes for a code again and again',
    found: 'redirect_loop of frontend',
    async run() {
      const cookie = await login(url);
      for (let n = 0; n < 4; n++) {
        const response = await get(`${url}/oauth2/authorize?${authorizeQuery(unique())}`, { cookie });
        const code = new URL(response.headers.get('location') ?? url).searchParams.get('code') ?? '';
        await settle(await redeem(url, code));
        time += 1;
      }
    },
    values: [/4 codes/, /one code/],
  },
  {
    name: 'a preflight without its request',
    found: 'preflight_without_request',
    async run() {
      const headers = {
        Origin: 'http://localhost:3000',
        'Access-Control-Request-Method': 'POST',
        'Access-Control-Request-Headers': 'x-custom',
      };
      await settle(await fetch(`${url}/oauth2/token`, { method: 'OPTIONS', headers }));
      time += 6;
    },
    values: [/x-custom/, /POST \/oauth2\/token/],
  },
  {
    name: 'keys that are read under another name',
    found: 'foreign_host',
    run: () => script.readSetup(url.replace('localhost', '127.0.0.1')),
    values: [/127\.0\.0\.1/, /localhost/],
  },
  {
    name: 'a token that is never used',
    found: 'token_never_used of frontend',
    async run() {
      const { code } = await script.walkToCode(url, { scope, ...unique() });
      await settle(await redeem(url, code));
      time += 61;
    },
    values: [/products:read/, /\/api\/products/],
  },
  {
    name: 'an expired token that comes three times',
    found: 'expired_token_repeated of frontend',
    async run() {
      const { access_token } = await script.logInAndCall(url, unique());
      time += 121;
      for (let n = 0; n < 3; n++) await settle(await get(`${url}/api/products`, bearer(access_token)));
    },
    values: [/3 times/, /./],
  },
  {
    name: 'a refresh at every load of the page',
    found: 'refresh_at_every_load of frontend',
    async run() {
      const offline = { scope: `${scope} offline_access`, ...unique() };
      let { refresh_token } = await script.logInAndCall(url, offline);
      for (let n = 0; n < 4; n++) {
        time += 2;
        ({ refresh_token } = await script.jsonOf<Tokens>(await script.refresh(url, refresh_token)));
      }
    },
    values: [/4 times/, /120 s/],
  },
  {
    name: 'a state that is always the same',
    found: 'state_reused of frontend',
    async run() {
      await script.logInAndCall(url, { state: 'fixed', nonce: 'one' });
      await script.logInAndCall(url, { state: 'fixed', nonce: 'two' });
    },
    values: [/fixed/, /random/],
  },
  {
    name: 'a login that nothing protects',
    found: 'login_unprotected of shop',
    async run() {
      const bare = { client_id: 'shop', code_challenge: '', code_challenge_method: '', state: '', prompt: 'login' };
      const { agent, visit } = await script.walkToCode(url, bare);
      const done = await agent.submit(visit, 'consent-allow');
      await settle(await script.redeemShop(url, done.url.searchParams.get('code') ?? ''));
    },
    values: [/redirect_uri/, /code_challenge/],
  },
  {
    name: 'a silent renew in an iframe whose cookie is kept back',
    found: 'silent_renew_blocked of frontend',
    async run() {
      await script.logInAndCall(url, unique());
      const headers = { 'Sec-Fetch-Dest': 'iframe', 'Sec-Fetch-Site': 'cross-site' };
      await settle(await get(`${url}/oauth2/authorize?${authorizeQuery({ ...unique(), prompt: 'none' })}`, headers));
    },
    values: [/no cookie/, /session cookie/],
  },
  {
    name: 'a session cookie that does not come back',
    found: 'cookie_dropped of frontend',
    async run() {
      const query = authorizeQuery(unique());
      const response = await post(`${url}/login?${query}`, { sub: 'alice' }, { origin: url });
      await settle(await get(new URL(response.headers.get('location') ?? '', url).href));
    },
    values: [/grantbox_session/, /no cookie/],
  },
  {
    name: 'a token that fits into no header',
    found: 'token_too_large of frontend',
    async run() {
      const groups = Array.from({ length: 1000 }, (_, index) => `group-of-people-${index}`);
      await sandbox.issueToken({ client: 'frontend', user: 'alice', scope: 'openid', claims: { groups } });
    },
    values: [/^\d{5}Bytes of the token$/, /at most 16384/],
  },
  {
    name: 'an API that is named by audience',
    found: 'audience_ignored of frontend',
    run: () => script.logInAndCall(url, { ...unique(), audience: 'https://api.example' }),
    values: [/audience=https:\/\/api\.example/, /resource=https:\/\/api\.example/],
  },
];

describe('a silent failure', () => {
  it.each(silences)('is found: $name', async ({ run, found, values }) => {
    await run();
    expect(names()).toContain(found);
    const { problems, explain } = silent();
    const problem = problems.find(({ code }) => found.startsWith(code)) as Problem;
    const explanation = explain(problem);
    expect(explanation).toMatchObject({ certainty: 'likely', title: problem.title });
    const { sent = [], expected = [] } = explanation.comparison ?? {};
    const text = (all: readonly { readonly text: string }[]) => all.map(piece => piece.text).join('');
    expect(text(sent) + explanation.comparison?.sentLabel).toMatch(values[0]);
    expect(expected.map(({ value }) => text(value)).join()).toMatch(values[1]);
    expect(explanation.fixes.length).toBeGreaterThan(0);
  });

  it('is each tried here', () => {
    expect(new Set(silences.map(({ found }) => found.split(' ')[0]))).toEqual(
      new Set(detectors.map(({ name }) => name)),
    );
  });

  it('is told once for all that happened to one client', async () => {
    for (let n = 0; n < 3; n++) await script.walkToCode(url, unique());
    time += 21;
    expect(silent().problems).toMatchObject([{ code: 'code_not_redeemed', count: 3 }]);
  });

  it('is none any more once it has mended itself', async () => {
    const { code } = await script.walkToCode(url, unique());
    time += 21;
    expect(names()).toEqual(['code_not_redeemed of frontend']);
    await settle(await redeem(url, code));
    expect(names()).toEqual([]);
  });

  it('is none where a call redeemed the code itself, or had the token made', async () => {
    await sandbox.login({ client: 'frontend', user: 'alice', as: 'tokens', scope: 'openid' });
    await sandbox.issueToken({ client: 'frontend', user: 'alice', scope });
    time += 100;
    expect(names()).toEqual([]);
  });
});

describe('an index that is asked all the time', () => {
  const usual = { ...everything, accessTokenLifetime: 120 };
  const start = async (historySize: number) => {
    sandbox = await createSandbox({ ...usual, historySize }, { now: () => time });
    url = sandbox.url;
  };
  beforeAll(async () => {
    await sandbox.stop();
    await start(100);
  });
  afterAll(async () => {
    await sandbox.stop();
    await start(1000);
  });

  it('finds what a new one finds, although the log forgets and is cleared', async () => {
    const asked = createProblemIndex(known());
    const found = new Set<string>();
    for (const { name, run } of [...silences, ...silences, ...silences]) {
      await run();
      const fresh = silent().problems;
      expect([name, silent(asked).problems]).toEqual([name, fresh]);
      for (const { code } of fresh) found.add(code);
    }
    expect(sandbox.events.newestForgotten).toBeGreaterThan(0);
    expect(found.size).toBe(detectors.length);
    await sandbox.reset();
    expect(silent(asked).problems).toEqual([]);
  });
});

describe('a clock that was moved', () => {
  afterEach(() => sandbox.clock.reset());
  const waiting = silences.filter(({ found }) => /^(code_not_redeemed|token_never_used|preflight_)/.test(found));

  it.each(waiting)('lets no time pass for the application: $name', async ({ run, found }) => {
    const before = time;
    await run();
    const waited = time - before;
    time = before;
    sandbox.clock.advance(100);
    expect(names()).toEqual([]);
    sandbox.clock.freeze();
    time += waited;
    expect(names()).toEqual([found]);
    sandbox.clock.set(before);
    expect(names()).toEqual([found]);
  });

  it('does not bring together what was far apart', async () => {
    sandbox.clock.freeze();
    const cookie = await login(url);
    for (let n = 0; n < 8; n++) {
      const query = authorizeQuery({ ...unique(), scope: 'openid' });
      const response = await get(`${url}/oauth2/authorize?${query}`, { cookie });
      const back = new URL(response.headers.get('location') ?? url);
      await settle(await redeem(url, back.searchParams.get('code') ?? ''));
      time += 60;
    }
    expect(names()).not.toContain('redirect_loop of frontend');
  });
});

/** What goes well, in every way there is; each with a client that does its part. */
const good: readonly (() => Promise<unknown>)[] = [
  () => script.logInAndCall(url, unique()),
  async () => {
    const { visit } = await script.walkToCode(url, { ...unique(), scope, response_mode: 'fragment' });
    const code = new URLSearchParams(visit.url.hash.slice(1)).get('code') ?? '';
    const tokens = await script.jsonOf<Tokens>(await redeem(url, code));
    await settle(await get(`${url}/api/products`, bearer(tokens.access_token)));
  },
  async () => {
    const tokens = await script.logInAndCall(url, { scope: `${scope} offline_access`, ...unique() });
    time += 110;
    const fresh = await script.jsonOf<Tokens>(await script.refresh(url, tokens.refresh_token));
    await settle(await get(`${url}/api/products`, bearer(fresh.access_token)));
  },
  async () => {
    const agent = createAgent(url);
    const { code } = await script.walkToCode(url, { scope, ...unique() }, agent);
    const tokens = await script.jsonOf<Tokens>(await redeem(url, code));
    await settle(await get(`${url}/userinfo`, bearer(tokens.access_token)));
    await script.logOut(url, agent, tokens.id_token);
  },
  async () => {
    const { code } = await script.walkPushed(url, { scope, ...unique() });
    const tokens = await script.jsonOf<Tokens>(await redeem(url, code));
    await settle(await get(`${url}/api/products`, bearer(tokens.access_token)));
  },
  async () => {
    const device = await script.startDevice(url);
    await settle(await script.pollDevice(url, device.device_code));
    await script.decideDevice(url, device);
    time += 6;
    const tokens = await script.jsonOf<Tokens>(await script.pollDevice(url, device.device_code));
    await settle(await get(`${url}/api/products`, bearer(tokens.access_token)));
  },
  async () => settle(await script.clientCredentials(url)),
  () => script.readSetup(url),
  async () => {
    const { code } = await script.walkToCode(url, { scope, ...unique() });
    const headers = { Origin: 'http://localhost:5173', 'Access-Control-Request-Method': 'POST' };
    await settle(await fetch(`${url}/oauth2/token`, { method: 'OPTIONS', headers }));
    const body = { grant_type: 'authorization_code', client_id: 'frontend', code, code_verifier: verifier };
    const redirect = { redirect_uri: 'http://localhost:5173/callback' };
    const answer = await post(`${url}/oauth2/token`, { ...body, ...redirect }, { Origin: 'http://localhost:5173' });
    const tokens = await script.jsonOf<Tokens>(answer);
    await settle(await get(`${url}/api/products`, bearer(tokens.access_token)));
  },
  async () => {
    const cookie = await login(url);
    const query = authorizeQuery({ ...unique(), prompt: 'none', scope });
    const response = await get(`${url}/oauth2/authorize?${query}`, { cookie, 'Sec-Fetch-Dest': 'iframe' });
    const code = new URL(response.headers.get('location') ?? url).searchParams.get('code') ?? '';
    const tokens = await script.jsonOf<Tokens>(await redeem(url, code));
    await settle(await get(`${url}/api/products`, bearer(tokens.access_token)));
  },
];

describe('fifty flows that go well', () => {
  it('raise no false alarm, one by one or all together', async () => {
    for (let round = 0; round < 5; round++) {
      for (const [index, run] of good.entries()) {
        await run();
        expect([index, names()]).toEqual([index, []]);
        time += 3;
      }
    }
    time += 300;
    expect(names()).toEqual([]);
    expect(good.length * 5).toBe(50);
  });
});
