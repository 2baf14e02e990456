import { defined } from '../../base/defined.ts';
import { isRecord, recordIn } from '../../base/text/record.ts';
import type { WireAnswer, WireRequest } from '../../server/wire/send.ts';
import type { ProbeLogin } from './draft.ts';
import { kindOf, type SampleMembers, type Samples, sampleOf, type TokenKind, type TokenSample } from './samples.ts';

/** A running sandbox. */
export interface Target {
  readonly issuer: string;
  /** Sends a request to the sandbox at the address where it runs, whatever origin its metadata has. */
  ask(path: string, sent?: TargetRequest): Promise<Pick<WireAnswer, 'status' | 'text'>>;
  /** Signs a user in, and answers with the redirect to the client. */
  login(
    request: LoginOf,
  ): Promise<{ readonly redirect: string; readonly code: string; readonly code_verifier?: string }>;
  /** The entry of a client. */
  client(id: string): Promise<ClientOf | undefined>;
}

/** A request without the options of a connection. */
export type TargetRequest = Pick<WireRequest, 'method' | 'headers' | 'body'>;

/** A login without a browser. */
export interface LoginOf {
  readonly client: string;
  readonly user: string;
  readonly redirect_uri: string;
  readonly scope?: string;
  readonly nonce?: string;
  readonly resource?: string;
}

/** The members of a client that its requests need. */
export interface ClientOf {
  readonly client_secret?: string;
  readonly token_endpoint_auth_method?: string;
  readonly redirect_uris?: readonly string[];
}

/** The samples that a sandbox gives by requests, and what it refused. */
export interface Observed {
  readonly samples: Samples;
  readonly refusals: readonly string[];
}

/** Measures a sandbox as a client would: metadata, keys, a login, its tokens, UserInfo. */
export async function observe(target: Target, probe: ProbeLogin): Promise<Observed> {
  const refusals: string[] = [];
  const metadata = await metadataOf(target, probe, refusals);
  const keys = await keysOf(target, metadata);
  const login = await attempt('the sign-in', refusals, () => logIn(target, metadata, probe));
  const service = await attempt('client credentials', refusals, () => serviceTokens(target, metadata, probe));
  const tokens: Partial<Record<TokenKind, TokenSample>> = {
    ...tokensIn(login?.answer),
    ...(typeof service?.access_token === 'string' && { client_token: sampleOf(service.access_token) }),
  };
  const answer = login?.answer ?? service;
  return {
    samples: { tokens, ...defined({ metadata, keys, answer, userinfo: login?.userinfo, callback: login?.callback }) },
    refusals,
  };
}

async function attempt<T>(name: string, refusals: string[], work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    refusals.push(`${name}: ${error instanceof Error ? error.message : String(error)}`);
    return undefined;
  }
}

function ask(target: Target, address: string, sent?: TargetRequest): ReturnType<Target['ask']> {
  const { pathname, search } = new URL(address);
  return target.ask(pathname + search, sent);
}

/** Below the path of your issuer if the sandbox has one there, because a provider has several documents. */
async function metadataOf(target: Target, { issuerPath }: ProbeLogin, refusals: string[]): Promise<SampleMembers> {
  const paths = [issuerPath, new URL(target.issuer).pathname].filter(path => path !== undefined);
  let status = 0;
  for (const path of paths) {
    const answered = await target.ask(`${path.replace(/\/$/, '')}/.well-known/openid-configuration`);
    status = answered.status;
    const members = status === 200 ? recordIn(answered.text) : undefined;
    if (typeof members?.issuer === 'string') return members;
  }
  refusals.push(`the metadata: answered ${status}`);
  return {};
}

async function keysOf(target: Target, { jwks_uri }: SampleMembers): Promise<readonly SampleMembers[] | undefined> {
  if (typeof jwks_uri !== 'string') return undefined;
  const keys = recordIn((await ask(target, jwks_uri)).text)?.keys;
  return Array.isArray(keys) ? keys.filter(isRecord) : undefined;
}

interface LoggedIn {
  readonly answer: SampleMembers;
  readonly callback: readonly string[];
  readonly userinfo?: SampleMembers;
}

