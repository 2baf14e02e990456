import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createSandbox, type Sandbox } from '../../../src/index.ts';
import { answer, get, login, post, redeem, signIn } from '../../support/wire.ts';

let sandbox: Sandbox;
let url: string;
let wall = 1_700_000_000;
beforeAll(async () => {
  sandbox = await createSandbox({ signingAlg: 'ES256' }, { now: () => wall });
  ({ url } = sandbox);
});
afterAll(() => sandbox.stop());
beforeEach(() => sandbox.reset());

interface Told {
  readonly title: string;
  readonly why: string;
  readonly certainty: string;
  readonly fixes: readonly { readonly text: string; readonly apply?: unknown }[];
}

const api = (token: string) => get(`${url}/api/products`, { authorization: `Bearer ${token}` });
const userinfo = (token: string) => get(`${url}/userinfo`, { authorization: `Bearer ${token}` });
const scope = 'openid offline_access products:read';

/** What the dashboard says of the request that was answered like this. */
async function told(refused: Response): Promise<Told> {
  expect(refused.status).toBeGreaterThanOrEqual(400);
  await refused.arrayBuffer();
  const asked = await get(`${url}/dashboard/api/v1/problems/${refused.headers.get('x-request-id')}`);
  return (await asked.json()) as Told;
}

/** The reasons of all refusals that are problems. */
async function problems(): Promise<readonly string[]> {
  const { problems: all } = (await (await get(`${url}/dashboard/api/v1/problems`)).json()) as {
    problems: readonly { readonly kind: string; readonly reason: string }[];
  };
  return all.flatMap(({ kind, reason }) => (kind === 'refusal' ? [reason] : []));
}

async function reportedBy(client: string): Promise<readonly string[]> {
  const { clients } = (await sandbox.report({ client })) as {
    clients: readonly { checks: readonly { id: string; verdict: string }[] }[];
  };
  return clients.flatMap(({ checks }) => checks.flatMap(each => (/fail|warn/.test(each.verdict) ? [each.id] : [])));
}

describe('a token that was minted with a defect', () => {
  it.each(['expired', 'bad_signature', 'wrong_audience'] as const)(
    '%s says so first, and is no problem',
    async defect => {
      const { token } = await sandbox.issueToken({ client: 'frontend', user: 'alice', scope, defect });
      const explained = await told(await api(token));
      expect(explained.title).toBe(`A token with the defect \`${defect}\` was refused`);
      expect(explained.why).toMatch(new RegExp(`^On purpose: this token was minted with the defect \`${defect}\``));
      expect(explained.certainty).toBe('certain');
      expect(explained.fixes).toEqual([
        { text: `Send a token without the defect \`${defect}\` to see it accepted.`, snippets: [] },
      ]);
      for (let more = 0; more < 3; more++) await api(token);
      expect(await problems()).toEqual([]);
      expect(await reportedBy('frontend')).toEqual([]);
    },
  );
});

describe('a clock that was moved', () => {
  const pastExpiry = 'The clock was moved past the expiry';

  it('is named first where it let an access token expire, at the API and at UserInfo', async () => {
    const { access_token } = await signIn(url, 'alice', { scope });
    sandbox.clock.advance(3600);
    for (const ask of [api, userinfo]) {
      const explained = await told(await ask(access_token));
      expect(explained.title).toBe(pastExpiry);
      expect(explained.why).toMatch(
        /^On purpose: the clock.* was moved on by 60 min after the code or token was issued\. By the real/,
      );
      expect(explained.fixes.map(({ apply }) => apply)).toEqual([undefined]);
    }
    expect(await problems()).toEqual([]);
  });

  it('of the sample backend alone is named, forward and back', async () => {
    const { access_token } = await signIn(url, 'alice', { scope });
    sandbox.clock.advance(3600, 'api');
    expect(await told(await api(access_token))).toMatchObject({ title: pastExpiry });
    sandbox.clock.set(wall - 600, 'api');
    const back = await told(await api(access_token));
    expect(back.title).toBe('The clock was set to a time before this token was issued');
    expect(back.why).toMatch(/the clock of the sample backend was moved back by 10 min/);
    expect(await problems()).toEqual([]);
  });

  it('is named where it let a code or a refresh token expire', async () => {
    const code = (await answer(url, await login(url))).get('code') ?? '';
    const { refresh_token } = await signIn(url, 'alice', { scope });
    sandbox.clock.advance(120);
    expect(await told(await redeem(url, code))).toMatchObject({ title: pastExpiry });
    sandbox.clock.advance(400 * 86_400);
    const form = { grant_type: 'refresh_token', client_id: 'frontend', refresh_token };
    expect(await told(await post(`${url}/oauth2/token`, form))).toMatchObject({ title: pastExpiry });
    expect(await problems()).toEqual([]);
  });

  it('is not where the token would have expired by the real time, too', async () => {
    const { access_token } = await signIn(url, 'alice', { scope });
    sandbox.clock.advance(3600);
    wall += 7200;
    expect(await told(await api(access_token))).toMatchObject({ title: 'The access token of `frontend` has expired' });
    expect(await problems()).toEqual(['api_token_expired']);
  });

  it('is not where it was moved before the token was issued', async () => {
    sandbox.clock.advance(3600);
    const { access_token } = await signIn(url, 'alice', { scope });
    wall += 7200;
    await api(access_token);
    expect(await problems()).toEqual(['api_token_expired']);
  });
});
