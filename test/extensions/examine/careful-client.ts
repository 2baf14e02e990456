import type { JWTPayload } from 'jose';
import { type App, careful, hybrid, type Provider, requestKey } from './careful/app.ts';
import { authorize } from './careful/authorize.ts';
import { prove } from './careful/dpop.ts';
import { idTokenClaims, keysAt, verifiedClaims } from './careful/id-token.ts';
import { type Has, type Json, must } from './careful/must.ts';

export { careful };

// A client that makes each check by itself, one after the other and without a library, so that each can be left out alone.

interface Way {
  /** Default: the code flow; `dpop`: with tokens that are tied to a key. */
  readonly flow?: 'code' | 'hybrid' | 'dpop';
  /** Registers itself at each issuer. */
  readonly registers?: true;
}

/** A client with all checks but one: `lapse` is the id of the module that it fails. */
export function createCarefulClient(lapse = '', { flow = 'code', registers }: Way = {}) {
  const has: Has = check => check !== lapse;
  const kept = new Map<string, Provider['store']>();
  const usual = appOf(flow, has);
  const metadataOf = new Map<string, Json>();
  const signIn = async ({ issuer }: { readonly issuer: string }): Promise<boolean> => {
    const metadata = await discover(issuer, has, metadataOf.get(issuer));
    metadataOf.set(issuer, metadata);
    const app = registers ? await registered(metadata, usual) : usual;
    const jwksUri = has('discovery-jwks-uri-keys') ? String(metadata.jwks_uri) : `${issuer}/oauth2/jwks`;
    const old = has('signing-key-rotation') ? undefined : kept.get(issuer);
    const store =
      old ?? (await keysAt(jwksUri).catch(error => (has('jwks-dropped') ? raise(error) : believedAnyway({}))));
    kept.set(issuer, store);
    const mayRefetch = has('signing-key-rotation-just-before-signing') && old === undefined;
    const refetch = async () => {
      if (mayRefetch) store.keys = (await keysAt(jwksUri)).keys;
    };
    const known = new Set(kept.keys());
    return afterDiscovery(app, { issuer, metadata, store, refetch, known });
  };
  return (at: { readonly issuer: string }) =>
    signIn(at).catch(error => {
      if (error instanceof Believed) return true;
      throw error;
    });
}

function appOf(flow: Way['flow'], has: Has): App {
  if (flow === 'hybrid') return { has, entry: hybrid, requestKey };
  return { has, entry: careful, ...(flow === 'dpop' ? { prove } : {}) };
}

async function afterDiscovery(app: App, provider: Provider): Promise<boolean> {
  const { has, entry } = app;
  const { metadata } = provider;
  if (!has('password-grant')) await askByPassword(app, metadata);
  const { response, verifier, nonce } = await authorize(app, provider);
  const token = response.get('access_token');
  if (!response.has('code') && token !== null && !has('token-in-response')) {
    await userInfo(app, provider, { access_token: token }, {});
    return true;
  }
  const front = response.get('id_token');
  const code = response.get('code') ?? '';
  const frontToken = response.get('access_token') ?? undefined;
  const beside = { ...provider, has, nonce, client_id: entry.client_id };
  if (front !== null) await idTokenClaims(front, { ...beside, code, access_token: frontToken, isFront: true });
  const form = { grant_type: 'authorization_code', code, redirect_uri: entry.redirect_uris[0] };
  const proved = verifier === undefined ? form : { ...form, code_verifier: verifier };
  const tokens = await tokenRequest(app, metadata, proved);
  const claims = await idTokenClaims(String(tokens.id_token), { ...beside, access_token: String(tokens.access_token) });
  const current = Number(tokens.expires_in) < 5 ? await refresh(app, provider, tokens, claims) : tokens;
  await userInfo(app, provider, current, claims);
  return true;
}