/** In the ways in which applications ask, until the access token has the form of the sample. */
async function logIn(target: Target, metadata: SampleMembers, probe: ProbeLogin): Promise<LoggedIn | undefined> {
  const { client, user, resource } = probe;
  if (client === undefined || user === undefined) return undefined;
  const [redirect_uri = 'http://localhost/callback'] = (await target.client(client))?.redirect_uris ?? [];
  const own = URL.canParse(redirect_uri) ? new URL(redirect_uri).origin : 'null';
  const ways: readonly Way[] = [{}, { resource }, { origin: own }, { origin: own, resource }];
  let found: LoggedIn | undefined;
  let failure: unknown;
  for (const way of ways) {
    try {
      found = await logInBy(target, metadata, { ...probe, client, user, redirect_uri }, way);
      if (resource === undefined || sampleOf(String(found.answer.access_token)).claims !== undefined) return found;
    } catch (error) {
      failure ??= error;
    }
  }
  if (found === undefined) throw failure;
  return found;
}

interface Way {
  readonly resource?: string;
  readonly origin?: string;
}

type PlannedLogin = ProbeLogin & Omit<LoginOf, 'nonce' | 'scope' | 'resource'>;

async function logInBy(target: Target, metadata: SampleMembers, planned: PlannedLogin, way: Way): Promise<LoggedIn> {
  const { client, user, redirect_uri, scope, nonce } = planned;
  const { origin = planned.origin } = way;
  const asked = {
    client,
    user,
    redirect_uri,
    ...(scope !== '' && { scope }),
    ...(nonce && { nonce: 'made-up-nonce' }),
  };
  const { redirect, code, code_verifier } = await target.login({ ...asked, resource: way.resource });
  const form = { grant_type: 'authorization_code', code, redirect_uri, ...defined({ code_verifier }) };
  const answer = await tokensFor(target, metadata, { client, form, origin });
  const userinfo = await userinfoOf(target, metadata, answer);
  return { answer, callback: [...new Set(new URL(redirect).searchParams.keys())].sort(), userinfo };
}

async function serviceTokens(
  target: Target,
  metadata: SampleMembers,
  { service, serviceScope }: ProbeLogin,
): Promise<SampleMembers | undefined> {
  if (service === undefined) return undefined;
  const form = { grant_type: 'client_credentials', ...(serviceScope !== '' && { scope: serviceScope }) };
  return tokensFor(target, metadata, { client: service, form });
}

interface TokenRequest {
  readonly client: string;
  readonly form: Readonly<Record<string, string>>;
  readonly origin?: string;
}

async function tokensFor(
  target: Target,
  { token_endpoint }: SampleMembers,
  { client, form, origin }: TokenRequest,
): Promise<SampleMembers> {
  if (typeof token_endpoint !== 'string') throw new Error('the metadata has no token_endpoint');
  const { client_secret: secret, token_endpoint_auth_method: method } = (await target.client(client)) ?? {};
  const isBasic = secret !== undefined && method !== 'client_secret_post';
  const body = new URLSearchParams({
    ...form,
    ...(!isBasic && { client_id: client }),
    ...(secret !== undefined && !isBasic && { client_secret: secret }),
  });
  const headers = {
    'Content-Type': 'application/x-www-form-urlencoded',
    Accept: 'application/json',
    ...(isBasic && { Authorization: `Basic ${basic(client, secret)}` }),
    ...(origin !== undefined && { Origin: origin }),
  };
  const { status, text } = await ask(target, token_endpoint, { method: 'POST', headers, body: body.toString() });
  const answer = recordIn(text);
  if (status === 200 && answer !== undefined && answer.error === undefined) return answer;
  throw new Error(
    `the token endpoint answered ${status}: ${String(answer?.error_description ?? answer?.error ?? '').slice(0, 200)}`,
  );
}

/** RFC 6749 §2.3.1. */
function basic(id: string, secret: string): string {
  return Buffer.from([id, secret].map(encodeURIComponent).join(':')).toString('base64');
}

async function userinfoOf(
  target: Target,
  { userinfo_endpoint }: SampleMembers,
  { access_token }: SampleMembers,
): Promise<SampleMembers | undefined> {
  if (typeof userinfo_endpoint !== 'string' || typeof access_token !== 'string') return undefined;
  const { status, text } = await ask(target, userinfo_endpoint, {
    headers: { Authorization: `Bearer ${access_token}` },
  });
  return status === 200 ? recordIn(text) : undefined;
}

function tokensIn(answer: SampleMembers = {}): Samples['tokens'] {
  const found: Partial<Record<TokenKind, TokenSample>> = {};
  for (const name of ['access_token', 'id_token', 'refresh_token'] as const) {
    const text = answer[name];
    const sample = typeof text === 'string' ? sampleOf(text) : undefined;
    if (sample !== undefined && kindOf(name, sample) !== undefined) found[name] = sample;
  }
  return found;
}
