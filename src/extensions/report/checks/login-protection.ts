import type { RecordedRequest } from '../../../record/flows/recorded-request.ts';
import { type Check, counted, found, notApplicable, passed, refusalCheck, refusalsOf, requestsOf } from '../check.ts';
import { type ClientRun, hasPkce, type RecordedLogin } from '../client-run.ts';

// Checks that bind the response of a login to the browser and the client that requested it.

const noLogin = 'The client sent no authorization request.';
const noCode = 'The client sent no authorization request for a code.';

const asksForCode = (login: RecordedLogin) => login.value('response_type')?.split(' ').includes('code') === true;
const requestOf = ({ request }: RecordedLogin): RecordedRequest => request;

/** Leaves out requests that cannot be read: nothing can be said about them. */
function readable(logins: readonly RecordedLogin[]): readonly RecordedLogin[] {
  return logins.filter(({ isReadable }) => isReadable);
}

const pkceS256: Check = {
  id: 'pkce_s256',
  title: 'Sign-ins use PKCE with S256',
  failed: 'A sign-in request had no PKCE',
  references: ['RFC 7636 §4.2', 'RFC 9700 §2.1.1'],
  reasons: ['pkce_missing', 'pkce_method_unsupported'],
  look(run) {
    const { logins, client } = run;
    const all = readable(logins).filter(asksForCode);
    const without = all.filter(login => !hasPkce(login));
    // a refused pushed request never becomes a login
    const refused = requestsOf(refusalsOf(run, ['pkce_missing', 'pkce_method_unsupported'])).filter(
      ({ event }) => event.endpoint === 'par',
    );
    if (without.length === 0 && refused.length > 0)
      return found(
        'fail',
        'A pushed request came without the S256 code_challenge that this client must send.',
        refused,
      );
    if (all.length === 0) return notApplicable(noCode);
    if (without.length === 0) return passed(`${counted(all.length, 'sign-in')}, each with an S256 code_challenge.`);
    const isConfidential = client?.token_endpoint_auth_methods.some(method => method !== 'none') === true;
    const isPlain = without.some(login => login.value('code_challenge') !== undefined);
    const verdict = isConfidential && !isPlain && !client.require_pkce ? 'warn' : 'fail';
    const why = `${without.length} of ${counted(all.length, 'sign-in')} came without an S256 code_challenge. ${
      isConfidential ? 'A confidential client should use PKCE, too' : 'A public client must use PKCE'
    }: without it, anybody who steals a code can redeem it.`;
    return found(verdict, why, without.map(requestOf));
  },
};

const pkceVerifier = refusalCheck({
  id: 'pkce_verifier',
  title: 'Each code_verifier matches its code_challenge',
  failed: 'A code_verifier did not match its code_challenge',
  references: ['RFC 7636 §4.5', 'RFC 7636 §4.6'],
  reasons: ['pkce_mismatch', 'pkce_unexpected', 'pkce_missing'],
  // the previous check covers a login without a challenge
  endpoint: 'token',
  verdict: 'fail',
  good: ({ finished }) => (finished.some(hasPkce) ? 'Each code_verifier matched its code_challenge.' : undefined),
  absent: 'No sign-in used PKCE.',
  advice: 'Store one code_verifier for each sign-in until its code is redeemed.',
});

const csrf: Check = {
  id: 'csrf_protection',
  title: 'state, PKCE or nonce protects each sign-in against CSRF',
  failed: 'A sign-in request had no state, no nonce and no PKCE',
  references: ['RFC 6749 §10.12', 'RFC 9700 §2.1'],
  look({ logins }) {
    const all = readable(logins);
    if (all.length === 0) return notApplicable(noLogin);
    const bare = all.filter(login => !hasPkce(login) && !login.value('state') && !login.value('nonce'));
    if (bare.length === 0) {
      const stateful = all.filter(login => login.value('state') !== undefined).length;
      return passed(`${stateful} of ${counted(all.length, 'sign-in')} had a state, the others PKCE or a nonce.`);
    }
    const why = `${bare.length} of ${counted(all.length, 'sign-in')} came without state, nonce and PKCE. An attacker can finish such a sign-in with the attacker's own code.`;
    return found('fail', why, bare.map(requestOf));
  },
};

