import { isRecord } from '../../../src/base/text/record.ts';
import { callWith } from './ask.ts';
import { authorize, authorizeWell, logIn } from './authorization.ts';
import { type Bench, endpoint, inserted, type Probe, readDocument } from './bench.ts';
import { demand } from './demand.ts';
import type { TestRequest } from './http.ts';
import { describe, type Json, jsonOf, listOf, textOf } from './json.ts';
import { registerClient, type TestClient } from './test-client.ts';
import { readKeys } from './verify.ts';

const privateMembers = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'k', 'oth'];

export async function probeScope(bench: Bench, scope: string): Promise<void> {
  const { tokens } = await everything(bench);
  if (tokens.scope === undefined) return; // RFC 6749 §5.1: all that was requested
  const granted = textOf(tokens, 'scope').split(' ');
  const isGranted =
    granted.includes(bench.subject.spokenScope(scope)) ||
    (scope === 'offline_access' && tokens.refresh_token !== undefined);
  demand(isGranted, `the granted scope is ${granted.join(' ')}`);
}

/** Tests that a claim is in the ID token or at UserInfo. */
export async function probeClaim(bench: Bench, claim: string): Promise<void> {
  const { claims, userinfo } = await everything(bench);
  demand(claim in claims || claim in userinfo, 'neither has this claim, for a user who has every claim');
}

/** Tests that claims are in the response itself, not distributed or aggregated (OIDC Core §5.6). */
export async function probeNormalClaims(bench: Bench): Promise<void> {
  demand(!('_claim_names' in (await everything(bench)).userinfo), 'UserInfo has distributed or aggregated claims');
}

export async function probeAcr(bench: Bench, acr: string): Promise<void> {
  const { claims } = await logIn(bench, await registerClient(bench), { acr_values: acr });
  demand(claims.acr === acr, `the acr of the ID token is ${claims.acr}`);
}

const logins = new WeakMap<Bench, ReturnType<typeof logInWithAll>>();

/** Logs in once for all probes that need it. */
function everything(bench: Bench) {
  const begun = logins.get(bench) ?? logInWithAll(bench);
  logins.set(bench, begun);
  return begun;
}

/** Logs in with every scope and calls UserInfo. */
async function logInWithAll(bench: Bench) {
  const client = await registerClient(bench);
  const scope = listOf(bench.metadata, 'scopes_supported').join(' ');
  const login = await logIn(bench, client, { scope });
  // a server without UserInfo has all claims in the ID token
  const hasUserinfo = bench.metadata.userinfo_endpoint !== undefined;
  const userinfo = hasUserinfo ? await userinfoOf(bench, client, textOf(login.tokens, 'access_token')) : {};
  return { client, ...login, userinfo };
}

async function userinfoOf(bench: Bench, client: TestClient, accessToken: string): Promise<Json> {
  const answer = await callWith(bench, client, endpoint(bench, 'userinfo_endpoint'), accessToken);
  demand(answer.status === 200, `UserInfo answered ${describe(answer)}`);
  return jsonOf(answer);
}

/** Tests that the documents at all their URLs name the issuer and agree (RFC 8414 §3.3, OIDC Discovery §4.3). */
export async function probeDocuments(bench: Bench, issuer: string): Promise<void> {
  const { metadata, oauthMetadata, subject, http } = bench;
  demand(issuer === subject.iss, `the OpenID document names ${issuer}, but the issuer is ${subject.iss}`);
  const place = placeOf(subject);
  const others = await Promise.all(
    ['oauth-authorization-server', 'openid-configuration'].flatMap(name => [
      readDocument(http, inserted(place, name)),
      readDocument(http, `${place}/.well-known/${name}`),
    ]),
  );
  for (const document of [oauthMetadata, ...others]) {
    const different = Object.keys(document).find(name => !isSame(document[name], metadata[name]));
    demand(different === undefined, `${different} differs between the documents`);
  }
}

/** The address below which the documents of the identifier are. An identifier on another host is below our own address. */
function placeOf({ issuer, iss }: Bench['subject']): string {
  const { origin, pathname } = new URL(iss);
  return origin === new URL(issuer).origin ? iss.replace(/\/$/, '') : issuer + pathname.replace(/\/$/, '');
}

/** Compares members. An object in the OAuth document may have fewer members, because it leaves out aliases of OpenID endpoints. */
function isSame(a: unknown, b: unknown): boolean {
  if (isRecord(a) && isRecord(b)) return Object.keys(a).every(name => isSame(a[name], b[name]));
  return JSON.stringify(a) === JSON.stringify(b);
}

/** Tests that the JWK Set has public keys with unique ids, and no private members. */
export async function probeKeys(bench: Bench): Promise<void> {
  const keys = await readKeys(bench);
  const kids = keys.map(({ kid }) => kid);
  demand(kids.length > 0 && kids.every(kid => typeof kid === 'string'), 'there is no key, or a key has no kid');
  demand(new Set(kids).size === kids.length, `two keys have the same kid: ${kids.join(', ')}`);
  for (const key of keys) {
    const secret = privateMembers.find(member => member in key);
    demand(secret === undefined, `the key ${key.kid} is published with its private member ${secret}`);
  }
}

/** Probes for the values of `subject_types_supported`. */
export const subjects: Readonly<Record<string, Probe>> = { public: probePublic, pairwise: probePairwise };

async function probePublic(bench: Bench): Promise<void> {
  const { claims, userinfo } = await everything(bench);
  const { sub } = bench.subject.user;
  demand(
    claims.sub === sub && userinfo.sub === sub,
    `${sub} is ${claims.sub} in the ID token, ${userinfo.sub} at UserInfo`,
  );
}

