import type { EventOf, SandboxEvent } from '../../../base/events/event.ts';
import { readingOf } from '../checks/check.ts';
import type { LabSwitched } from '../lesson-events.ts';
import type { Fetch } from '../trial/agent.ts';
import { createVisitor } from '../trial/participant.ts';
import { belongsTo, createDesk } from './desk.ts';
import {
  type LabActor,
  type LabHands,
  type LabParts,
  type LabState,
  type LabStep,
  LabStop,
  stopReason,
} from './lab.ts';

/** A request of a round of the attack. */
export interface LabRequest {
  /** The step that caused it; absent for a request that the learner sent by other means. */
  readonly step?: string;
  /** `you` for a request outside the steps. */
  readonly by: LabActor | 'api' | 'you';
  readonly issuer: string;
  /** The second issuer of the lab got it. */
  readonly isAtSecond: boolean;
  readonly completed: EventOf<'request.completed'>;
  readonly refusal?: EventOf<'error.returned'>;
  /** The decision of the app or of the API of the lab, in words. */
  readonly outcome?: string;
}

export function pathBelow({ issuer, completed }: Pick<LabRequest, 'issuer' | 'completed'>): string {
  const { pathname } = new URL(issuer);
  return completed.path.startsWith(pathname) ? completed.path.slice(pathname.length) : completed.path;
}

/** The sights of a step, in order. */
export interface StepSight {
  readonly seen: readonly { readonly label: string; readonly value: string }[];
  /** The reason why the step ended early. */
  readonly stopped?: string;
}

/** The attack with the defence off, or with the defence on. */
export interface LabRound {
  /** By the id of the step, in the order in which they ran. */
  readonly steps: ReadonlyMap<string, StepSight>;
  /** The newest `mostRequests`, oldest first. */
  readonly requests: readonly LabRequest[];
}

export type LabRun = ReturnType<typeof createLabRun>;

/** An issuer of the lab, as the run needs it. */
export interface LabIssuer {
  readonly issuer: string;
  readonly events: {
    subscribe(listener: (event: SandboxEvent) => void): unknown;
    ofRequest(requestId: string): readonly SandboxEvent[];
  };
}

export interface LabRunParts {
  readonly lab: LabParts;
  /** The weaknesses ask this state for each request. */
  readonly state: MutableLabState;
  readonly issuers: readonly LabIssuer[];
  readonly emit: (fact: LabSwitched) => void;
  /** Sends a request to this process over HTTP, marked with its sender. */
  readonly sendAs: (by: 'lab' | 'victim' | 'desk') => Fetch;
  /** Replaces the members of a client. */
  readonly setClients: (isDefended: boolean) => Promise<void>;
}

export type MutableLabState = { -readonly [Name in keyof LabState]: LabState[Name] };

const mostRequests = 60;
const longestSight = 4000;

