import type { Emit } from '../events/event.ts';
import type { AuthorizationServer } from '../oauth/authorization-server.ts';
import type { EndpointRequest, Reply } from '../oauth/endpoints/endpoint.ts';
import type { JwtDraft, Tampering } from '../oauth/tampering.ts';
import type { ArmedFaults } from './armed-faults.ts';
import { bendReply, isBent } from './bend-reply.ts';
import type { Fate, FaultAnswer, FaultContext, FaultOrder } from './fault.ts';
import { type FaultTarget, type Met, meet, type Wanted } from './meet.ts';
import { readFaultHeader } from './read-order.ts';
import type { Standing } from './standing.ts';
import { whoseBearer, whoseRequest } from './whose-request.ts';

/** A request that faults may meet. */
export interface FaultedRequest {
  /** As events call it. */
  readonly endpoint: string;
  /** The header `Sandbox-Fault`: what the request asks to happen to itself. */
  readonly asked: string | undefined;
  readonly emit: Emit;
  /** Told what becomes of the answer on its way. */
  readonly cut: (fate: Fate) => void;
}

type Endpoint = (server: AuthorizationServer, request: EndpointRequest) => Promise<Reply>;

/** What goes wrong on purpose, in one issuer. */
export interface Faults {
  readonly armed: ArmedFaults;
  /** For tokens that are made without a request that asks for more. */
  readonly tampering: Tampering;
  /** Whether a token of this request is bent, and the others shall be. */
  isUnderway(emit: Emit): boolean;
  /** Asks an endpoint, or answers in its place, and bends what it says. */
  around(
    server: AuthorizationServer,
    request: EndpointRequest,
    faulted: FaultedRequest,
    endpoint: Endpoint,
  ): Promise<Reply | FaultAnswer>;
  /** For what is no endpoint: waits, and answers in its place; undefined where it is to answer itself. */
  before(faulted: FaultedRequest, authorization: string | undefined): Promise<FaultAnswer | undefined>;
}

export interface FaultsOptions {
  readonly armed: ArmedFaults;
  readonly standing: Standing;
  readonly issuer: string;
  /** Unix seconds, whole. */
  readonly clock: () => number;
}

/** What it works on. */
interface Parts extends FaultsOptions {
  /** What bends every token of an answer, by its request: charged once. */
  readonly carried: WeakMap<Emit, Met>;
}

export function createFaults(given: FaultsOptions): Faults {
  const options: Parts = { ...given, carried: new WeakMap() };
  return {
    armed: options.armed,
    isUnderway: emit => options.carried.has(emit),
    tampering: tamperingWith(options, none),
    before: (faulted, authorization) => begin(options, faulted, whoseBearer(faulted.endpoint, authorization)),
    async around(server, request, faulted, endpoint) {
      const target = await whoseRequest(server, faulted.endpoint, request);
      const answer = await begin(options, faulted, target);
      if (answer !== undefined) return answer;
      const orders = ordersOf(faulted);
      const learnt = learning(request.emit);
      const bentServer = { ...server, tampering: tamperingWith(options, orders) };
      const reply = await endpoint(bentServer, { ...request, emit: learnt.emit });
      return bent(options, reply, faulted, { ...target, sub: target.sub ?? learnt.sub() });
    },
  };
}

/** Who signed in is often known only when the endpoint has answered: without a click, nothing of the request says so. */
function learning(emit: Emit): { readonly emit: Emit; readonly sub: () => string | undefined } {
  let sub: string | undefined;
  return {
    emit(fact) {
      if (fact.type === 'login.succeeded' || fact.type === 'code.issued') sub = fact.sub;
      emit(fact);
    },
    sub: () => sub,
  };
}

const none: readonly never[] = [];

function ordersOf({ asked }: FaultedRequest): readonly FaultOrder[] {
  return asked === undefined ? none : readFaultHeader(asked);
}

/** What meets the request, told to the log. */
function met(
  { armed, standing }: FaultsOptions,
  wanted: Wanted,
  target: FaultTarget,
  emit: Emit,
  orders: readonly FaultOrder[],
): readonly Met[] {
  const all = meet(armed, standing, wanted, target, orders);
  for (const { kind, armed: order } of all) {
    const { endpoint, client_id, sub } = target;
    emit({
      ...{ type: 'fault.applied', fault: kind.name, endpoint },
      ...(order === undefined ? {} : { faultId: order.id }),
      ...(client_id === undefined ? {} : { client_id }),
      ...(sub === undefined ? {} : { sub }),
    });
  }
  return all;
}

function contextOf({ issuer, clock }: FaultsOptions, { parameters }: Met): FaultContext {
  return { parameters, issuer, now: clock() };
}

/** Waits, decides what becomes of the answer, and perhaps answers. */
async function begin(
  options: FaultsOptions,
  faulted: FaultedRequest,
  target: FaultTarget,
): Promise<FaultAnswer | undefined> {
  const orders = ordersOf(faulted);
  const meets = (does: Wanted['does']) => met(options, { does }, target, faulted.emit, orders);
  for (const each of meets('wait')) {
    if (each.kind.effect.does === 'wait') await wait(each.kind.effect.seconds(contextOf(options, each)));
  }
  const [cut] = meets('cut');
  if (cut?.kind.effect.does === 'cut') faulted.cut(cut.kind.effect.fate);
  const [first] = meets('answer');
  return first?.kind.effect.does === 'answer' ? first.kind.effect.answer(contextOf(options, first)) : undefined;
}

function bent(options: FaultsOptions, honest: Reply, faulted: FaultedRequest, target: FaultTarget): Reply {
  let reply = honest;
  for (const does of ['bend', 'respond'] as const) {
    if (!isBent(honest, does)) continue;
    for (const each of met(options, { does }, target, faulted.emit, ordersOf(faulted))) {
      reply = bendReply(reply, each.kind, contextOf(options, each));
    }
  }
  return reply;
}

function tamperingWith(options: Parts, orders: readonly FaultOrder[]): Tampering {
  return {
    async jwt(draft: JwtDraft) {
      const { kind: token, client_id, sub, emit } = draft;
      const target = { endpoint: 'token', client_id, sub };
      const last = options.carried.get(emit) ?? met(options, { does: 'forge', token }, target, emit, orders).at(-1);
      if (last?.both) options.carried.set(emit, last);
      if (last?.kind.effect.does !== 'forge') return undefined;
      return last.kind.effect.forge(draft, contextOf(options, last));
    },
  };
}

function wait(seconds: number): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, seconds * 1000));
}
