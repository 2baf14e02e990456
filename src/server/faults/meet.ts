import type { ArmedFaults } from './armed-faults.ts';
import { catalogue } from './catalogue.ts';
import type { ArmedFault, Effect, Fate, FaultKind, FaultOrder, FaultParameters, FaultTarget } from './fault.ts';
import { type Standing, standingOrders } from './standing.ts';

/** A fault that affects a request. */
export interface Met {
  readonly kind: FaultKind;
  readonly parameters: Required<FaultParameters>;
  /** Absent for a setting of the client, the name of a user, and the request's own header. */
  readonly armed?: ArmedFault;
  /** Whether every token of the answer is bent. */
  readonly both?: true;
}

/** The kind of effect to look for. */
export interface Wanted {
  readonly does: Effect;
  /** The kind of token, for a token fault. */
  readonly token?: 'access' | 'id';
  /** The fate, for a fault that cuts the answer. */
  readonly fate?: Fate;
}

/** Finds the faults with one kind of effect for this request, and charges their budgets. */
export async function meet(
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
  const isSame = (['fault', 'seconds', 'error', 'member', 'status'] as const).every(name => one[name] === other[name]);
  return isSame || !addUp.has(does);
}

function fitting(order: FaultOrder, { does, token, fate }: Wanted): FaultKind | undefined {
  const kind = catalogue.get(order.fault);
  if (kind?.effect.does !== does) return undefined;
  if (fate !== undefined && kind.effect.does === 'cut' && kind.effect.fate !== fate) return undefined;
  return token === undefined || bendsToken(kind, order, token) ? kind : undefined;
}

/** Tells whether a fault changes this kind of token. The default is the access token, if the fault can change it. */
function bendsToken({ tokens = [], token: usual }: FaultKind, order: FaultOrder, token: 'access' | 'id'): boolean {
  const wanted = order.token ?? usual ?? tokens[0];
  return tokens.includes(token) && (wanted === 'both' || wanted === token);
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
  };
}
