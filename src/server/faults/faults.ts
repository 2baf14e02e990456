import { isDeepStrictEqual } from 'node:util';
import { defined } from '../../base/defined.ts';
import type { Emit } from '../../base/events/event.ts';
import type { AuthorizationServer } from '../../protocol/authorization-server.ts';
import type { EndpointRequest, Reply } from '../../protocol/endpoints/endpoint.ts';
import type { JwtDraft, Tampering, TokenOfServer } from '../../protocol/tokens/signing-key.ts';
import type { ArmedFaults } from './armed-faults.ts';
import { bendReply, isBent } from './bend-reply.ts';
import { catalogue } from './catalogue.ts';
import type {
  ArmedFault,
  Effect,
  Fate,
  FaultAnswer,
  FaultContext,
  FaultKind,
  FaultOrder,
  FaultParameters,
  FaultTarget,
} from './fault.ts';
import { type AskedFaults, readFaultHeader, refusedHeader } from './read-header.ts';
import { parameterNames } from './read-order.ts';
import { type Standing, standingOrders } from './standing.ts';
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
      const isNonced =
        request.dpop !== undefined &&
        (await met(options, { does: 'demand_nonce' }, target, faulted.emit, orders)).length > 0;
      const dpop = isNonced ? { ...server.dpop, nonceRequired: true } : server.dpop;
      const bentServer = { ...server, dpop, tampering: tamperingWith(options, orders) };
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

/** The endpoints that make a JWT that is no token of a token response. */
const endpointOf: Partial<Readonly<Record<TokenOfServer, string>>> = { logout: 'end_session', response: 'authorize' };

function tamperingWith(options: Parts, orders: readonly FaultOrder[]): Tampering {
  return {
    async jwt(draft: JwtDraft) {
      const { kind: token, client_id, sub, emit } = draft;
      const target = { endpoint: endpointOf[token] ?? 'token', client_id, sub };
      const carried = token === 'logout' ? undefined : options.carried.get(emit);
      const last = carried ?? (await met(options, { does: 'forge', token }, target, emit, orders)).at(-1);
      if (last?.both) options.carried.set(emit, last);
      if (last?.kind.effect.does !== 'forge') return undefined;
      return { ...(await last.kind.effect.forge(draft, contextOf(options, last))), defect: last.kind.name };
    },
  };
}

function wait(seconds: number): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, seconds * 1000));
}

/** A fault that affects a request. */
interface Met {
  readonly kind: FaultKind;
  readonly parameters: Required<FaultParameters>;
  /** Absent for a setting of the client, the name of a user, and the request's own header. */
  readonly armed?: ArmedFault;
  /** Whether every token of the answer is bent. */
  readonly both?: true;
}

/** The kind of effect to look for. */
interface Wanted {
  readonly does: Effect;
  /** The kind of token, for a token fault. */
  readonly token?: TokenOfServer;
  /** The fate, for a fault that cuts the answer. */
  readonly fate?: Fate;
}

/** Finds the faults with one kind of effect for this request, and charges their budgets. */
async function meet(
  armed: ArmedFaults,
  standing: Standing,
  wanted: Wanted,
  target: FaultTarget,
  asked: readonly FaultOrder[],
): Promise<readonly Met[]> {
  const met: Met[] = [];
  for (const fault of armed.list()) {
    const kind = fitting(fault, wanted);
    if (kind === undefined || fault.times === 0 || !isFor(fault, kind, target)) continue;
    if (met.some(({ armed: other }) => other !== undefined && takeTurns(other, fault, wanted.does))) continue;
    const { probability = 1 } = fault;
    if (probability < 1 && Math.random() >= probability) continue;
    const charged = await armed.charge(fault, wanted.does === 'hold');
    if (charged === undefined) continue; // another request had the last of it
    met.push({ kind, parameters: parametersOf(kind, fault), armed: charged, ...bothOf(kind, fault) });
  }
  for (const order of [...asked, ...standingOrders(target, standing)]) {
    const kind = fitting(order, wanted);
    if (kind !== undefined && isAt(kind, order, target))
      met.push({ kind, parameters: parametersOf(kind, order), ...bothOf(kind, order) });
  }
  return met;
}

/** Effects that combine if the faults differ: one answer can lack two members, but a request gets only one answer. */
const addUp: ReadonlySet<Effect> = new Set(['wait', 'bend', 'respond']);

/** Tells whether two faults take turns. A fault that is armed twice affects two requests. */
function takeTurns(one: FaultOrder, other: FaultOrder, does: Effect): boolean {
  if (does === 'hold' && other.times === 'always') return false; // it holds every request, also those of a different fault
  const isSame = (['fault', ...parameterNames] as const).every(name => isDeepStrictEqual(one[name], other[name]));
  return isSame || !addUp.has(does);
}

function fitting(order: FaultOrder, { does, token, fate }: Wanted): FaultKind | undefined {
  const kind = catalogue.get(order.fault);
  if (kind?.effect.does !== does) return undefined;
  if (fate !== undefined && kind.effect.does === 'cut' && kind.effect.fate !== fate) return undefined;
  return token === undefined || bendsToken(kind, order, token) ? kind : undefined;
}

/** Tells whether a fault changes this kind of token. The default is the access token, if the fault can change it. */
function bendsToken({ tokens = [], token: usual }: FaultKind, order: FaultOrder, token: TokenOfServer): boolean {
  const wanted = order.token ?? usual ?? tokens[0];
  return tokens.includes(token) && (wanted === token || (wanted === 'both' && !(token in endpointOf)));
}

function bothOf(kind: FaultKind, { token = kind.token }: FaultOrder): Pick<Met, 'both'> {
  return token === 'both' ? { both: true } : {};
}

function isFor({ client, user, ...fault }: ArmedFault, kind: FaultKind, target: FaultTarget): boolean {
  if (client !== undefined && client !== target.client_id) return false;
  if (user !== undefined && user !== target.sub) return false;
  return isAt(kind, fault, target);
}

/** Tells whether a fault is for this endpoint. A token fault is for every endpoint that issues tokens. */
function isAt(
  kind: FaultKind,
  { endpoint = kind.endpoint }: Pick<FaultOrder, 'endpoint'>,
  target: FaultTarget,
): boolean {
  if (kind.place === 'jwt') return true;
  if (endpoint === 'any') return kind.endpoints.length === 0 || kind.endpoints.includes(target.endpoint);
  return endpoint === target.endpoint;
}

function parametersOf({ parameters }: FaultKind, said: FaultParameters): Required<FaultParameters> {
  return {
    seconds: said.seconds ?? parameters.seconds ?? 0,
    error: said.error ?? parameters.error ?? '',
    member: said.member ?? parameters.member ?? '',
    status: said.status ?? parameters.status ?? 0,
    change: said.change ?? parameters.change ?? {},
    header: said.header ?? parameters.header ?? {},
  };
}
