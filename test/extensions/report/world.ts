import { randomBytes } from 'node:crypto';
import type { Verdict } from '../../../src/extensions/report/report.ts';
import type { SandboxConfig } from '../../../src/index.ts';
import { createSandbox, type Sandbox } from '../../../src/index.ts';
import { s256 } from '../../../src/protocol/requests/pkce.ts';
import { everything } from '../../conformance/everything.ts';
import { createAgent } from '../../support/agent.ts';
import { createDpopKey } from '../../support/dpop.ts';
import * as script from '../../support/flow-scripts.ts';
import { callback, get, post, redeem, type Tokens } from '../../support/wire.ts';

/** A sandbox with the clients of `everything` and one whose callback is on the network, at a time that moves by hand. */
export const reportedConfig: SandboxConfig = {
  ...everything,
  clients: [
    ...(everything.clients ?? []),
    {
      client_id: 'remote',
      client_secret: 'remote-secret',
      redirect_uris: ['http://app.example/callback', 'https://app.example/callback'],
      scope: 'openid',
    },
  ],
  accessTokenLifetime: 120,
};

let time = Math.floor(Date.now() / 1000);

export async function startReported(): Promise<Sandbox> {
  return createSandbox(reportedConfig, { now: () => time });
}

export function pass(seconds: number): void {
  time += seconds;
}

export const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
export const settle = async (response: Response | Promise<Response>) => void (await (await response).arrayBuffer());
export const noPkce = { code_challenge: '', code_challenge_method: '' };
export const scope = 'openid profile products:read';

/** What a client makes anew for each login. */
export function fresh() {
  const verifier = randomBytes(32).toString('base64url');
  const parameters = { state: randomBytes(16).toString('hex'), nonce: randomBytes(16).toString('hex') };
  return { verifier, parameters: { ...parameters, code_challenge: s256(verifier) } };
}

/** A login of `frontend`, up to its tokens; by default as it should be. */
export async function logIn(url: string, changes: script.Form = {}, agent = createAgent(url)): Promise<Tokens> {
  const { verifier, parameters } = fresh();
  const { code } = await script.walkToCode(url, { scope, ...parameters, ...changes }, agent);
  return script.jsonOf<Tokens>(await redeem(url, code, { code_verifier: verifier }));
}

export async function logInAndCall(url: string, changes: script.Form = {}): Promise<Tokens> {
  const tokens = await logIn(url, changes);
  await settle(get(`${url}/api/products`, bearer(tokens.access_token)));
  return tokens;
}

/** A login of the shop, which has a secret and a consent screen, up to its tokens; without PKCE and nonce. */
export async function shopLogIn(url: string, changes: script.Form = {}): Promise<void> {
  const done = await script.walkThroughConsent(url, 'consent-allow', { prompt: 'login', ...changes });
  await settle(script.redeemShop(url, done.url.searchParams.get('code') ?? ''));
}

/** One check, with what makes it say no and what makes it say yes. */
export interface Case {
  readonly id: string;
  readonly client: string;
  /** Default `fail`. */
  readonly verdict?: Verdict;
  bad(url: string, sandbox: Sandbox): Promise<unknown>;
  readonly why: RegExp;
  good(url: string, sandbox: Sandbox): Promise<unknown>;
}

/** A login whose access token is bound to a key (RFC 9449 §5). */
export async function boundLogIn(url: string): Promise<Tokens> {
  const { verifier, parameters } = fresh();
  const { code } = await script.walkToCode(url, { scope, ...parameters });
  const { proof } = await createDpopKey();
  const dpop = await proof({ htu: `${url}/oauth2/token`, iat: time });
  const form = { grant_type: 'authorization_code', client_id: 'frontend', redirect_uri: callback };
  return script.jsonOf(await post(`${url}/oauth2/token`, { ...form, code, code_verifier: verifier }, { dpop }));
}
