import { isRecord } from '../text/record.ts';
import { callWith } from './ask.ts';
import { authorize, authorizeWell, logIn } from './authorization.ts';
import { type Bench, endpoint, inserted, readDocument } from './bench.ts';
import { attemptIn, type Checks } from './check.ts';
import { demand } from './demand.ts';
import { describe, type Json, jsonOf, listOf, textOf } from './json.ts';
import { registerClient, type TestClient } from './test-client.ts';
import { readKeys } from './verify.ts';

const privateMembers = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'k', 'oth'];

/** Who the server is, whom it knows, and what it says of them. */
export const identityChecks: Checks = {
  issuer: {
    promise: 'both documents are of this issuer, and say the same',
    attempt: checkDocuments,
  },
  jwks_uri: { promise: 'public keys, each under an id of its own', attempt: checkKeys },
  scopes_supported: {
    promise: 'a client that may have this scope gets it',
    async attempt(bench, scope) {
      const { tokens } = await everything(bench);
      const granted = textOf(tokens, 'scope').split(' ');
      demand(granted.includes(scope), `granted was ${granted.join(' ')}`);
    },
  },
  claims_supported: {
    promise: 'this claim in the ID Token or at UserInfo',
    async attempt(bench, claim) {
      const { claims, userinfo } = await everything(bench);
      demand(claim in claims || claim in userinfo, 'it is in neither, for a user who has every claim');
    },
  },
  claim_types_supported: {
    promise: 'claims of this type (OIDC Core §5.6)',
    attempt: (bench, type) =>
      attemptIn(
        { normal: async () => demand(!('_claim_names' in (await everything(bench)).userinfo), 'no claims') },
        bench,
        type,
      ),
  },
  subject_types_supported: {
    promise: 'subjects of this type',
    attempt: (bench, type) => attemptIn({ public: checkPublicSubject, pairwise: checkPairwiseSubject }, bench, type),
  },
  acr_values_supported: {
    promise: 'a login that reaches this acr',
    async attempt(bench, acr) {
      const client = await registerClient(bench);
      const { claims } = await logIn(bench, client, { acr_values: acr });
      demand(claims.acr === acr, `the acr of the ID Token is ${claims.acr}`);
    },
  },
  userinfo_endpoint: { promise: 'the claims of whoever the access token is for', attempt: checkUserinfo },
  claims_parameter_supported: { promise: 'the claims parameter', attempt: checkClaimsParameter },
  prompt_values_supported: {
    promise: 'what this prompt asks for',
    attempt: (bench, value) => attemptIn(prompts, bench, value),
  },
};

/** A login with every scope, and what UserInfo says of it. */
export function everything(bench: Bench) {
  return bench.once('everything', async () => {
    const client = await registerClient(bench);
    const scope = listOf(bench.metadata, 'scopes_supported').join(' ');
    const login = await logIn(bench, client, { scope });
    return { client, ...login, userinfo: await userinfoOf(bench, client, textOf(login.tokens, 'access_token')) };
  });
}

export async function userinfoOf(bench: Bench, client: TestClient, accessToken: string): Promise<Json> {
  const answer = await callWith(bench, client, endpoint(bench, 'userinfo_endpoint'), accessToken);
  demand(answer.status === 200, `UserInfo answered ${describe(answer)}`);
  return jsonOf(answer);
}

/** RFC 8414 §3.3, OIDC Discovery §4.3; each document at each of its addresses. */
async function checkDocuments(bench: Bench, issuer: string): Promise<void> {
  const { metadata, oauthMetadata, subject, http } = bench;
  demand(issuer === subject.issuer, `the OpenID document says ${issuer}, and the issuer is ${subject.issuer}`);
  const others = await Promise.all(
    ['oauth-authorization-server', 'openid-configuration'].flatMap(name => [
      readDocument(http, inserted(issuer, name)),
      readDocument(http, `${issuer}/.well-known/${name}`),
    ]),
  );
  for (const document of [oauthMetadata, ...others]) {
    const different = Object.keys(document).find(name => !isSame(document[name], metadata[name]));
    demand(different === undefined, `${different} is another in one document than in the other`);
  }
}

