import type { FaultControl } from '../../control/faults.ts';
import type { ArmedFault, FaultKind, FaultOrder, FaultPlace } from '../../faults/fault.ts';
import { asCurl } from '../copy-as/curl.ts';
import type { Desk } from '../desk.ts';
import { momentOf } from '../moment.ts';
import { type FaultMember, isFaultMember, orderOf, type TypedFault } from './fault-form.ts';
import { budgetWords, parameterWords } from './fault-words.ts';
import { presetBudgets, presets } from './presets.ts';

/** One room of the catalogue. */
export interface FaultGroup {
  readonly name: string;
  readonly kinds: readonly (Pick<FaultKind, 'name' | 'title' | 'about'> & { readonly parameters: string })[];
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

export function faultsPage(desk: Desk, control: FaultControl, said: FaultsSaid) {
  const { typed, isChecked, done } = said;
  const wrong = said.refused ?? control.check(orderOf(typed));
  const kinds = control.catalogue();
  const registered = [...desk.registered()];
  return {
    presets: presets.map(({ id, name, order }) => ({ id, name, about: presetWords(order) })),
    // for how many requests each of them can be armed
    budgets: presetBudgets,
    armed: control.list().map(fault => armedRow(fault, kinds, desk.time.state().wall)),
    groups: groupsOf(kinds),
    endpoints: ['any', ...control.endpoints()],
    // to choose from; others can be typed
    clients: registered.slice(0, mostOffered).map(({ client_id }) => client_id),
    users: [...desk.accounts()].slice(0, mostOffered).map(({ sub }) => sub),
    typed,
    // what is wrong with what was typed, by its member
    faults: isChecked ? byMember(wrong, typed) : {},
    // the same for the API; empty where something is wrong with it
    curl: wrong.length > 0 ? '' : curlOf(desk, typed),
    // clients whose configuration has faults, always
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

/** A fault that waits, in words. */
function armedRow(fault: ArmedFault, kinds: readonly FaultKind[], wall: number) {
  const { id, endpoint, client = '', user = '', times, holds, probability = 1, until, met, by, armedAt } = fault;
  const kind = kinds.find(({ name }) => name === fault.fault);
  const left = until === undefined ? undefined : until - wall;
  return {
    id,
    client,
    user,
    met,
    by,
    fault: fault.fault,
    // of a fault of tokens, the endpoint says nothing: it is of the token, wherever it is made
    where: kind?.place === 'jwt' ? 'tokens' : endpoint === 'any' ? 'any endpoint' : endpoint,
    // `503 with Retry-After`
    title: kind?.title ?? fault.fault,
    // what was said of it; empty for nothing
    parameters: parameterWords(fault),
    budget: budgetWords({ times, probability, left, holds }),
    // by the wall
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
function byMember(wrong: ReturnType<FaultControl['check']>, typed: TypedFault) {
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
