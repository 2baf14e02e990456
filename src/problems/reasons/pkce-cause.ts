import { hash } from 'node:crypto';
import { type Case, percentDecoded } from '../case.ts';
import { loginParameter, loginWithChallenge, span } from '../history.ts';

/** Why a verifier and a challenge do not belong together. */
export interface PkceCause {
  /** Completes `the code_verifier …`. */
  readonly short: string;
  readonly why: string;
  readonly isCertain: boolean;
  /** It was made wrongly, not mixed up with another. */
  readonly isMadeWrongly?: true;
}

/** The code challenge of a verifier (RFC 7636 §4.2). */
export function s256(verifier: string): string {
  return hash('sha256', verifier, 'base64url');
}

/** What the challenge of the login is compared with; the verifier is whatever came as such. */
interface Pair {
  readonly verifier: string;
  readonly challenge: string;
}

/** The cause of a mismatch: proved by the two values where it can be. */
export function pkceCause(refused: Case): PkceCause {
  const verifier = refused.parameters.get('code_verifier') ?? '';
  const isRecorded = refused.parameters.size > 0; // without the body only the event tells
  if (!isRecorded && refused.error.reason === 'pkce_mismatch') return lost;
  const pair = { verifier, challenge: challengeOf(refused) };
  return firstOf(refused, pair) ?? lost;
}

function firstOf(refused: Case, pair: Pair): PkceCause | undefined {
  return (
    wrongForm(pair) ??
    wrongChallenge(pair) ??
    spoiltVerifier(pair) ??
    wrongAlphabet(pair) ??
    wrongLength(pair) ??
    otherLogin(refused, pair)
  );
}

/** What the login was started with; empty where it is forgotten. */
export function challengeOf({ known, error: { expected = '' }, parameters }: Case): string {
  if (/^[A-Za-z0-9_-]{43}$/.test(expected)) return expected;
  return loginParameter(known, parameters.get('code'), 'code_challenge') ?? '';
}

const shortest = 43;
const longest = 128;

function wrongForm({ verifier }: Pair): PkceCause | undefined {
  if (verifier === '') return empty;
  if (['undefined', 'null'].includes(verifier)) {
    const why = `The app sent the word ${verifier}: the variable was not set. The verifier was lost between the start of the login and the callback.`;
    return { short: `is the word ${verifier}`, why, isCertain: true };
  }
  return undefined;
}

function wrongLength({ verifier }: Pair): PkceCause | undefined {
  if (verifier.length >= shortest && verifier.length <= longest) return undefined;
  const why = `A verifier has 43 to 128 characters; this one has ${verifier.length}. 32 random bytes in base64url make 43.`;
  return { short: `has ${verifier.length} characters`, why, isCertain: true };
}

const mostNamed = 5;

/** RFC 7636 §4.1: unreserved characters alone; the hash may fit all the same. */
function wrongAlphabet({ verifier, challenge }: Pair): PkceCause | undefined {
  const odd = [...new Set(verifier.replace(/[A-Za-z0-9\-._~]/g, ''))];
  if (odd.length === 0) return undefined;
  const names = odd.slice(0, mostNamed).map(each => (/\s/.test(each) ? 'white space' : each));
  const base64 = odd.every(each => '+/='.includes(each)) ? ', as standard base64 or its padding has' : '';
  const fits =
    s256(verifier) === challenge ? ' Its hash is the challenge of this login, so nothing else is wrong.' : '';
  return {
    short: 'has characters that no verifier may have',
    why: `A verifier is made of A-Z a-z 0-9 - . _ ~ alone, and this one has ${names.join(' ')}${base64}.${fits} Write the random bytes as base64url without padding before the challenge is made.`,
    isCertain: true,
    isMadeWrongly: true,
  };
}

const empty: PkceCause = {
  short: 'is empty',
  why: 'The verifier was lost between the start of the login and the callback: kept in memory and the page was loaded anew, or in the storage of another origin (localhost and 127.0.0.1 are two), or cleared.',
  isCertain: true,
};

/** What was made of the verifier when the login started. */
function wrongChallenge({ verifier, challenge }: Pair): PkceCause | undefined {
  if (verifier === challenge) {
    const why =
      'The app sent the same string as code_challenge and as code_verifier. With S256 the challenge must be the base64url of the SHA-256 of the verifier: the app did not hash it, or kept the wrong one of the two.';
    return { short: 'is the code_challenge itself', why, isCertain: true };
  }
  if (hash('sha256', Buffer.from(verifier, 'base64url'), 'base64url') === challenge) {
    const why =
      'The challenge is the hash of the random bytes, before they were written as base64url. It must be the hash of the verifier as text, of its ASCII characters.';
    return { short: 'was hashed as bytes and not as text', why, isCertain: true };
  }
  return undefined;
}

const changes: readonly (readonly [what: string, undo: (verifier: string) => string])[] = [
  ['has white space around it', verifier => verifier.trim()],
  ['has quotes around it', verifier => verifier.replace(/^"|"$/g, '')],
  ['is percent-encoded once too often', verifier => percentDecoded(verifier)],
  ['has spaces where a plus was', verifier => verifier.replaceAll(' ', '+')],
  ['ends in the padding = of base64', verifier => verifier.replace(/=+$/, '')],
];

/** The right verifier, changed on its way. */
function spoiltVerifier({ verifier, challenge }: Pair): PkceCause | undefined {
  const [what] = changes.find(([, undo]) => undo(verifier) !== verifier && s256(undo(verifier)) === challenge) ?? [];
  if (what === undefined) return undefined;
  const why = `The verifier ${what}; without that it would match. It was changed between storing and sending.`;
  return { short: what, why, isCertain: true };
}

/** A verifier that fits another login of the log proves that two were mixed up. */
function otherLogin({ known, error }: Case, { verifier }: Pair): PkceCause | undefined {
  const other = loginWithChallenge(known, s256(verifier));
  if (other === undefined) return undefined;
  const why = `This verifier belongs to a different login, which started ${span(Math.abs(error.at - other.at))} earlier (${other.requestId}). Two tabs, or a login that starts twice, store both verifiers under one name, and the later one overwrites the first.`;
  return { short: 'belongs to a different login', why, isCertain: true };
}

const lost: PkceCause = {
  short: 'belongs to a different login',
  why: 'The verifier is well-formed, but its hash is not the challenge this login started with. Most often a second login was started before the first one came back, and its verifier has replaced the first one.',
  isCertain: false,
};
