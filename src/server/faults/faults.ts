import { defined } from '../../base/defined.ts';
import type { Emit } from '../../base/events/event.ts';
import type { AuthorizationServer } from '../../protocol/authorization-server.ts';
import type { EndpointRequest, Reply } from '../../protocol/endpoints/endpoint.ts';
import type { JwtDraft, Tampering } from '../../protocol/tokens/signing-key.ts';
import type { ArmedFaults } from './armed-faults.ts';
import { bendReply, isBent } from './bend-reply.ts';
import type { Fate, FaultAnswer, FaultContext, FaultOrder, FaultTarget } from './fault.ts';
import { type Met, meet, type Wanted } from './meet.ts';
import { type AskedFaults, readFaultHeader, refusedHeader } from './read-header.ts';
import type { Standing } from './standing.ts';
import { whoseBearer, whoseRequest } from './whose-request.ts';

/** A request that faults may meet. */
export interface FaultedRequest {
  /** As events call it. */
  readonly endpoint: string;
  /** The value of the header `Sandbox-Fault`. */
  readonly asked: string | undefined;
  readonly emit: Emit;
  /** Sets the effect on the answer on its way out. */
  readonly cut: (fate: Fate) => void;
  /** Resolves when the client is gone. */
  readonly gone: () => Promise<unknown>;
}

type Endpoint = (server: AuthorizationServer, request: EndpointRequest) => Promise<Reply>;

/** Fault injection of one issuer. */
export interface Faults {
  readonly armed: ArmedFaults;
  /** For tokens of requests without a `Sandbox-Fault` header. */
  readonly tampering: Tampering;
  /** True once one token of this request has been tampered with, so its other tokens are tampered with too. */
  isUnderway(emit: Emit): boolean;
  /** Calls an endpoint or answers in its place, and changes its answer. */
  around(
    server: AuthorizationServer,
    request: EndpointRequest,
    faulted: FaultedRequest,
    endpoint: Endpoint,
  ): Promise<Reply | FaultAnswer>;
  /** Applies faults to a route that is not an endpoint; undefined if the route must answer itself. */
  before(faulted: FaultedRequest, authorization: string | undefined): Promise<FaultAnswer | undefined>;
  /** Applies faults to a preflight, whose client and user are unknown. */
  preflight(faulted: Omit<FaultedRequest, 'gone'>): Promise<void>;
}

interface FaultsOptions {
  readonly armed: ArmedFaults;
  readonly standing: Standing;
  readonly issuer: string;
  /** Unix seconds, whole. */
  readonly clock: () => number;
  /** Replaces the keys and stops publishing the old ones. */
  readonly replaceKeys: (emit: Emit) => Promise<void>;
}

interface Parts extends FaultsOptions {
  /** Faults that change every token of an answer, by request, so that they are charged once. */
  readonly carried: WeakMap<Emit, Met>;
}

/** Makes the fault injection of one issuer. */
export function createFaults(given: FaultsOptions): Faults {
  const options: Parts = { ...given, carried: new WeakMap() };
  return {
    armed: options.armed,
    isUnderway: emit => options.carried.has(emit),
    tampering: tamperingWith(options, []),
    before: (faulted, authorization) => begin(options, faulted, whoseBearer(faulted.endpoint, authorization)),
    async preflight({ endpoint, asked, emit, cut }) {
      const wanted = { does: 'cut', fate: 'no_cors' } as const;
      if ((await met(options, wanted, { endpoint }, emit, askedOf({ asked }).orders)).length > 0) cut('no_cors');
    },
    async around(server, request, faulted, endpoint) {
      const target = await whoseRequest(server, faulted.endpoint, request);
      const answer = await begin(options, faulted, target);
      if (answer !== undefined) return answer;
      const orders = askedOf(faulted).orders;
      const learnt = learning(request.emit);
      const bentServer = { ...server, tampering: tamperingWith(options, orders) };
      const ask = () => endpoint(bentServer, { ...request, emit: learnt.emit });
      const isRaced =
        canRace(request) && (await met(options, { does: 'race' }, target, faulted.emit, orders)).length > 0;
      if (isRaced) await ask().catch(() => undefined); // the refusal of the other tab
      const reply = await ask();
      const known = { ...target, sub: target.sub ?? learnt.sub() };
      return replaced(options, await bent(options, reply, faulted, known), faulted, known);
    },
  };
}