async function discover(issuer: string, has: Has, known?: Json): Promise<Json> {
  const ask = () => fetch(`${issuer}/.well-known/openid-configuration`);
  let response = await (has('discovery-dropped') ? ask() : insisting(ask, 9));
  if (!has('discovery-slow')) must(response.headers.get('sandbox-fault') !== 'slow', 'the metadata is slow');
  if (response.status === 503 && !has('discovery-503')) response = await ask();
  if (!response.ok && known !== undefined && has('discovery-later')) return known;
  must(response.ok, `the metadata was answered with ${response.status}`);
  const metadata: Json = await response.json();
  if (has('discovery-issuer-mismatch')) must(metadata.issuer === issuer, 'the metadata is of another issuer');
  if (!has('unknown-metadata-member')) must(!('grantbox_unknown' in metadata), 'a member that nobody knows');
  return metadata;
}

/** RFC 7591 §3. */
async function registered(metadata: Json, app: App): Promise<App> {
  const { redirect_uris, grant_types, scope } = app.entry;
  const response = await fetch(String(metadata.registration_endpoint), {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ redirect_uris, grant_types, scope }),
  });
  must(response.ok, `the registration was answered with ${response.status}`);
  const answer: Json = await response.json();
  if (!app.has('dynamic-registration')) must(!('grantbox_unknown' in answer), 'a member that nobody knows');
  const { client_id, client_secret } = answer;
  return { ...app, entry: { ...app.entry, client_id: String(client_id), client_secret: String(client_secret) } };
}

function tokenEndpoint({ has }: App, metadata: Json): string {
  if (!has('discovery-openid-config')) return `${metadata.issuer}/oauth2/token`;
  const aliases = metadata.mtls_endpoint_aliases as Json | undefined;
  return String((has('mtls-endpoint-aliases') ? undefined : aliases?.token_endpoint) ?? metadata.token_endpoint);
}

async function post(app: App, metadata: Json, form: Readonly<Record<string, string>>): Promise<Response> {
  const { client_id, client_secret = '' } = app.entry;
  const isBasic = app.has('client-secret-basic');
  const url = tokenEndpoint(app, metadata);
  return fetch(url, {
    method: 'POST',
    headers: {
      ...(isBasic ? { Authorization: `Basic ${btoa(`${client_id}:${client_secret}`)}` } : {}),
      ...(await app.prove?.('POST', url)),
    },
    body: new URLSearchParams(isBasic ? form : { ...form, client_id, client_secret }),
  });
}

/** A client that asks people for their password, and goes on as the others do. */
async function askByPassword(app: App, metadata: Json): Promise<void> {
  await post(app, metadata, { grant_type: 'password', username: 'alice', password: 'alice' });
}

async function tokenRequest(app: App, metadata: Json, form: Readonly<Record<string, string>>): Promise<Json> {
  const { has } = app;
  const isRefresh = form.refresh_token !== undefined;
  const once = () => post(app, metadata, form);
  const ask = () => (has('refresh-lost') || !isRefresh ? once() : insisting(once, 3));
  let response = await ask().catch(error => (has('token-dropped') ? raise(error) : believedAnyway(form)));
  if (isRefresh && !response.ok && !has(refusedRefresh(response))) response = await ask();
  if (!isRefresh && response.status === 503 && !has('token-503')) response = await ask();
  if (response.status === 429 && !has('token-429')) response = await ask();
  const { code_verifier: _, ...unproved } = form;
  if (response.status === 400 && !has('code-injection')) response = await post(app, metadata, unproved);
  // a limit of time without a clock, because a busy machine is slow, too
  if (!has('token-slow')) must(response.headers.get('sandbox-fault') !== 'slow', 'the token endpoint is slow');
  const text = await response.text();
  if (!response.ok && !has('token-error')) return believedAnyway(form);
  must(response.ok, `the token endpoint answered ${response.status}`);
  if (text.startsWith('<') && !has('token-html')) return believedAnyway(form);
  const tokens: Json = JSON.parse(text);
  checkTokenResponse(tokens, app);
  return tokens;
}

/** The module in which a refresh is refused like this. */
function refusedRefresh({ headers }: Response): string {
  const faults = { token_error: 'refresh-expired', refresh_race: 'refresh-race', unavailable: 'refresh-503' };
  return faults[headers.get('sandbox-fault') as keyof typeof faults]; // one of these, by the plan
}

