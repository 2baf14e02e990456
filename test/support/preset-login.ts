import { createAgent } from './agent.ts';
import { codeVerifier } from './authorization-url.ts';

type Form = Readonly<Record<string, string>>;

/** An answer with JSON as its body. */
export interface JsonAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Posts a form and reads JSON; an empty body is `{}`. */
export async function postForm(url: string, form: Form, headers: Form = {}): Promise<JsonAnswer> {
  const body = new URLSearchParams(form);
  const response = await fetch(url, { method: 'POST', headers, body, redirect: 'manual' });
  return jsonOf(response);
}

/** Reads JSON with an access token; without one, with no credential. */
export async function getJson(url: string, token?: string, headers: Form = {}): Promise<JsonAnswer> {
  const authorization: Form = token === undefined ? {} : { authorization: `Bearer ${token}` };
  return jsonOf(await fetch(url, { headers: { ...authorization, ...headers } }));
}

async function jsonOf(response: Response): Promise<JsonAnswer> {
  const text = await response.text();
  const { status, headers } = response;
  return { status, headers, body: text === '' ? {} : JSON.parse(text) };
}

const challenge = { code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM', code_challenge_method: 'S256' };

/** The verifier of the requests of `frontChannel`. */
export const verifier = { code_verifier: codeVerifier };

/** The answer to an authorization request by `autoLogin`: the parameters of its redirect. */
export async function frontChannel(authorize: string, request: Form): Promise<URLSearchParams> {
  const query = new URLSearchParams(Object.entries({ ...challenge, ...request }).filter(([, value]) => value !== ''));
  const { headers } = await fetch(`${authorize}?${query}`, { redirect: 'manual' });
  return new URL(headers.get('location') ?? 'http://no-redirect.example').searchParams;
}

/** The user alice types the code of a device at the page with this path, and decides. */
export async function decideDevice(
  issuer: string,
  path: string,
  user_code: string,
  decision: 'allow' | 'deny',
): Promise<void> {
  const agent = createAgent(new URL(issuer).origin);
  const page = await agent.open(`${issuer}${path}?${new URLSearchParams({ user_code })}`);
  const name = page.html.includes('device-allow') ? page : await agent.submit(page, 'login-user-alice');
  await agent.submit(name, `device-${decision}`);
}