/** Follows the events of the lab's issuers. */
export function createLabRun(parts: LabRunParts) {
  const { lab, state, emit, setClients } = parts;
  const traffic = createTraffic(ownOnly(parts.issuers, parts.sendAs('lab')));
  const openRound = createRound(parts, traffic.send);
  const defendedRound = createRound(parts, traffic.send);
  const current = () => (state.isDefended ? defendedRound : openRound);
  const desk = deskOf(parts);
  const reached = createReached();
  let step: LabStep | undefined;
  let last: Promise<void> = Promise.resolve();

  follow(parts, completed => {
    const request = { ...sender(step, traffic.took(completed.completed), completed.completed), ...completed };
    if (step === undefined) reached.add(request);
    // what the victim does for the desk is no part of the two attacks
    if (desk?.isActing() !== true && completed.completed.by !== 'victim') current().add(request);
  });
  emit({ type: 'lab.switched', isDefended: false });

  async function run(steps: readonly LabStep[]): Promise<void> {
    for (const each of steps) {
      if (each === lab.steps[0]) current().begin();
      step = each;
      await current().run(each);
      await traffic.settled();
      step = undefined;
    }
  }
  /** One after the other, so that a double click does not mix two attacks. */
  function inTurn(work: () => Promise<void>): Promise<void> {
    last = last.then(work, work);
    return last;
  }
  return {
    isDefended: () => state.isDefended,
    desk,
    /** Requests that reached the attacker, oldest first, without those of the steps. */
    reached: reached.all,
    /** The victim does the first act of the desk, or the one of this id, and opens this page of the attacker. */
    act: (page?: string, id?: string) => inTurn(async () => desk?.act(page, id)),
    /** The rounds with the defence off and on. */
    rounds: { open: openRound.told, defended: defendedRound.told },
    /** Runs a step, or all of them in order. The first step begins the round anew. An unknown step does nothing. */
    attack: (id?: string) => inTurn(() => run(id === undefined ? lab.steps : lab.steps.filter(each => each.id === id))),
    /** Switches the defence. That round keeps its results, since they are compared, unless it begins anew. */
    defend: (isDefended: boolean, isAnew = false) =>
      inTurn(async () => {
        if (lab.suspects !== undefined) return; // a mystery has no defence
        await setClients(isDefended);
        state.isDefended = isDefended;
        current()[isAnew ? 'begin' : 'renew']();
        desk?.forget();
        emit({ type: 'lab.switched', isDefended });
      }),
  };
}

/** Calls the listener for each request at one of the issuers. */
function follow({ issuers, state }: LabRunParts, took: (request: Omit<LabRequest, 'step' | 'by'>) => void): void {
  for (const { issuer, events } of issuers) {
    events.subscribe(event => {
      if (event.type !== 'request.completed') return;
      took({ ...requestIn(event, events.ofRequest(event.requestId)), issuer, isAtSecond: issuer === state.second });
    });
  }
}

function deskOf({ lab: { desk }, issuers: [own], state, sendAs }: LabRunParts) {
  return desk && createDesk({ desk, issuer: own?.issuer ?? '', state, sendAs });
}

function createReached() {
  const requests: LabRequest[] = [];
  return {
    all: (): readonly LabRequest[] => requests,
    add(request: LabRequest): void {
      if (isOfAttacker(request)) requests.push(request);
      if (requests.length > mostRequests) requests.shift();
    },
  };
}

/** His web server or his token endpoint got it. */
function isOfAttacker(request: LabRequest): boolean {
  const { endpoint } = request.completed;
  return request.isAtSecond ? endpoint === 'token' : endpoint === 'labs' && pathBelow(request).startsWith('/labs/evil');
}

function requestIn(completed: LabRequest['completed'], caused: readonly SandboxEvent[]) {
  const refusal = caused.find(each => each.type === 'error.returned');
  const [outcome] = caused.flatMap(each => outcomeOf(each) ?? []);
  return { completed, refusal, outcome };
}

function outcomeOf(event: SandboxEvent): string | undefined {
  switch (event.type) {
    case 'app.signed_in':
      return `signs ${event.sub} in to the account of ${event.account}`;
    case 'app.refused':
      return `refuses the sign-in: ${event.why}`;
    case 'lab.token_let_through':
      return `accepts the token of ${event.sub ?? 'nobody'}`;
    case 'token.used':
      return event.endpoint === 'api' ? `accepts the token of ${event.sub ?? 'nobody'}` : undefined;
    default:
      return undefined;
  }
}

/** During a step, a request that the step itself did not send is one of the app. */
function sender(
  step: LabStep | undefined,
  isOfStep: boolean,
  { endpoint }: LabRequest['completed'],
): Pick<LabRequest, 'step' | 'by'> {
  if (step === undefined) return { by: 'you' };
  if (!isOfStep && endpoint === 'labs') return { step: step.id, by: 'api' };
  if (step.by === 'mallory' && isOfStep) return { step: step.id, by: 'mallory' };
  // Alice has a browser: her app asks for tokens and calls the API, and she opens each page
  const isOfApp = !isOfStep || endpoint === 'token' || endpoint === 'api';
  return { step: step.id, by: isOfApp ? 'app' : 'alice' };
}

