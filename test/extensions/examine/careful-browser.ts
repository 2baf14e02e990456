import { createHash, randomBytes } from 'node:crypto';
import type { ExamSteps } from '../../../src/extensions/examine/driver.ts';
import type { Taken } from '../../../src/extensions/examine/exam-module.ts';
import type { ClientEntry } from '../../../src/index.ts';
import { send } from '../../../src/server/wire/send.ts';

// An app whose code runs in a browser, and the browser, in one: it makes each check by itself, so that each can be left out alone.

const origin = 'http://localhost:7998';
const redirect_uri = `${origin}/callback`;
const secret = 'no-secret-of-a-browser';

/** The registration of the app. It could use a secret, so that a sign-in with one works. */
export const careful: ClientEntry = {
  client_id: 'careful-browser',
  client_secret: secret,
  token_endpoint_auth_methods: ['none', 'client_secret_post'],
  redirect_uris: [redirect_uri],
  grant_types: ['authorization_code', 'refresh_token'],
  scope: 'openid',
};

type Json = Readonly<Record<string, unknown>>;
type Has = (check: string) => boolean;

interface Tokens {
  readonly access_token: string;
  readonly refresh_token?: string;
  readonly id_token?: string;
  readonly expires_in: number;
}

/** A browser with the app in it. */
interface Tab {
  readonly issuer: string;
  readonly metadata: Json;
  readonly cookies: Map<string, string>;
  /** The verifier of each sign-in that has begun, by its state. */
  readonly begun: Map<string, string>;
  tokens: Tokens | undefined;
  /** The address that the tab shows. */
  url: string;
}

/** An app with all checks but one. */
export function createBrowserApp(lapse = ''): ExamSteps {
  const has: Has = check => check !== lapse;
  let tab: Tab | undefined;
  const there = (): Tab => {
    if (tab === undefined) throw new Error('nobody has signed in');
    return tab;
  };
  return {
    async login({ issuer }) {
      const metadata: Json = JSON.parse((await send(`${issuer}/.well-known/openid-configuration`)).text);
      tab = { issuer, metadata, cookies: new Map(), begun: new Map(), tokens: undefined, url: origin };
      await browse(tab, authorization(tab), has);
      if (!has('no-implicit')) await browse(tab, authorization(tab, { response_type: 'token' }), has);
      if (!has('pkce-s256')) await browse(tab, authorization(tab, { code_challenge_method: 'plain' }), has);
      return tell(tab, has);
    },
    async logout() {
      const { metadata, tokens, cookies } = there();
      const hint = new URLSearchParams({ id_token_hint: tokens?.id_token ?? '' });
      await ask(`${metadata.end_session_endpoint}?${hint}`, cookies);
      if (has('logout-other-tab') && has('tokens-after-logout')) there().tokens = undefined;
      return true;
    },
    async check({ open }) {
      const at = there();
      if (open !== undefined) await browse(at, open, has);
      if (!has('tokens-after-logout')) {
        await useTokens(at);
        return cookieOf(at) !== undefined;
      }
      if (at.tokens !== undefined && at.tokens.expires_in <= 1 && cookieOf(at) !== undefined) await renew(at, has);
      return at.tokens !== undefined;
    },
  };
}

/** The cookie of the session at the provider. */
function cookieOf({ cookies }: Tab): string | undefined {
  return [...cookies.keys()].find(name => name.includes('grantbox_session'));
}

function tell({ tokens, url }: Tab, has: Has): Taken {
  const stored = has('tokens-in-storage') ? 'the language: en' : JSON.stringify(tokens);
  return { believed: tokens !== undefined, said: '', page: { url, stored } };
}

/** Asks as the browser does that shows a page: with cookies. */
async function ask(address: string, cookies: Map<string, string>) {
  const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const answer = await send(address, { headers: { cookie } });
  for (const line of answer.headersDistinct['set-cookie'] ?? []) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
    if (value === '') cookies.delete(name);
    else cookies.set(name, value);
  }
  return answer;
}

function authorization({ metadata, begun }: Tab, more: Readonly<Record<string, string>> = {}): string {
  const [state, verifier] = [randomBytes(16).toString('hex'), randomBytes(32).toString('base64url')];
  begun.set(state, verifier);
  const code_challenge = createHash('sha256').update(verifier).digest('base64url');
  const query = new URLSearchParams({
    ...{ response_type: 'code', client_id: careful.client_id, redirect_uri, scope: 'openid', state },
    ...{ code_challenge, code_challenge_method: 'S256', ...more },
  });
  return `${metadata.authorization_endpoint}?${query}`;
}

/** Follows redirects to the callback of the app, whose code runs there. Returns the response. */
async function browse(tab: Tab, address: string, has: Has): Promise<URLSearchParams> {
  let at = address;
  for (let hop = 0; hop < 5 && !at.startsWith(redirect_uri); hop++)
    at = new URL((await ask(at, tab.cookies)).headers.location ?? origin, at).href;
  const response = new URL(at).searchParams;
  const code = response.get('code');
  if (code !== null) await takeCode(tab, code, response.get('state') ?? '', { at, has });
  tab.url = has('code-in-address') ? origin : at;
  return response;
}

async function takeCode(tab: Tab, code: string, state: string, { at, has }: { at: string; has: Has }): Promise<void> {
  const code_verifier = tab.begun.get(state);
  if (code_verifier === undefined) return; // a sign-in that never began here, or that is over
  if (has('code-replayed')) tab.begun.delete(state);
  const referer = has('referrer') ? `${origin}/` : at;
  await fetchTokens(tab, { grant_type: 'authorization_code', code, redirect_uri, code_verifier }, { referer, has });
}

interface Sent {
  readonly referer: string;
  readonly has: Has;
}

/** False if the provider refused. */
async function fetchTokens(tab: Tab, form: Readonly<Record<string, string>>, { referer, has }: Sent): Promise<boolean> {
  const own = { client_id: careful.client_id, ...(has('no-secret') ? {} : { client_secret: secret }) };
  const headers = { origin, referer, 'content-type': 'application/x-www-form-urlencoded' };
  const body = new URLSearchParams({ ...own, ...form }).toString();
  const { status, text } = await send(String(tab.metadata.token_endpoint), { method: 'POST', headers, body });
  if (status === 200) tab.tokens = { ...tab.tokens, ...(JSON.parse(text) as Tokens) };
  return status === 200;
}

/** Refreshes the access token, or signs in silently; if both are refused, nobody is signed in. */
async function renew(tab: Tab, has: Has): Promise<void> {
  const { refresh_token = '' } = tab.tokens ?? {};
  const sent = { referer: `${origin}/`, has };
  const isRefreshed = await fetchTokens(tab, { grant_type: 'refresh_token', refresh_token }, sent);
  if (isRefreshed && !has('refresh-two-tabs') && tab.tokens !== undefined)
    tab.tokens = { ...tab.tokens, refresh_token };
  if (isRefreshed) return;
  for (let time = 0; time < (has('silent-sign-in-refused') ? 1 : 5); time++) {
    const response = await browse(tab, authorization(tab, { prompt: 'none' }), has);
    if (response.has('code')) return;
  }
  tab.tokens = undefined;
}

async function useTokens({ metadata, tokens }: Tab): Promise<void> {
  if (tokens === undefined) return;
  await send(String(metadata.userinfo_endpoint), {
    headers: { authorization: `Bearer ${tokens.access_token}`, origin },
  });
}