/** Sends a request again at once, as long as there is no response. */
async function insisting(ask: () => Promise<Response>, times: number): Promise<Response> {
  return ask().catch(error => (times === 0 ? raise(error) : insisting(ask, times - 1)));
}

function raise(error: unknown): never {
  throw error;
}

/** A client that looks at nothing goes on with what it has. */
function believedAnyway(form: Readonly<Record<string, string>>): never {
  throw new Believed(`signed in by ${form.code}`);
}

/** Ends a sign-in that the client believes in. */
class Believed extends Error {}

function checkTokenResponse(tokens: Json, { has, prove: isBound }: App): void {
  const type = String(tokens.token_type);
  if (!has('token-type-case-insensitivity'))
    must(['Bearer', 'DPoP', 'mac'].includes(type), 'token_type is written wrong');
  const types = isBound ? ['dpop', ...(has('dpop-downgrade') ? [] : ['bearer'])] : ['bearer'];
  if (has('token-type-unknown')) must(types.includes(type.toLowerCase()), `token_type is ${type}`);
  if (!has('missing-expires-in')) must('expires_in' in tokens, 'no expires_in');
  if (!has('unknown-token-member')) must(!('grantbox_unknown' in tokens), 'a member that nobody knows');
  if (!has('long-token')) must(String(tokens.id_token).length < 4096, 'a token too long for a cookie');
}

/** OIDC Core §12.2: an ID token that comes with new tokens is of the same issuer and user. */
async function refresh(app: App, provider: Provider, tokens: Json, first: JWTPayload): Promise<Json> {
  const { has } = app;
  const form = { grant_type: 'refresh_token', refresh_token: String(tokens.refresh_token) };
  const fresh = await tokenRequest(app, provider.metadata, form);
  if (!has('refresh-token')) must('id_token' in fresh, 'no ID token came with the refresh');
  if (fresh.id_token === undefined) return fresh;
  const { iss, sub } = await verifiedClaims(String(fresh.id_token), { ...provider, has });
  if (has('refresh-token-invalid-issuer')) must(iss === provider.issuer, 'the refresh is of another issuer');
  if (has('refresh-token-invalid-sub')) must(sub === first.sub, 'the refresh is about somebody else');
  return fresh;
}

async function userInfo(app: App, provider: Provider, tokens: Json, { sub }: JWTPayload): Promise<void> {
  const { has } = app;
  const url = String(provider.metadata.userinfo_endpoint);
  const token = String(tokens.access_token);
  const bearer = { Authorization: `Bearer ${token}` };
  if (!has('userinfo-bearer-header')) await fetch(`${url}?access_token=${token}`);
  if (!has('userinfo-in-body'))
    await fetch(url, { method: 'POST', body: new URLSearchParams({ access_token: token }) });
  if (!has('token-without-proof')) await fetch(url, { headers: bearer });
  const headers = /dpop/i.test(String(tokens.token_type))
    ? { Authorization: `DPoP ${token}`, ...(await app.prove?.('GET', url, token)) }
    : bearer;
  const response = await fetch(url, { headers });
  if (!has('proof-reused')) await fetch(url, { headers });
  must(response.ok, `UserInfo answered ${response.status}`);
  const isSigned = response.headers.get('content-type')?.startsWith('application/jwt') === true;
  if (app.entry.userinfo_signed_response_alg !== undefined && has('userinfo-unsigned'))
    must(isSigned, 'UserInfo is not signed');
  const claims: Json = isSigned
    ? await verifiedClaims(await response.text(), { ...provider, has })
    : await response.json();
  const sources = (claims._claim_sources ?? {}) as Readonly<Record<string, { JWT?: string; endpoint?: string }>>;
  for (const { JWT, endpoint } of Object.values(sources)) {
    if (!has('aggregated-claims')) must(JWT === undefined, 'claims of somebody else');
    if (!has('distributed-claims') && endpoint !== undefined) await fetch(endpoint, { headers });
  }
  if (sub === undefined) return;
  const isChecked = claims.sub === undefined ? has('userinfo-missing-sub') : has('userinfo-invalid-sub');
  if (isChecked) must(claims.sub === sub, 'UserInfo is about somebody else');
}
