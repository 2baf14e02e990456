import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createSandbox, type Sandbox } from '../../../src/index.ts';
import { s256 } from '../../../src/protocol/requests/pkce.ts';
import type { Flow, FlowIndex } from '../../../src/record/flows/flow.ts';
import { createFlowIndex } from '../../../src/record/flows/flow-index.ts';
import { settled } from '../../support/flows.ts';
import { authorizeQuery, verifier } from '../../support/wire.ts';

let sandbox: Sandbox;
let flows: FlowIndex;

beforeAll(async () => {
  sandbox = await createSandbox({ loginRateLimit: 0, rateLimit: 0 });
  for await (const _ of walk({ agent: 'first', parameters: {}, verifier })); // loads what a login needs
});
beforeEach(async () => {
  await sandbox.reset();
  flows = createFlowIndex(sandbox.events, sandbox.clock);
});
afterAll(() => sandbox.stop());

/** What one browser sends with its login of the same user and the same client. */
interface Login {
  readonly agent: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly verifier: string;
}

/** One login, a request at a time; each gives the id of the request. */
async function* walk({ agent, parameters, verifier }: Login): AsyncGenerator<string, void> {
  const { url } = sandbox;
  const query = authorizeQuery(parameters);
  const headers = { 'user-agent': agent };
  const page = await fetch(`${url}/oauth2/authorize?${query}`, { headers });
  yield idOf(page);
  const form = { method: 'POST', body: new URLSearchParams({ sub: 'alice' }), redirect: 'manual' } as const;
  const login = await fetch(`${url}/login?${query}`, { ...form, headers: { ...headers, origin: url } });
  yield idOf(login);
  const cookie = login.headers.getSetCookie().map(line => line.split(';', 1)[0]);
  const again = { headers: { ...headers, cookie: cookie.join('; ') }, redirect: 'manual' } as const;
  const answer = await fetch(`${url}/oauth2/authorize?${query}`, again);
  yield idOf(answer);
  const code = new URL(answer.headers.get('location') ?? url).searchParams.get('code') ?? '';
  const body = new URLSearchParams({
    grant_type: 'authorization_code',
    client_id: 'frontend',
    code,
    code_verifier: verifier,
  });
  const token = await fetch(`${url}/oauth2/token`, { method: 'POST', body });
  yield idOf(token);
  const { access_token } = (await token.json()) as { access_token: string };
  yield idOf(await fetch(`${url}/api/bikes`, { headers: { authorization: `Bearer ${access_token}` } }));
}

function idOf(response: Response): string {
  return response.headers.get('x-request-id') ?? `no id, but ${response.status}`;
}

/** A fixed shuffle, so that a failure comes again. */
function createDice(seed: number): (sides: number) => number {
  let state = seed;
  return sides => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor(state / 65_536) % sides;
  };
}

/** Lets many logins take their steps in whatever order; the requests of each login. */
async function interleave(logins: readonly Login[], seed: number): Promise<string[][]> {
  const dice = createDice(seed);
  const running = logins.map(login => ({ steps: walk(login), ids: [] as string[] }));
  const unfinished = [...running];
  while (unfinished.length > 0) {
    const index = dice(unfinished.length);
    const { value, done } = (await unfinished[index]?.steps.next()) ?? { done: true };
    if (done) unfinished.splice(index, 1);
    else unfinished[index]?.ids.push(value);
  }
  await settled(sandbox);
  return running.map(({ ids }) => ids);
}

const count = 24;
const many = (make: (n: number) => Login) => Array.from({ length: count }, (_, n) => make(n));
const oneAgent = 'the same browser everywhere/1.0';
const endpoints = ['authorize', 'login', 'authorize', 'token', 'api'];
const endpointsOf = ({ steps }: Flow) => steps.map(({ endpoint }) => endpoint);
const idsOf = (flow: Flow) => flow.steps.map(({ requestId }) => requestId);

describe('logins of one user and one client at the same time', () => {
  it.each([
    {
      name: 'with a state of their own',
      login: (n: number) => ({ agent: oneAgent, parameters: { state: `state ${n}` }, verifier }),
    },
    {
      name: 'without state, with a challenge of their own',
      login: (n: number) => {
        const own = `${verifier}-${n}`;
        return { agent: oneAgent, parameters: { state: '', code_challenge: s256(own) }, verifier: own };
      },
    },
    {
      name: 'with nothing of their own, in browsers of different kinds',
      login: (n: number) => ({ agent: `browser ${n}`, parameters: { state: '' }, verifier }),
    },
  ])('do not mix $name', async ({ login }) => {
    const walked = await interleave(many(login), 7);
    const found = flows.latest(1000);
    expect(found.map(idsOf).sort()).toEqual(walked.sort());
    expect(new Set(found.map(({ status }) => status))).toEqual(new Set(['ok']));
  });

  it.each([1, 2, 3])('do not mix where no request differs from another (order %i)', async seed => {
    const walked = await interleave(
      many(() => ({ agent: oneAgent, parameters: { state: '' }, verifier })),
      seed,
    );
    const found = flows.latest(1000);
    expect(found.map(endpointsOf)).toEqual(walked.map(() => endpoints));
    // nothing tells whose login page was whose; from the login on, the session and the code do
    expect(found.map(flow => idsOf(flow).slice(1)).sort()).toEqual(walked.map(ids => ids.slice(1)).sort());
    expect(found.filter(({ steps }) => steps.slice(2).some(({ joinedBy }) => joinedBy === 'inferred'))).toEqual([]);
  });

  it('say where they were guessed', async () => {
    const same = { agent: oneAgent, parameters: { state: '' }, verifier };
    const both = [walk(same), walk(same)];
    for (const login of both) await login.next();
    for (const login of both) for await (const _ of login);
    await settled(sandbox);
    expect(flows.latest(3).map(({ steps }) => steps[1]?.joinedBy)).toEqual(['state', 'inferred']);
  });

  it('are two where one browser logs in twice with the same request', async () => {
    const login = { agent: oneAgent, parameters: {}, verifier };
    await interleave([login], 1);
    await interleave([login], 1);
    expect(flows.latest(5).map(endpointsOf)).toEqual([endpoints, endpoints]);
  });
});