/** Upper bound of the entropy in bits: that of a random string of the same length and alphabet. */
function bitsOf(value: string): number {
  const distinct = new Set(value).size;
  const kinds = [/^\d+$/, /^[\da-f-]+$/i, /^[\da-z]+$/, /^[\dA-Z]+$/];
  const sizes = [10, 16, 36, 36];
  const kind = kinds.findIndex(each => each.test(value));
  return value.length * Math.log2(Math.min(sizes[kind] ?? 64, 2 ** Math.max(0, distinct - 1)));
}

/** Cannot be guessed in the minutes a login takes. A UUID has 122 bits, a word of ten letters 52. */
const enoughBits = 64;

const stateRandom: Check = {
  id: 'state_random',
  title: 'state cannot be guessed',
  failed: 'A state can be guessed',
  references: ['RFC 6749 §10.10', 'RFC 6749 §10.12'],
  look({ logins }) {
    const sent = readable(logins).filter(login => login.value('state') !== undefined);
    if (sent.length === 0) return notApplicable('The client sent no state.');
    const alone = sent.filter(login => !hasPkce(login) && login.value('nonce') === undefined);
    if (alone.length === 0)
      return passed('PKCE or a nonce protects each sign-in, so state does not have to be random.');
    const weak = alone.filter(login => bitsOf(login.value('state') ?? '') < enoughBits);
    if (weak.length === 0) return passed(`Each state is long enough for at least ${enoughBits} random bits.`);
    const why = `The state of ${counted(weak.length, 'sign-in')} can be guessed, and nothing else protects it. Send 128 random bits.`;
    return found('warn', why, weak.map(requestOf));
  },
};

const stateCompared: Check = {
  id: 'state_compared',
  title: 'The client rejects a response with a wrong state',
  failed: 'The client accepted a response with a wrong state',
  references: ['RFC 6749 §10.12', 'RFC 9700 §4.7'],
  reasons: ['state_not_checked'],
  look(run) {
    const refusals = refusalsOf(run, ['state_not_checked']);
    const why =
      'The client redeemed a code that came with a missing or different state. It does not compare state with the value it sent.';
    const bent = answersWith(run, ['wrong_state', 'missing_state']);
    const believed = [...requestsOf(refusals), ...bent.flatMap(each => run.redemptionOf(each) ?? [])];
    if (believed.length > 0) return found('fail', why, believed);
    const replaced = run.requests.flatMap(({ facts }) =>
      facts.filter(fact => fact.type === 'answer.replaced' && fact.choice === 'wrong_state'),
    );
    const tried = replaced.length + bent.length;
    if (tried === 0)
      return notApplicable(
        'No response with a wrong state was sent. The sign-in page and the fault wrong_state can send one.',
      );
    return passed(`${counted(tried, 'response')} with a wrong state, none followed by a token request.`);
  },
};

function answersWith({ staged }: ClientRun, faults: readonly string[]): readonly RecordedRequest[] {
  return staged.filter(({ facts }) => facts.some(fact => fact.type === 'fault.applied' && faults.includes(fact.fault)));
}

const issCompared: Check = {
  id: 'iss_compared',
  title: 'The client rejects a response from a different issuer',
  failed: 'The client accepted a response from a different issuer',
  references: ['RFC 9207 §2.4', 'RFC 9700 §4.4.2'],
  look(run) {
    const bent = answersWith(run, ['wrong_iss', 'missing_iss']);
    if (bent.length === 0)
      return notApplicable('No response with a wrong iss was sent. The fault wrong_iss sends one.');
    const believed = bent.flatMap(each => run.redemptionOf(each) ?? []);
    if (believed.length === 0)
      return passed(`${counted(bent.length, 'response')} with a wrong iss, none followed by a token request.`);
    const why =
      'The client redeemed a code that came with a missing or different iss. An attacker who mixes up two servers can steal such codes.';
    return found('fail', why, believed);
  },
};

const isOidc = (login: RecordedLogin) => login.value('scope')?.split(' ').includes('openid') === true;

