import { clientClosedRequest, connectionDropped } from '../../base/events/event.ts';
import { patience } from './correlation/flow-status.ts';
import type { Flow, FlowKind, FlowStep } from './flow.ts';

/** The state of a flow in the words that all pages use. */
export interface FlowState {
  /** `Waiting at the sign-in page`, `Refused: redirect_uri`. */
  readonly words: string;
  /** `ok`; `err`: the server refused; `warn`: the user made it fail; `''`: waits, expired or nothing happened. */
  readonly look: 'ok' | 'err' | 'warn' | '';
  /** The description of the refusal, or a sentence about the wait or the fault; empty if the words say it all. */
  readonly detail: string;
  readonly wait?: FlowWait;
}

/** An open flow changes its state by itself when its time is over. Times are Unix seconds. */
export interface FlowWait {
  /** Pages show the time since then beside the words. */
  readonly since?: number;
  readonly until: number;
  /** The words after `until`. */
  readonly after: string;
}

/** The state of a flow. A fault or the choice of a user is no refusal, so it does not blame the app. */
export function stateOf(flow: Flow): FlowState {
  const { status, steps } = flow;
  const refused = steps.findLast(({ refusal }) => refusal !== undefined);
  if (status === 'failed' && refused?.refusal !== undefined) {
    const chosen = chosenStates[refused.refusal.reason];
    if (chosen !== undefined) return chosen;
  }
  const faulted = status === 'ok' ? undefined : faultState(steps.at(-1));
  if (faulted !== undefined) return faulted;
  if (status === 'ok') return finished(flow);
  return status === 'failed' ? failed(refused ?? steps.at(-1)) : waiting(flow);
}

/** Refusals that somebody chose on a page of the sandbox. */
const chosenStates: Readonly<Record<string, FlowState>> = {
  user_denied: { words: 'Denied by the user', look: '', detail: '' },
  chosen_on_login_screen: { words: 'Failed on purpose', look: 'warn', detail: 'Chosen on the sign-in page.' },
};

const lost: readonly number[] = [connectionDropped, clientClosedRequest];
/** Faults that only delay a response. */
const delays: readonly string[] = ['slow', 'jitter'];

function faultState(step: FlowStep | undefined): FlowState | undefined {
  if (step?.faults === undefined) return undefined;
  const { status } = step;
  const faults = step.faults.filter(name => status >= 400 || !delays.includes(name));
  if (faults.length === 0) return undefined;
  const isLost = lost.includes(status) || faults.includes('empty_body');
  const words = isLost ? 'Response missing (fault)' : `Fault: ${status >= 400 ? status : faults.join(', ')}`;
  return { words, look: 'warn', detail: onPurpose(faults) };
}

function onPurpose(faults: readonly string[]): string {
  return `Made to fail on purpose (${faults.length === 1 ? 'fault' : 'faults'} ${faults.join(', ')}).`;
}

/** Sentences about a flow below its state: the faults it met, and what it waits for. */
export function stateSentence(flow: Flow): string {
  const faults = [...new Set(flow.steps.flatMap(step => step.faults ?? []))];
  const { look, detail } = stateOf(flow);
  // a refusal has a card of its own
  return [faults.length > 0 ? onPurpose(faults) : '', look === '' ? detail : ''].filter(Boolean).join(' ');
}

function failed(step: FlowStep | undefined): FlowState {
  const { refusal, status } = step ?? {};
  if (refusal === undefined) return { words: `Failed: ${status ?? 'unknown'}`, look: 'err', detail: '' };
  return { words: `Refused: ${subjectOf(refusal)}`, look: 'err', detail: refusal.description };
}

