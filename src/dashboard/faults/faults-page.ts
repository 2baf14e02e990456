import type { FaultControl } from '../../sandbox/control/faults.ts';
import type { ArmedFault, FaultKind, FaultOrder, FaultPlace } from '../../server/faults/fault.ts';
import { byField } from '../configure/fault-texts.ts';
import { asCurl } from '../copy-as/curl.ts';
import type { Desk } from '../desk.ts';
import { momentOf } from '../moment.ts';
import { isFaultMember, orderOf, type TypedFault } from './fault-form.ts';
import { budgetWords, parameterWords, usedWords } from './fault-words.ts';
import { presetBudgets, presets } from './presets.ts';

/** Suggestions per list. Other names can be typed. */
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
  /** Whether faults of the form are shown; not before something was typed. */
  readonly isChecked: boolean;
  readonly done: string;
  /** The faults found when arming was tried. */
  readonly refused?: ReturnType<FaultControl['check']>;
}

export function faultsPage(desk: Desk, control: FaultControl, said: FaultsSaid) {
  const { typed, isChecked, done } = said;
  const wrong = said.refused ?? control.check(orderOf(typed));
  const kinds = control.catalogue();
  const groups = groupsOf(kinds);
  const registered = [...desk.registered()];
  return {
    presets: presets.map(({ id, name, order }) => ({ id, name, about: presetWords(order) })),
    // the number of requests per button of a preset
    budgets: presetBudgets,
    armed: control.list().map(fault => armedRow(fault, kinds, desk.time.state().wall)),
    groups,
    ofSomeFaults: [...new Set(groups.flatMap(group => group.kinds.flatMap(({ fields }) => fields)))],
    endpoints: ['any', ...control.endpoints()],
    // suggestions; others can be typed
    clients: registered.slice(0, mostOffered).map(({ client_id }) => client_id),
    users: [...desk.accounts()].slice(0, mostOffered).map(({ sub }) => sub),
    typed,
    isChecked,
    // texts of faults, by member
    faults: isChecked ? byMember(wrong, typed) : {},
    // the same order for the control API; empty for a wrong order
    curl: wrong.length > 0 ? '' : curlOf(desk, typed),
    // clients whose configuration has permanent faults
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

/** An armed fault, in words. */
function armedRow(fault: ArmedFault, kinds: readonly FaultKind[], wall: number) {
  const { id, endpoint, client = '', user = '', times, holds, probability = 1, until, met, by, armedAt } = fault;
  const kind = kinds.find(({ name }) => name === fault.fault);
  const left = until === undefined ? undefined : until - wall;
  return {
    id,
    client,
    user,
    by,
    used: usedWords({ met, times }),
    fault: fault.fault,
    // a token fault applies to the token, at every endpoint that issues it
    where: kind?.place === 'jwt' ? 'tokens' : endpoint === 'any' ? 'any endpoint' : endpoint,
    // `503 with Retry-After`
    title: kind?.title ?? fault.fault,
    // empty for defaults
    parameters: parameterWords(fault),
    budget: budgetWords({ times, probability, left, holds }),
    // in wall time
    at: momentOf(armedAt, wall),
  };
}

/** The catalogue by the places of the faults. */
function groupsOf(kinds: readonly FaultKind[]) {
  const places = [...new Set(kinds.map(({ place }) => place))];
  return places.map(place => ({
    name: placeNames[place],
    kinds: kinds
      .filter(kind => kind.place === place)
      .map(({ name, title, about, parameters, tokens }) => ({
        name,
        title,
        about: about.replaceAll('`', ''),
        // with their defaults, in words
        parameters: parameterWords({ fault: name, ...parameters }),
        // the fields of the form that only some faults have
        fields: [...Object.keys(parameters), ...(tokens === undefined ? [] : ['token'])],
      })),
  }));
}

/** Quotes the typed text, because `orderOf` has turned wrong numbers into NaN. */
function byMember(wrong: ReturnType<FaultControl['check']>, typed: TypedFault) {
  const texts = wrong.map(({ member, sent, expected }) => {
    const [name, found] = isFaultMember(member) ? [member, typed[member]] : ['fault', sent];
    return [name, `${found || 'nothing'} was sent, expected ${expected}.`] as const;
  });
  return byField(texts);
}

function curlOf({ issuer, base }: Desk, typed: TypedFault): string {
  return asCurl({
    method: 'POST',
    url: `${new URL(issuer).origin}${base}/_sandbox/faults`,
    headers: [['Content-Type', 'application/json']],
    body: JSON.stringify(orderOf(typed)),
  });
}
