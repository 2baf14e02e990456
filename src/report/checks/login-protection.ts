import type { RecordedRequest } from '../../flows/recorded-request.ts';
import { type Check, counted, found, notApplicable, passed, refusalCheck, refusalsOf, requestsOf } from '../check.ts';
import type { ClientRun } from '../client-run.ts';
import { hasPkce, type RecordedLogin } from '../login-request.ts';
import { challengeUnique, nonceUnique, stateUnique } from './unique-values.ts';

// What ties the answer of a login to the browser and the client that asked for it.

const noLogin = 'It sent no authorization request.';
const noCode = 'It sent no authorization request for a code.';

const asksForCode = (login: RecordedLogin) => login.value('response_type')?.split(' ').includes('code') === true;
const requestOf = ({ request }: RecordedLogin): RecordedRequest => request;

/** A request that cannot be read says nothing against its client. */
function readable(logins: readonly RecordedLogin[]): readonly RecordedLogin[] {
  return logins.filter(({ isReadable }) => isReadable);
}

const pkceS256: Check = {
  id: 'pkce_s256',
  title: 'PKCE with S256',
  failed: 'A login came without PKCE',
  references: ['RFC 7636 §4.2', 'RFC 9700 §2.1.1'],
  reasons: ['pkce_missing', 'pkce_method_unsupported'],
  look(run) {
    const { logins, client } = run;
    const all = readable(logins).filter(asksForCode);
    const without = all.filter(login => !hasPkce(login));
    // a pushed request that was refused came to no login
    const refused = requestsOf(refusalsOf(run, ['pkce_missing', 'pkce_method_unsupported'])).filter(
      ({ event }) => event.endpoint === 'par',
    );
    if (without.length === 0 && refused.length > 0)
      return found('fail', 'A pushed request came without an S256 code_challenge, which this client needs.', refused);
    if (all.length === 0) return notApplicable(noCode);
    if (without.length === 0) return passed(`All ${counted(all.length, 'login')} came with an S256 code_challenge.`);
    const isConfidential = client?.token_endpoint_auth_methods.some(method => method !== 'none') === true;
    const isPlain = without.some(login => login.value('code_challenge') !== undefined);
    const verdict = isConfidential && !isPlain && !client.require_pkce ? 'warn' : 'fail';
    const why = `${without.length} of ${counted(all.length, 'login')} came without an S256 code_challenge. ${
      isConfidential ? 'A client with a secret should use PKCE, too' : 'A client without a secret must use PKCE'
    }: else a code that leaks is as good as a token.`;
    return found(verdict, why, without.map(requestOf));
  },
};

const pkceVerifier = refusalCheck({
  id: 'pkce_verifier',
  title: 'The code_verifier belongs to the code_challenge',
  failed: 'The code_verifier did not belong to the code_challenge',
  references: ['RFC 7636 §4.5', 'RFC 7636 §4.6'],
  reasons: ['pkce_mismatch', 'pkce_unexpected', 'pkce_missing'],
  // a login without a challenge is the matter of the check before
  endpoint: 'token',
  verdict: 'fail',
  good: ({ finished }) => (finished.some(hasPkce) ? 'Each verifier that came belonged to its challenge.' : undefined),
  absent: 'No login used PKCE.',
  advice: 'Keep one verifier for each login until its code is redeemed.',
});

const csrf: Check = {
  id: 'csrf_protection',
  title: 'state, PKCE or nonce against login CSRF',
  failed: 'A login came without state, nonce and PKCE',
  references: ['RFC 6749 §10.12', 'RFC 9700 §2.1'],
  look({ logins }) {
    const all = readable(logins);
    if (all.length === 0) return notApplicable(noLogin);
    const bare = all.filter(login => !hasPkce(login) && !login.value('state') && !login.value('nonce'));
    if (bare.length === 0) {
      const stateful = all.filter(login => login.value('state') !== undefined).length;
      return passed(`state came with ${stateful} of ${counted(all.length, 'login')}, the others had PKCE or a nonce.`);
    }
    const why = `${bare.length} of ${counted(all.length, 'login')} came without state, nonce and PKCE: whoever likes can finish them with a code of their own.`;
    return found('fail', why, bare.map(requestOf));
  },
};

/** Bits, at most: what as many random letters of the same kinds would have. */
function bitsOf(value: string): number {
  const distinct = new Set(value).size;
  const kinds = [/^\d+$/, /^[\da-f-]+$/i, /^[\da-z]+$/, /^[\dA-Z]+$/];
  const sizes = [10, 16, 36, 36];
  const kind = kinds.findIndex(each => each.test(value));
  return value.length * Math.log2(Math.min(sizes[kind] ?? 64, 2 ** Math.max(0, distinct - 1)));
}