/** What a refusal is about, by the start of its reason; the first match counts. */
const subjects: readonly (readonly [start: string, subject: string])[] = [
  ...[
    ...['redirect_uri', 'post_logout_redirect_uri', 'client_secret', 'client_assertion', 'refresh_token', 'grant_type'],
    ...['response_type', 'response_mode', 'scope', 'nonce', 'prompt', 'resource', 'claims', 'authorization_details'],
    ...['request_uri', 'device_code', 'user_code', 'auth_req_id', 'code', 'subject_token', 'actor_token', 'assertion'],
    ...['software_statement', 'state'],
  ].map(name => [`${name}_`, name] as const),
  ['client_unknown', 'client_id'],
  ['client_unidentified', 'client_id'],
  ['pkce_', 'PKCE'],
  ['dpop_', 'DPoP'],
  ['request_object_', 'request object'],
  ['certificate_', 'certificate'],
  ['access_token_', 'access token'],
  ['api_token_', 'access token'],
  ['acr_', 'acr_values'],
];

function subjectOf({ error, reason }: NonNullable<FlowStep['refusal']>): string {
  return subjects.find(([start]) => reason.startsWith(start))?.[1] ?? error;
}

const signIns: ReadonlySet<FlowKind> = new Set(['authorization_code', 'implicit', 'hybrid', 'device', 'ciba']);

function finished({ kind, sid, tokenIds, incomplete }: Flow): FlowState {
  if (kind === 'logout' && sid === undefined && !incomplete) {
    return { words: 'Nobody was signed in', look: '', detail: 'The logout ended no session.' };
  }
  const words =
    kind === 'logout' ? 'Signed out' : signIns.has(kind) ? 'Signed in' : tokenIds.length > 0 ? 'Token issued' : 'Done';
  return { words, look: 'ok', detail: '' };
}

/** The words and the sentence while the flow is open, and after it. */
interface Wait {
  readonly open: readonly [words: string, detail: string];
  readonly over: readonly [words: string, detail: string];
}

const decision: Wait = {
  open: ['Pending: the user decides', 'The user has not decided yet.'],
  over: ['Expired: the user did not decide', 'The user did not decide before the request expired.'],
};

const another: Wait = {
  open: ['Pending: the app asks again', 'The client has not tried again.'],
  over: ['App did not ask again', 'The client did not try again.'],
};

const atPage = (page: string): Wait => ({
  open: [`Waiting at the ${page} page`, `The ${page} page is open and waits for a user.`],
  over: [`Left at the ${page} page`, 'The user did not continue from the page that was shown.'],
});

const redemption: Wait = {
  open: ['App has not redeemed the code', 'The code has not been redeemed yet.'],
  over: [
    'Code expired, never redeemed',
    'The code was never redeemed. The callback of the app probably did not run, or threw an error.',
  ],
};

const pushed: Wait = {
  open: ['App has not opened the sign-in page', 'The app pushed its request and has not sent the browser yet.'],
  over: ['App never opened the sign-in page', 'The app pushed its request and never sent the browser.'],
};

const waitOfKind: Readonly<Partial<Record<FlowKind, Wait>>> = {
  device: decision,
  ciba: decision,
  logout: atPage('logout'),
  client_credentials: another,
  password: another,
  token_exchange: another,
  jwt_bearer: another,
  refresh_token: another,
};

function waitOf({ kind, tokenIds, steps }: Flow): Wait {
  const known = waitOfKind[kind];
  if (known !== undefined) return known;
  if (tokenIds.length > 0) return redemption;
  const endpoint = steps.at(-1)?.endpoint;
  return endpoint === 'par' ? pushed : atPage(endpoint === 'consent' ? 'consent' : 'sign-in');
}

function waiting(flow: Flow): FlowState {
  const wait = waitOf(flow);
  const { open, over } = wait;
  const { status, lastAt, waitsUntil = lastAt + patience } = flow;
  const [words, detail] = status === 'open' ? open : over;
  if (status !== 'open') return { words, look: '', detail };
  const since = wait === redemption ? { since: lastAt } : {};
  return { words, look: '', detail, wait: { ...since, until: waitsUntil, after: over[0] } };
}