/** A refresh that can be sent twice: an assertion and a DPoP proof are good for one request. */
function canRace({ parameters, dpop }: EndpointRequest): boolean {
  const isProved = dpop !== undefined || parameters.values.has('client_assertion');
  return !isProved && parameters.values.get('grant_type') === 'refresh_token';
}

/** Learns the user from the events of the endpoint, because a request of an automatic login does not name one. */
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

const nothing: AskedFaults = { orders: [], problems: [] };

function askedOf({ asked }: Pick<FaultedRequest, 'asked'>): AskedFaults {
  return asked === undefined ? nothing : readFaultHeader(asked);
}

/** Finds the faults of a request and reports them to the log. */
async function met(
  { armed, standing }: FaultsOptions,
  wanted: Wanted,
  target: FaultTarget,
  emit: Emit,
  orders: readonly FaultOrder[],
): Promise<readonly Met[]> {
  const all = await meet(armed, standing, wanted, target, orders);
  const { endpoint, client_id, sub } = target;
  for (const { kind, armed: order } of all) {
    const ids = defined({ faultId: order?.id, client_id, sub });
    emit({ type: 'fault.applied', fault: kind.name, effect: kind.effect.does, endpoint, ...ids });
  }
  return all;
}

function contextOf({ issuer, clock }: FaultsOptions, { parameters }: Met): FaultContext {
  return { parameters, issuer, now: clock() };
}

/** Applies the faults before the endpoint: delays, holds, new keys, cut answers and replaced answers. */
async function begin(
  options: FaultsOptions,
  faulted: FaultedRequest,
  target: FaultTarget,
): Promise<FaultAnswer | undefined> {
  const { orders, problems } = askedOf(faulted);
  if (problems.length > 0) return refusedHeader(problems, faulted.endpoint, faulted.emit);
  const meets = (does: Wanted['does']) => met(options, { does }, target, faulted.emit, orders);
  for (const each of await meets('wait')) {
    if (each.kind.effect.does === 'wait') await wait(each.kind.effect.seconds(contextOf(options, each)));
  }
  // all holds at the same time, so that disarming all of them releases the request
  await Promise.all((await meets('hold')).map(({ armed }) => options.armed.hold(armed, faulted.gone())));
  if ((await meets('rotate')).length > 0) await options.replaceKeys(faulted.emit);
  const [cut] = await meets('cut');
  if (cut?.kind.effect.does === 'cut') faulted.cut(cut.kind.effect.fate);
  const [first] = await meets('answer');
  return first?.kind.effect.does === 'answer' ? first.kind.effect.answer(contextOf(options, first)) : undefined;
}

async function bent(
  options: FaultsOptions,
  honest: Reply,
  faulted: FaultedRequest,
  target: FaultTarget,
): Promise<Reply> {
  let reply = honest;
  for (const does of ['bend', 'respond'] as const) {
    if (!isBent(honest, does)) continue;
    for (const each of await met(options, { does }, target, faulted.emit, askedOf(faulted).orders)) {
      reply = bendReply(reply, each.kind, contextOf(options, each));
    }
  }
  return reply;
}

/** Replaces an answer that redirects the browser. Its session still begins. */
async function replaced(
  options: FaultsOptions,
  reply: Reply,
  faulted: FaultedRequest,
  target: FaultTarget,
): Promise<Reply | FaultAnswer> {
  if (reply.kind !== 'redirect' || !isBent(reply, 'respond')) return reply;
  const [first] = await met(options, { does: 'replace' }, target, faulted.emit, askedOf(faulted).orders);
  if (first?.kind.effect.does !== 'replace') return reply;
  const answer = first.kind.effect.replace(reply.location, contextOf(options, first));
  return reply.signedIn === undefined ? answer : { ...answer, signedIn: reply.signedIn };
}

function tamperingWith(options: Parts, orders: readonly FaultOrder[]): Tampering {
  return {
    async jwt(draft: JwtDraft) {
      const { kind: token, client_id, sub, emit } = draft;
      const target = { endpoint: 'token', client_id, sub };
      const last =
        options.carried.get(emit) ?? (await met(options, { does: 'forge', token }, target, emit, orders)).at(-1);
      if (last?.both) options.carried.set(emit, last);
      if (last?.kind.effect.does !== 'forge') return undefined;
      return { ...(await last.kind.effect.forge(draft, contextOf(options, last))), defect: last.kind.name };
    },
  };
}

function wait(seconds: number): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, seconds * 1000));
}