/** Nobody guesses this in the minutes a login takes; UUIDs have 122, a word of ten letters 52. */
const enoughBits = 64;

const stateRandom: Check = {
  id: 'state_random',
  title: 'state cannot be guessed',
  failed: 'A state can be guessed',
  references: ['RFC 6749 §10.10', 'RFC 6749 §10.12'],
  look({ logins }) {
    const sent = readable(logins).filter(login => login.value('state') !== undefined);
    if (sent.length === 0) return notApplicable('It sent no state.');
    const alone = sent.filter(login => !hasPkce(login) && login.value('nonce') === undefined);
    if (alone.length === 0)
      return passed('PKCE or a nonce protects each login: state may then say what the app likes.');
    const weak = alone.filter(login => bitsOf(login.value('state') ?? '') < enoughBits);
    if (weak.length === 0) return passed(`Each state is long enough for ${enoughBits} random bits or more.`);
    const why = `The state of ${counted(weak.length, 'login')} can be guessed, and nothing else protects it. Send 128 random bits.`;
    return found('warn', why, weak.map(requestOf));
  },
};

const stateCompared: Check = {
  id: 'state_compared',
  title: 'An answer with a wrong state is dropped',
  failed: 'An answer with a wrong state was believed',
  references: ['RFC 6749 §10.12', 'RFC 9700 §4.7'],
  reasons: ['state_not_checked'],
  look(run) {
    const refusals = refusalsOf(run, ['state_not_checked']);
    const why = 'It redeemed a code that came with another state than it had sent, or none: it does not compare them.';
    const bent = answersWith(run, ['wrong_state', 'missing_state']);
    const believed = [...requestsOf(refusals), ...bent.flatMap(each => run.redemptionOf(each) ?? [])];
    if (believed.length > 0) return found('fail', why, believed);
    const replaced = run.requests.flatMap(({ facts }) =>
      facts.filter(fact => fact.type === 'answer.replaced' && fact.choice === 'wrong_state'),
    );
    const tried = replaced.length + bent.length;
    if (tried === 0)
      return notApplicable('No answer with a wrong state was sent; the login screen and the fault wrong_state do.');
    return passed(`${counted(tried, 'answer')} with a wrong state led to no request for a token.`);
  },
};

/** Authorization responses that one of these faults was made for. */
function answersWith({ staged }: ClientRun, faults: readonly string[]): readonly RecordedRequest[] {
  return staged.filter(({ facts }) => facts.some(fact => fact.type === 'fault.applied' && faults.includes(fact.fault)));
}

const issCompared: Check = {
  id: 'iss_compared',
  title: 'An answer of another issuer is dropped',
  failed: 'The answer of another issuer was believed',
  references: ['RFC 9207 §2.4', 'RFC 9700 §4.4.2'],
  look(run) {
    const bent = answersWith(run, ['wrong_iss', 'missing_iss']);
    if (bent.length === 0) return notApplicable('No answer with a wrong iss was sent; the fault wrong_iss does that.');
    const believed = bent.flatMap(each => run.redemptionOf(each) ?? []);
    if (believed.length === 0)
      return passed(`${counted(bent.length, 'answer')} with a wrong iss led to no request for a token.`);
    const why =
      'It redeemed a code that came with another iss than its issuer, or without one: whoever mixes up two servers gets its codes.';
    return found('fail', why, believed);
  },
};

const isOidc = (login: RecordedLogin) => login.value('scope')?.split(' ').includes('openid') === true;

const nonceSent: Check = {
  id: 'nonce_sent',
  title: 'nonce, or PKCE, where an ID Token is asked for',
  failed: 'A login came without nonce and without PKCE',
  references: ['OIDC Core §3.1.2.1', 'OIDC Core §15.5.2', 'RFC 9700 §2.1.1'],
  reasons: ['nonce_missing'],
  look(run) {
    const refused = refusalsOf(run, ['nonce_missing']);
    const must = 'An ID Token from the authorization endpoint needs a nonce, and it sent none.';
    if (refused.length > 0) return found('fail', must, requestsOf(refused));
    // without PKCE it was refused, which another check tells
    const bare = new Set(requestsOf(refusalsOf(run, ['pkce_missing'])));
    const all = readable(run.logins).filter(login => isOidc(login) && !bare.has(login.request));
    if (all.length === 0) return notApplicable('It asked for no ID Token.');
    const without = all.filter(login => login.value('nonce') === undefined && !hasPkce(login));
    if (without.length === 0) return passed(`Each of ${counted(all.length, 'login')} came with a nonce or with PKCE.`);
    const why = `${without.length} of ${counted(all.length, 'login')} with openid came without nonce and without PKCE: an ID Token of another login would not be noticed.`;
    return found('warn', why, without.map(requestOf));
  },
};

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