async function probePairwise(bench: Bench): Promise<void> {
  const client = await registerClient(bench, { subject_type: 'pairwise' });
  const { tokens, claims } = await logIn(bench, client);
  demand(claims.sub !== bench.subject.user.sub, 'the ID token has the public sub');
  if (bench.metadata.userinfo_endpoint === undefined) return;
  const userinfo = await userinfoOf(bench, client, textOf(tokens, 'access_token'));
  demand(userinfo.sub === claims.sub, 'the sub of UserInfo differs from that of the ID token');
}

/** Tests that UserInfo returns the user, and refuses a request without a token. */
export async function probeUserinfo(bench: Bench, url: string): Promise<void> {
  const { userinfo } = await everything(bench);
  demand(userinfo.sub === bench.subject.user.sub, `the sub is ${userinfo.sub}`);
  const refused = await bench.http.send(url);
  demand(refused.status === 401, `without a token UserInfo answered ${describe(refused)}`);
}

/** Tests the `claims` parameter: without the scope `profile` it alone releases the name. If it is off, it must have no effect. */
export async function probeClaimsParameter(bench: Bench, value: string): Promise<void> {
  const client = await registerClient(bench);
  const claims = JSON.stringify({ id_token: { name: { essential: true } }, userinfo: { name: null } });
  const { claims: told, tokens } = await logIn(bench, client, { claims });
  const userinfo = await userinfoOf(bench, client, textOf(tokens, 'access_token'));
  const isTold = 'name' in told && 'name' in userinfo;
  demand(
    isTold === (value === 'true'),
    isTold ? 'the requested claims were returned nevertheless' : 'the requested claims were not returned',
  );
}

/** Probes for the values of `prompt_values_supported`. */
export const prompts: Readonly<Record<string, Probe>> = {
  async none(bench) {
    const client = await registerClient(bench);
    const browser = bench.browser();
    await authorizeWell(bench, client, {}, { browser });
    await authorizeWell(bench, client, { prompt: 'none' }, { browser });
    const { error = 'a code' } = (await authorize(bench, client, { prompt: 'none' })).parameters;
    demand(error === 'login_required', `without a session the authorization endpoint answered ${error}`);
  },
  login: bench => demandPage(bench, 'login'),
  select_account: bench => demandPage(bench, 'select_account'),
  consent: bench => demandPage(bench, 'consent'),
};

/** Tests that a signed-in user is asked again and can continue. */
async function demandPage(bench: Bench, prompt: string): Promise<void> {
  const client = await registerClient(bench);
  const browser = bench.browser();
  await authorizeWell(bench, client, {}, { browser });
  const pages: string[] = [];
  const watching = {
    ...browser,
    submit: (...args: Parameters<typeof browser.submit>) => {
      pages.push(args[1]);
      return browser.submit(...args);
    },
  };
  await authorizeWell(bench, client, { prompt }, { browser: watching });
  const isShown =
    prompt === 'consent' ? pages.includes('consent-allow') : pages.some(name => name.startsWith('login-'));
  demand(isShown, 'the user was not asked');
}

/** The page of a logout, which needs no client, in the language that `ui_locales` asks for (OIDC RP-Initiated Logout §2). */
export async function probeLanguage({ http, metadata }: Bench, value: string): Promise<void> {
  const url = new URL(textOf(metadata, 'end_session_endpoint'));
  url.searchParams.set('ui_locales', value);
  const { headers } = await http.send(url);
  const language = headers['content-language'];
  demand(language === value, `a page for ui_locales=${value} has the Content-Language ${language ?? '(missing)'}`);
}

/** Tests the resource metadata of an API (RFC 9728 §3), and calls the API if it is the sample API. */
export async function probeResource(bench: Bench, resource: string): Promise<void> {
  const document = await readDocument(bench.http, inserted(resource, 'oauth-protected-resource'));
  demand(document.resource === resource, `the metadata names the resource ${document.resource}`);
  const servers = listOf(document, 'authorization_servers');
  demand(servers.includes(bench.subject.iss), `the authorization servers are ${servers.join(', ')}`);
  if (/\/api\/[^/]+$/.test(resource)) await demandCall(bench, resource, document);
}

/** Tests that a call without a token gets the URL of the metadata (RFC 9728 §5.1), and that a token for this API is accepted. */
async function demandCall(bench: Bench, resource: string, document: Json): Promise<void> {
  const sent = await offeredCall(bench, resource);
  const stranger = await bench.http.send(resource, sent);
  demand(stranger.status === 401, `without a token the API answered ${describe(stranger)}`);
  const challenge = String(stranger.headers['www-authenticate'] ?? '');
  const where = inserted(resource, 'oauth-protected-resource');
  demand(challenge.includes(`resource_metadata="${where}"`), `the challenge is ${challenge || 'missing'}`);
  const scopes = listOf(document, 'scopes_supported');
  const client = await registerClient(bench, { scope: ['openid', ...scopes].join(' ') });
  const { tokens } = await logIn(bench, client, { scope: ['openid', ...scopes].join(' '), resource });
  const answer = await callWith(bench, client, resource, textOf(tokens, 'access_token'), sent);
  const asksForMore = String(answer.headers['www-authenticate'] ?? '').includes('insufficient_user_authentication');
  const isTaken = ![401, 403].includes(answer.status) || asksForMore;
  demand(isTaken, `with a valid token the API answered ${describe(answer)}`);
}

/** A GET, or a POST with an empty object if the API does not support GET. */
async function offeredCall({ http }: Bench, resource: string): Promise<TestRequest> {
  const { status } = await http.send(resource);
  if (status !== 405) return {};
  return { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{}' };
}
