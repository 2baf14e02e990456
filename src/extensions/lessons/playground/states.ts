import { createHash, randomBytes } from 'node:crypto';
import type { ShownCertificate } from './certificate.ts';
import type { Grant } from './grant.ts';
import type { ProofKey } from './proof.ts';

/** Changes that the learner made to the request of a step. */
export interface Edits {
  readonly removed: Set<string>;
  readonly wrong: Set<string>;
  readonly typed: Map<string, string>;
}

/** `accepted`; `request`: the server refuses the request as wrong; `caller`: it refuses the sender. */
export type AnswerKind = 'accepted' | 'request' | 'caller';

/** The answer of the server to a step. */
export interface Result {
  readonly outcome: AnswerKind;
  readonly firstLine: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string;
  /** The id of the request in the log; empty if it is unknown. */
  readonly requestId: string;
  /** Whether the returned `state` is the sent one; absent if there is none to compare. */
  readonly stateMatches?: boolean;
  /** The sent code_verifier; absent if none was sent. */
  readonly verifier?: string;
}

/** The progress of one browser in one grant. */
export interface PlaygroundState {
  readonly grant: Grant;
  client_id: string;
  user: string;
  scope: string;
  step: number;
  readonly values: Map<string, string>;
  readonly edits: Map<string, Edits>;
  readonly predictions: Map<string, AnswerKind>;
  readonly results: Map<string, Result>;
  /** Client certificates by subject. */
  readonly certificates: Map<string, ShownCertificate>;
  proofKey?: Promise<ProofKey>;
  /** The address for the answer that the learner asked for, which the client does not allow. */
  refusedRedirect?: string;
  /** The address at the server to which the browser was sent last. */
  left?: string;
  /** The sent code_challenge; empty if none was sent. */
  sentChallenge?: string;
}

const mostBrowsers = 200;

/** The states of one browser by grant; the newest is last. */
export interface Visitor {
  readonly id: string;
  readonly states: Map<string, PlaygroundState>;
}

/** States by browser and grant. The oldest browser is dropped first. */
export function createStates() {
  const browsers = new Map<string, Visitor>();
  return {
    of: (browser: string | undefined) => (browser === undefined ? undefined : browsers.get(browser)),
    open(): Visitor {
      const [oldest] = browsers.keys();
      if (browsers.size >= mostBrowsers && oldest !== undefined) browsers.delete(oldest);
      const id = randomBytes(16).toString('base64url');
      const browser = { id, states: new Map<string, PlaygroundState>() };
      browsers.set(id, browser);
      return browser;
    },
    get size() {
      return browsers.size;
    },
  };
}

export type Chosen = Pick<PlaygroundState, 'client_id' | 'user' | 'scope'>;

/** A state at the first step, with new random values. */
export function newState(grant: Grant, chosen: Chosen, redirect_uri: string): PlaygroundState {
  const random = (bytes: number) => randomBytes(bytes).toString('base64url');
  const verifier = random(32);
  const values = new Map([
    ['redirect_uri', redirect_uri],
    ['state', random(16)],
    ['nonce', random(16)],
    ['verifier', verifier],
    ['challenge', challengeOf(verifier)],
  ]);
  const empty = { edits: new Map(), predictions: new Map(), results: new Map(), certificates: new Map() };
  return { grant, ...chosen, step: 0, values, ...empty };
}

/** RFC 7636 §4.2 */
export function challengeOf(verifier: string): string {
  return createHash('sha256').update(verifier).digest('base64url');
}

export function editsOf(state: PlaygroundState, step: string): Edits {
  const known = state.edits.get(step);
  if (known !== undefined) return known;
  const edits: Edits = { removed: new Set(), wrong: new Set(), typed: new Map() };
  state.edits.set(step, edits);
  return edits;
}
