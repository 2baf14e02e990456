import { createHash, randomBytes } from 'node:crypto';
import type { Grant } from './grant.ts';
import type { ProofKey } from './proof.ts';

/** Changes that the learner made to the request of a step. */
export interface Edits {
  readonly removed: Set<string>;
  readonly wrong: Set<string>;
  readonly typed: Map<string, string>;
}

/** `accepted`; `request` refused as wrong; `caller` refused for who asks. */
export type AnswerKind = 'accepted' | 'request' | 'caller';

/** A real answer. */
export interface Result {
  readonly outcome: AnswerKind;
  readonly firstLine: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string;
  /** Empty where the request is not known. */
  readonly requestId: string;
  /** Whether `state` came back as it was sent; absent where there is none to compare. */
  readonly stateMatches?: boolean;
  /** The verifier that was sent; absent where none was. */
  readonly verifier?: string;
}

/** What one browser has done of one grant. */
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
  proofKey?: Promise<ProofKey>;
}

const mostBrowsers = 200;

/** States by browser and grant; the oldest browser is forgotten first. */
export function createStates() {
  const browsers = new Map<string, Map<string, PlaygroundState>>();
  return {
    of: (browser: string | undefined) => (browser === undefined ? undefined : browsers.get(browser)),
    open() {
      const [oldest] = browsers.keys();
      if (browsers.size >= mostBrowsers && oldest !== undefined) browsers.delete(oldest);
      const id = randomBytes(16).toString('base64url');
      const mine = new Map<string, PlaygroundState>();
      browsers.set(id, mine);
      return { id, mine };
    },
    get size() {
      return browsers.size;
    },
  };
}

export type Chosen = Pick<PlaygroundState, 'client_id' | 'user' | 'scope'>;

/** A state at the first step, with values of its own. */
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
  const empty = { edits: new Map(), predictions: new Map(), results: new Map() };
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
