import type { FaultControl } from '../../control/faults.ts';
import type { ArmedFault, FaultKind, FaultOrder, FaultPlace } from '../../faults/fault.ts';
import { asCurl } from '../copy-as/curl.ts';
import type { Desk } from '../desk.ts';
import { type Moment, momentOf } from '../moment.ts';
import { type FaultMember, isFaultMember, orderOf, type TypedFault } from './fault-form.ts';
import { budgetWords, parameterWords } from './fault-words.ts';
import { presetBudgets, presets } from './presets.ts';

/** A fault that waits, in words. */
export interface ArmedRow {
  readonly id: string;
  readonly where: string;
  readonly fault: string;
  /** `503 with Retry-After` */
  readonly title: string;
  /** What was said of it; empty for nothing. */
  readonly parameters: string;
  /** `client_id` and `sub`; empty for any. */
  readonly client: string;
  readonly user: string;
  readonly budget: string;
  readonly met: number;
  readonly by: ArmedFault['by'];
  /** By the wall. */
  readonly at: Moment;
}

/** One room of the catalogue. */
export interface FaultGroup {
  readonly name: string;
  readonly kinds: readonly (Pick<FaultKind, 'name' | 'title' | 'about'> & { readonly parameters: string })[];
}

export interface FaultsPage {
  readonly presets: readonly { readonly id: string; readonly name: string; readonly about: string }[];
  /** For how many requests each of them can be armed. */
  readonly budgets: typeof presetBudgets;
  readonly armed: readonly ArmedRow[];
  readonly groups: readonly FaultGroup[];
  readonly endpoints: readonly string[];
  /** To choose from; others can be typed. */
  readonly clients: readonly string[];
  readonly users: readonly string[];
  readonly typed: TypedFault;
  /** What is wrong with what was typed, by its member. */
  readonly faults: Partial<Readonly<Record<FaultMember, readonly string[]>>>;
  /** The same for the API; empty where something is wrong with it. */
  readonly curl: string;
  /** Clients whose configuration has faults, always. */
  readonly standing: readonly { readonly client_id: string; readonly faults: string }[];
  readonly done: string;
}

/** More than anybody reads in a list. */
const mostOffered = 50;

const placeNames: Readonly<Record<FaultPlace, string>> = {
  transport: 'HTTP, anywhere',
  metadata: 'Metadata',
  keys: 'Keys',
  authorize: 'Authorization response',
  token: 'Token response',
  jwt: 'Tokens',
  userinfo: 'UserInfo',
  api: 'Sample backend',
};

export interface FaultsSaid {
  readonly typed: TypedFault;
  /** Whether what is wrong with it is told: not before somebody has typed something. */
  readonly isChecked: boolean;
  readonly done: string;
  /** What arming it has said, where it was tried. */
  readonly refused?: ReturnType<FaultControl['check']>;
}

export function faultsPage(desk: Desk, control: FaultControl, said: FaultsSaid): FaultsPage {
  const { typed, isChecked, done } = said;
  const wrong = said.refused ?? control.check(orderOf(typed));
  const kinds = control.catalogue();
  const registered = [...desk.registered()];
  return {
    presets: presets.map(({ id, name, order }) => ({ id, name, about: presetWords(order) })),
    budgets: presetBudgets,
    armed: control.list().map(fault => armedRow(fault, kinds, desk.time.state().wall)),
    groups: groupsOf(kinds),
    endpoints: ['any', ...control.endpoints()],
    clients: registered.slice(0, mostOffered).map(({ client_id }) => client_id),
    users: [...desk.accounts()].slice(0, mostOffered).map(({ sub }) => sub),
    typed,
    faults: isChecked ? byMember(wrong, typed) : {},
    curl: wrong.length > 0 ? '' : curlOf(desk, typed),
    standing: registered.flatMap(({ client_id, faults = [] }) =>
      faults.length === 0 ? [] : [{ client_id, faults: faults.join(', ') }],
    ),
    done,
  };
}

function presetWords(order: FaultOrder): string {
  const said = parameterWords(order);
  return said === '' ? order.fault : `${order.fault}, ${said}`;
}

function armedRow(fault: ArmedFault, kinds: readonly FaultKind[], wall: number): ArmedRow {
  const { id, endpoint, client = '', user = '', times, holds, probability = 1, until, met, by, armedAt } = fault;
  const kind = kinds.find(({ name }) => name === fault.fault);
  const left = until === undefined ? undefined : until - wall;
  return {
    ...{ id, client, user, met, by, fault: fault.fault },
    // of a fault of tokens, the endpoint says nothing: it is of the token, wherever it is made
    where: kind?.place === 'jwt' ? 'tokens' : endpoint === 'any' ? 'any endpoint' : endpoint,
    title: kind?.title ?? fault.fault,
    parameters: parameterWords(fault),
    budget: budgetWords({ times, probability, left, holds }),
    at: momentOf(armedAt, wall),
  };
}

function groupsOf(kinds: readonly FaultKind[]): readonly FaultGroup[] {
  const places = [...new Set(kinds.map(({ place }) => place))];
  return places.map(place => ({
    name: placeNames[place],
    kinds: kinds
      .filter(kind => kind.place === place)
      .map(({ name, title, about, parameters }) => ({
        name,
        title,
        about: about.replaceAll('`', ''),
        parameters: parameterWords({ fault: name, ...parameters }),
      })),
  }));
}

/** Told in the words that were typed: what is no number has become NaN. */
function byMember(wrong: ReturnType<FaultControl['check']>, typed: TypedFault): FaultsPage['faults'] {
  const told: Partial<Record<FaultMember, string[]>> = {};
  for (const { member, sent, expected } of wrong) {
    const name = isFaultMember(member) ? member : 'fault';
    const found = (isFaultMember(member) ? typed[member] : sent) || 'nothing';
    told[name] = [...(told[name] ?? []), `${found} was sent, expected ${expected}.`];
  }
  return told;
}

function curlOf({ issuer, base }: Desk, typed: TypedFault): string {
  return asCurl({
    method: 'POST',
    url: `${new URL(issuer).origin}${base}/_sandbox/faults`,
    headers: [['Content-Type', 'application/json']],
    body: JSON.stringify(orderOf(typed)),
  });
}
