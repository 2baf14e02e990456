import { hash } from 'node:crypto';
import { type Case, percentDecoded } from '../case.ts';
import { loginParameter, loginWithChallenge, span } from '../history.ts';

/** The cause of a code_verifier that does not match its code_challenge. */
interface PkceCause {
  /** Completes `the code_verifier …`. */
  readonly short: string;
  readonly why: string;
  readonly isCertain: boolean;
  /** The app made the verifier wrongly. It did not confuse two logins. */
  readonly isMadeWrongly?: true;
}

/** Computes the S256 code_challenge of a verifier (RFC 7636 §4.2). */
export function s256(verifier: string): string {
  return hash('sha256', verifier, 'base64url');
}

/** The two values that are compared. The verifier may be malformed. */
interface Pair {
  readonly verifier: string;
  readonly challenge: string;
}

/** Finds the cause of a mismatch, from the two values where they prove one. */
export function pkceCause(refused: Case): PkceCause {
  const verifier = refused.parameters.get('code_verifier') ?? '';
  const isRecorded = refused.parameters.size > 0; // a request without a recorded body has only its event
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

/** Returns the code_challenge of the login; empty if the history no longer has it. */
export function challengeOf({ known, error: { expected = '' }, parameters }: Case): string {
  if (/^[A-Za-z0-9_-]{43}$/.test(expected)) return expected;
  return loginParameter(known, parameters.get('code'), 'code_challenge') ?? '';
}

const shortest = 43;
const longest = 128;

function wrongForm({ verifier }: Pair): PkceCause | undefined {
  if (verifier === '') return empty;
  if (['undefined', 'null'].includes(verifier)) {
    const why = `The app sent the word \`${verifier}\`, so its variable was not set. The verifier was lost between the start of the login and the callback.`;
    return { short: `is the word \`${verifier}\``, why, isCertain: true };
  }
  return undefined;
}

function wrongLength({ verifier }: Pair): PkceCause | undefined {
  if (verifier.length >= shortest && verifier.length <= longest) return undefined;
  const why = `A verifier has 43 to 128 characters. This one has ${verifier.length}. 32 random bytes in base64url give 43 characters.`;
  return { short: `has ${verifier.length} characters`, why, isCertain: true };
}

const mostNamed = 5;

/** RFC 7636 §4.1 allows only unreserved characters. The hash may still match. */
function wrongAlphabet({ verifier, challenge }: Pair): PkceCause | undefined {
  const odd = [...new Set(verifier.replace(/[A-Za-z0-9\-._~]/g, ''))];
  if (odd.length === 0) return undefined;
  const names = odd.slice(0, mostNamed).map(each => (/\s/.test(each) ? 'white space' : each));
  const base64 = odd.every(each => '+/='.includes(each)) ? ', which come from standard base64' : '';
  const fits =
    s256(verifier) === challenge ? ' The hash matches the challenge of this login, so nothing else is wrong.' : '';
  return {
    short: 'has characters that are not allowed',
    why: `A verifier may contain only A-Z a-z 0-9 - . _ ~. This one has ${names.join(' ')}${base64}.${fits} Write the random bytes as base64url without padding, then compute the challenge.`,
    isCertain: true,
    isMadeWrongly: true,
  };
}

const empty: PkceCause = {
  short: 'is empty',
  why: 'The verifier was lost between the start of the login and the callback. The app kept it in memory and the page was reloaded, or the storage was cleared, or the callback runs on a different origin (localhost and 127.0.0.1 have separate storage).',
  isCertain: true,
};

/** Detects a challenge that was computed wrongly when the login started. */
function wrongChallenge({ verifier, challenge }: Pair): PkceCause | undefined {
  if (verifier === challenge) {
    const why =
      'The app sent the same string as code_challenge and as code_verifier. With S256 the challenge is the base64url of the SHA-256 of the verifier. The app did not hash the verifier, or stored the challenge in its place.';
    return { short: 'is the code_challenge itself', why, isCertain: true };
  }
  if (hash('sha256', Buffer.from(verifier, 'base64url'), 'base64url') === challenge) {
    const why =
      'The app hashed the random bytes. The challenge must be the hash of the verifier as ASCII text, so write the bytes as base64url first.';
    return { short: 'was hashed as bytes instead of text', why, isCertain: true };
  }
  return undefined;
}

const changes: readonly (readonly [what: string, undo: (verifier: string) => string])[] = [
  ['has white space around it', verifier => verifier.trim()],
  ['has quotes around it', verifier => verifier.replace(/^"|"$/g, '')],
  ['is percent-encoded twice', verifier => percentDecoded(verifier)],
  ['has spaces in place of plus signs', verifier => verifier.replaceAll(' ', '+')],
  ['ends in base64 padding (=)', verifier => verifier.replace(/=+$/, '')],
];

/** The right verifier, changed on its way. */
function spoiltVerifier({ verifier, challenge }: Pair): PkceCause | undefined {
  const [what] = changes.find(([, undo]) => undo(verifier) !== verifier && s256(undo(verifier)) === challenge) ?? [];
  if (what === undefined) return undefined;
  const why = `The verifier ${what}, and would match otherwise. Something changed it after it was stored.`;
  return { short: what, why, isCertain: true };
}

/** A verifier that matches a different login of the log proves that the app confused two logins. */
function otherLogin({ known, error }: Case, { verifier }: Pair): PkceCause | undefined {
  const other = loginWithChallenge(known, s256(verifier));
  if (other === undefined) return undefined;
  const why = `This verifier belongs to a different login, which started ${span(Math.abs(error.at - other.at))} earlier (${other.requestId}). Two tabs, or a login that starts twice, store both verifiers under one name, and the later one overwrites the first.`;
  return { short: 'belongs to a different login', why, isCertain: true };
}

const lost: PkceCause = {
  short: 'belongs to a different login',
  why: 'The verifier is well-formed, but its hash is not the challenge this login started with. The usual cause is a second login that started before the first one came back, and overwrote its verifier.',
  isCertain: false,
};