const nonceSent: Check = {
  id: 'nonce_sent',
  title: 'OpenID Connect sign-ins send a nonce or PKCE',
  failed: 'An OpenID Connect sign-in had no nonce and no PKCE',
  references: ['OIDC Core §3.1.2.1', 'OIDC Core §15.5.2', 'RFC 9700 §2.1.1'],
  reasons: ['nonce_missing'],
  look(run) {
    const refused = refusalsOf(run, ['nonce_missing']);
    const must = 'An ID token from the authorization endpoint requires a nonce, and the client sent none.';
    if (refused.length > 0) return found('fail', must, requestsOf(refused));
    // a login refused for missing PKCE belongs to the check pkce_s256
    const bare = new Set(requestsOf(refusalsOf(run, ['pkce_missing'])));
    const all = readable(run.logins).filter(login => isOidc(login) && !bare.has(login.request));
    if (all.length === 0) return notApplicable('The client requested no ID token.');
    const without = all.filter(login => login.value('nonce') === undefined && !hasPkce(login));
    if (without.length === 0) return passed(`${counted(all.length, 'sign-in')}, each with a nonce or PKCE.`);
    const why = `${without.length} of ${counted(all.length, 'sign-in')} with openid came without nonce and without PKCE. The client would not notice the ID token of a different sign-in.`;
    return found('warn', why, without.map(requestOf));
  },
};

/** The values that a correct app changes for each sign-in, except the parameter under test. */
function loginOf(login: RecordedLogin, without: string): string {
  const others = ['state', 'nonce', 'code_challenge'].filter(name => name !== without);
  return JSON.stringify([...others.map(name => login.value(name)), login.request.header('cookie')]);
}

/** Different logins of one client that share a value of the parameter `name`. */
function reused(finished: readonly RecordedLogin[], name: string): readonly RecordedLogin[] {
  const byValue = new Map<string, RecordedLogin[]>();
  for (const login of finished) {
    const value = login.value(name);
    if (value === undefined) continue;
    const alike = byValue.get(value);
    if (alike === undefined) byValue.set(value, [login]);
    else alike.push(login);
  }
  return [...byValue.values()].filter(all => new Set(all.map(each => loginOf(each, name))).size > 1).flat();
}

/** Makes a check that no two logins share this parameter; `judge` says how bad it is that these do. */
function uniqueCheck(
  parameter: string,
  check: Omit<Check, 'look'>,
  judge: (again: readonly RecordedLogin[]) => readonly [verdict: 'warn' | 'fail', advice: string],
): Check {
  return {
    ...check,
    look({ finished }) {
      const sent = finished.filter(login => login.value(parameter) !== undefined);
      if (sent.length === 0) return notApplicable(`No successful sign-in had a ${parameter}.`);
      const again = reused(finished, parameter);
      if (again.length === 0) return passed(`${counted(sent.length, 'sign-in')}, each with its own ${parameter}.`);
      const [verdict, advice] = judge(again);
      const requests = again.map(({ request }) => request);
      return found(verdict, `${again.length} sign-ins share a ${parameter}. ${advice}`, requests);
    },
  };
}

/** The client makes a new PKCE verifier for each sign-in. */
const challengeUnique = uniqueCheck(
  'code_challenge',
  {
    id: 'pkce_unique',
    title: 'Each sign-in has a new code_verifier',
    failed: 'Several sign-ins used the same code_challenge',
    references: ['RFC 7636 §4.1', 'RFC 7636 §7.1'],
  },
  () => ['fail', 'Generate a new code_verifier of 256 random bits for each sign-in.'],
);

/** The client makes a new nonce for each sign-in. */
const nonceUnique = uniqueCheck(
  'nonce',
  {
    id: 'nonce_unique',
    title: 'Each sign-in has a new nonce',
    failed: 'Several sign-ins used the same nonce',
    references: ['OIDC Core §3.1.2.1', 'OIDC Core §15.5.2'],
  },
  () => ['fail', 'A reused nonce cannot detect a replayed ID token.'],
);

/** The client makes a new state for each sign-in. PKCE reduces a reused state to a warning. */
const stateUnique = uniqueCheck(
  'state',
  {
    id: 'state_unique',
    title: 'Each sign-in has a new state',
    failed: 'Several sign-ins used the same state',
    references: ['RFC 6749 §10.12', 'RFC 9700 §4.7'],
  },
  again =>
    again.every(hasPkce)
      ? ['warn', 'PKCE protects them nevertheless.']
      : ['fail', 'A reused state does not protect against CSRF.'],
);

/** Checks of PKCE, state, nonce and iss, in the order of the report. */
export const loginProtectionChecks: readonly Check[] = [
  pkceS256,
  pkceVerifier,
  challengeUnique,
  csrf,
  stateRandom,
  stateUnique,
  stateCompared,
  issCompared,
  nonceSent,
  nonceUnique,
];