function createRound({ state, issuers }: LabRunParts, send: Fetch) {
  const [{ issuer } = { issuer: '' }] = issuers;
  const steps = new Map<string, StepSight>();
  const requests: LabRequest[] = [];
  const found = new Map<string, string>();
  const told: LabRound = { steps, requests };
  let people = newPeople();

  function newPeople(): Pick<LabHands, 'alice' | 'mallory'> {
    return { alice: createVisitor(issuer, send), mallory: createVisitor(issuer, send) };
  }
  return {
    told,
    begin(): void {
      steps.clear();
      requests.length = 0;
      this.renew();
    },
    /** New browsers: a step alone must not go on with a code of the other position of the switch. */
    renew(): void {
      found.clear();
      people = newPeople();
    },
    add(request: LabRequest): void {
      requests.push(request);
      // those of the steps stay, because the two attacks are compared
      const oldest = Math.max(
        0,
        requests.findIndex(each => each.step === undefined),
      );
      if (requests.length > mostRequests) requests.splice(oldest, 1);
    },
    async run(step: LabStep): Promise<void> {
      const seen: { label: string; value: string }[] = [];
      const hands: LabHands = {
        ...people,
        isDefended: state.isDefended,
        issuer,
        second: state.second,
        keep: (name, value) => void found.set(name, value),
        kept: name => keptOr(found.get(name), name),
        received: parameter => receivedIn(requests, parameter),
        see: (label, value) => void seen.push({ label, value: value.slice(0, longestSight) }),
      };
      const stopped = await step.run(hands).then(() => undefined, stopReason);
      steps.set(step.id, { seen, stopped });
    },
  };
}

function receivedIn(requests: readonly LabRequest[], parameter: string): string {
  const last = requests.findLast(({ isAtSecond, completed }) => isAtSecond && completed.endpoint === 'token');
  const value = last && readingOf(last.completed, { parameter });
  if (value === undefined) throw new LabStop('The second server got no such request.');
  return value;
}

function keptOr(value: string | undefined, name: string): string {
  if (value === undefined || value === '') throw new LabStop(`There is no ${name}: an earlier step did not get it.`);
  return value;
}

/** Pages and the control API are not in the record of the lab, which would wait for them. All other paths are. */
const recordedPaths = /^\/(?!(_sandbox|assets|dashboard|health|isalive|join|lessons|playground|ready|room)(\/|$))/;

/** @throws LabStop for a request that the record of the lab would not have */
function ownOnly(issuers: readonly LabIssuer[], send: Fetch): Fetch {
  const isOwn = belongsTo(
    issuers.map(({ issuer }) => issuer),
    recordedPaths,
  );
  return async (url, init) => {
    if (isOwn(url.href)) return send(url, init);
    throw new LabStop(
      `A step can ask endpoints of this lab only, such as /oauth2/token, and not ${url.href.slice(0, 200)}.`,
    );
  };
}

/** Counts the requests of the steps, because a request is recorded shortly after its answer has arrived. */
function createTraffic(send: Fetch) {
  let open = 0;
  let settle: () => void = () => {};
  function close(): void {
    open--;
    if (open === 0) settle();
  }
  return {
    async send(url: URL, init: RequestInit): Promise<Response> {
      open++;
      try {
        return await send(url, init);
      } catch (error) {
        close();
        throw error;
      }
    },
    took({ by }: EventOf<'request.completed'>): boolean {
      if (by === 'lab') close();
      return by === 'lab';
    },
    /** Resolves when all requests are recorded. */
    async settled(): Promise<void> {
      if (open === 0) return;
      await new Promise<void>(resolve => {
        settle = resolve;
      });
    },
  };
}