/** Of an object the one may know less: the endpoints of OpenID Connect have aliases, too. */
function isSame(a: unknown, b: unknown): boolean {
  if (isRecord(a) && isRecord(b)) return Object.keys(a).every(name => isSame(a[name], b[name]));
  return JSON.stringify(a) === JSON.stringify(b);
}

async function checkKeys(bench: Bench): Promise<void> {
  const keys = await readKeys(bench);
  const kids = keys.map(({ kid }) => kid);
  demand(kids.length > 0 && kids.every(kid => typeof kid === 'string'), 'there is no key, or one without kid');
  demand(new Set(kids).size === kids.length, `two keys have the same kid: ${kids.join(', ')}`);
  for (const key of keys) {
    const secret = privateMembers.find(member => member in key);
    demand(secret === undefined, `the key ${key.kid} is published with its private member ${secret}`);
    demand(key.use === 'sig' && typeof key.alg === 'string', `the key ${key.kid} does not say what it is for`);
  }
}

async function checkPublicSubject(bench: Bench): Promise<void> {
  const { claims, userinfo } = await everything(bench);
  const { sub } = bench.subject.user;
  demand(
    claims.sub === sub && userinfo.sub === sub,
    `${sub} is ${claims.sub} in the ID Token, ${userinfo.sub} at UserInfo`,
  );
}

async function checkPairwiseSubject(bench: Bench): Promise<void> {
  const client = await registerClient(bench, { subject_type: 'pairwise' });
  const { tokens, claims } = await logIn(bench, client);
  demand(claims.sub !== bench.subject.user.sub, 'the ID Token has the sub that everybody sees');
  const userinfo = await userinfoOf(bench, client, textOf(tokens, 'access_token'));
  demand(userinfo.sub === claims.sub, 'UserInfo has another sub than the ID Token');
}

async function checkUserinfo(bench: Bench, url: string): Promise<void> {
  const { userinfo } = await everything(bench);
  demand(userinfo.sub === bench.subject.user.sub, `it is about ${userinfo.sub}`);
  const refused = await bench.http.send(url);
  demand(refused.status === 401, `without a token it answered ${describe(refused)}`);
  demand(refused.headers['www-authenticate'] !== undefined, 'a refusal has no challenge');
}

/** Without `profile`, a name comes only to whoever asks by `claims`; where that is off, it changes nothing. */
async function checkClaimsParameter(bench: Bench, value: string): Promise<void> {
  const client = await registerClient(bench);
  const claims = JSON.stringify({ id_token: { name: { essential: true } }, userinfo: { name: null } });
  const { claims: told, tokens } = await logIn(bench, client, { claims });
  const userinfo = await userinfoOf(bench, client, textOf(tokens, 'access_token'));
  const isTold = 'name' in told && 'name' in userinfo;
  demand(isTold === (value === 'true'), isTold ? 'the claims are there all the same' : 'the claims are not there');
}

type Attempts = Parameters<typeof attemptIn>[0];

const prompts: Attempts = {
  async none(bench) {
    const client = await registerClient(bench);
    const browser = bench.browser();
    await authorizeWell(bench, client, {}, { browser });
    await authorizeWell(bench, client, { prompt: 'none' }, { browser });
    const stranger = await promptNone(bench);
    demand(stranger === 'login_required', `in a browser where nobody is signed in it answered ${stranger ?? 'a code'}`);
  },
  login: bench => demandPage(bench, 'login'),
  select_account: bench => demandPage(bench, 'select_account'),
  consent: bench => demandPage(bench, 'consent'),
};

async function promptNone(bench: Bench): Promise<string | undefined> {
  const { parameters } = await authorize(bench, await registerClient(bench), { prompt: 'none' });
  return parameters.error;
}

/** Somebody who is signed in is asked all the same, and comes through. */
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
