import type { Response, Router } from 'express';
import { duration } from '../base/text/duration.ts';
import { recordIn } from '../base/text/record.ts';
import type { FaultControl } from '../sandbox/control/faults.ts';
import type { ArmedFault, AskedFault, FaultKind, FaultOrder, FaultPlace } from '../server/faults/fault.ts';
import { byField, changing } from './form.ts';
import { asCurl } from './http-call.ts';
import { type Moment, momentOf } from './moment.ts';
import type { PageContext } from './page.ts';

const members = [
  'fault',
  'endpoint',
  'client',
  'user',
  'token',
  'times',
  'probability',
  'for',
  'seconds',
  'error',
  'member',
  'status',
  'change',
  'header',
] as const;

type FaultMember = (typeof members)[number];

type TypedFault = Readonly<Record<FaultMember, string>>;

const numbers: ReadonlySet<string> = new Set<FaultMember>(['probability', 'status']);
const objects: ReadonlySet<string> = new Set<FaultMember>(['change', 'header']);

function isFaultMember(name: string): name is FaultMember {
  return (members as readonly string[]).includes(name);
}

function typedFault(form: URLSearchParams): TypedFault {
  const typed = members.map(name => [name, (form.get(name) ?? '').trim()]);
  return Object.fromEntries(typed) as TypedFault; // has every member
}

/** The typed order. A number field with other text is NaN, and an object field without JSON is text: the check of the order refuses them. */
function orderOf(typed: TypedFault): AskedFault {
  const filled = members.filter(name => typed[name] !== '' || name === 'fault');
  const isNumber = (name: FaultMember) => numbers.has(name) || (name === 'times' && typed.times !== 'always');
  const read = (name: FaultMember) => (objects.has(name) ? (recordIn(typed[name]) ?? typed[name]) : typed[name]);
  const order = Object.fromEntries(filled.map(name => [name, isNumber(name) ? Number(typed[name]) : read(name)]));
  return order as unknown as AskedFault; // checked by `FaultControl.check`
}

const first = typedFault(new URLSearchParams({ fault: 'unavailable' }));

/** `/faults`: requests that fail on purpose. A query fills in the form; a link never arms a fault. */
export function faultPages(router: Router, context: PageContext): void {
  async function show(res: Response, said: FaultsSaid, status = 200): Promise<void> {
    const model = faultsPage(context, await context.faults.control(), said);
    await context.show(res, { template: 'faults', title: 'Faults', nav: 'faults', model, status });
  }

  router.get('/faults', async (req, res) => {
    const { searchParams } = new URL(req.url, context.issuer);
    const isChecked = searchParams.has('fault');
    const done = context.noticesFor(req).join(' ');
    await show(res, { typed: isChecked ? typedFault(searchParams) : first, isChecked, done });
  });

  router.post(
    '/faults',
    changing(context, async (form, _req, res) => {
      const control = await context.faults.control();
      const order = orderIn(form);
      const armed = order === undefined ? undefined : control.arm(order, 'dashboard');
      if (armed?.ok === false) {
        return show(res, { typed: typedFault(form), isChecked: true, done: '', refused: armed.problems }, 400);
      }
      const done = armed === undefined ? disarm(control, form) : armedWords(armed.fault);
      context.leadTo(res, '/dashboard/faults', [done]);
    }),
  );
}

function orderIn(form: URLSearchParams): AskedFault | undefined {
  const asked = form.get('preset');
  const preset = presets.find(({ id }) => id === asked);
  if (preset !== undefined) return { ...preset.order, times: presetTimes(form.get('times')) };
  return form.has('disarm') ? undefined : orderOf(typedFault(form));
}

function presetTimes(sent: string | null): number | 'always' {
  const [once] = presetBudgets;
  const { times } = presetBudgets.find(budget => budget.times === sent) ?? once;
  return times === 'always' ? times : Number(times);
}

function armedWords({ id, fault, times, probability, for: left }: FaultOrder & { readonly id: string }): string {
  return `Armed: ${fault}, ${budgetWords({ times: times ?? 1, probability: probability ?? 1, left })} (${id}).`;
}

function disarm(control: FaultControl, form: URLSearchParams): string {
  const id = form.get('disarm') ?? '';
  if (id !== 'all') return control.disarm(id) ? `${id} is disarmed.` : 'This fault was already used up or disarmed.';
  const count = control.disarmAll();
  return count === 1 ? '1 fault is disarmed.' : `${count} faults are disarmed.`;
}

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

interface FaultsSaid {
  readonly typed: TypedFault;
  readonly isChecked: boolean;
  readonly done: string;
  readonly refused?: ReturnType<FaultControl['check']>;
}

function faultsPage(context: PageContext, control: FaultControl, said: FaultsSaid) {
  const { typed, isChecked, done } = said;
  const wrong = said.refused ?? control.check(orderOf(typed));
  const kinds = control.catalogue();
  const groups = groupsOf(kinds);
  const registered = [...context.registered()];
  return {
    presets: presets.map(({ id, name, order }) => ({ id, name, about: presetWords(order) })),
    budgets: presetBudgets,
    armed: control.list().map(fault => ({
      ...armedRow(fault, kinds, context.time.state().wall),
      last: lastMet(context, fault.id),
    })),
    groups,
    ofSomeFaults: [...new Set(groups.flatMap(group => group.kinds.flatMap(({ fields }) => fields)))],
    endpoints: ['any', ...control.endpoints()],
    clients: registered.slice(0, mostOffered).map(({ client_id }) => client_id),
    users: [...context.accounts()].slice(0, mostOffered).map(({ sub }) => sub),
    typed,
    isChecked,
    problems: isChecked ? byMember(wrong, typed) : {},
    // the same order for the control API; empty for a wrong order
    curl: wrong.length > 0 ? '' : curlOf(context, typed),
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
    title: kind?.title ?? fault.fault,
    parameters: parameterWords(fault),
    budget: budgetWords({ times, probability, left, holds }),
    // in wall time
    at: momentOf(armedAt, wall),
  };
}

/** The newest request that it affected; undefined for none. */
function lastMet({ events, clock }: PageContext, id: string): Moment | undefined {
  const applied = events.latest('fault.applied', Number.POSITIVE_INFINITY).find(({ faultId }) => faultId === id);
  return applied && momentOf(applied.at, clock());
}

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

function curlOf({ issuer, base }: PageContext, typed: TypedFault): string {
  return asCurl({
    method: 'POST',
    url: `${new URL(issuer).origin}${base}/_sandbox/faults`,
    headers: [['Content-Type', 'application/json']],
    body: JSON.stringify(orderOf(typed)),
  });
}

const presetBudgets = [
  { times: '1', id: '', name: 'Once' },
  { times: '2', id: '-twice', name: 'Twice' },
  { times: 'always', id: '-always', name: 'Until switched off' },
] as const;

/** Common faults, each armed with one click for one request, for two, or until it is disarmed. The form sends the `id`. */
export const presets: readonly { readonly id: string; readonly name: string; readonly order: FaultOrder }[] = [
  { id: 'slow', name: 'Server is slow, 3 s', order: { fault: 'slow', endpoint: 'any', seconds: 3 } },
  { id: 'unavailable', name: 'Token endpoint 503', order: { fault: 'unavailable', endpoint: 'token' } },
  { id: 'rotated', name: 'Keys rotated', order: { fault: 'keys_rotated' } },
  { id: 'expired', name: 'Everything expired', order: { fault: 'expired', token: 'both' } },
  { id: 'denied', name: 'User denies', order: { fault: 'authorize_error', error: 'access_denied' } },
  { id: 'unknown-kid', name: 'Unknown kid', order: { fault: 'unknown_kid' } },
  { id: 'no-keys', name: 'No keys', order: { fault: 'keys_empty' } },
  { id: 'api', name: 'API 401', order: { fault: 'api_unauthorized' } },
];

type Budget = Pick<FaultOrder, 'times' | 'probability'> & {
  /** Number of requests it holds. */
  readonly holds?: number | undefined;
  /** Seconds that remain. */
  readonly left?: number | undefined;
};

/** `next request`; `every request, with probability 0.2, for 10 min`. */
function budgetWords({ times = 1, probability = 1, left, holds }: Budget): string {
  return [
    ...(times === 0 ? [] : [requestWords(times)]),
    ...(holds === undefined ? [] : [`${holds} held until it is disarmed`]),
    ...(probability < 1 ? [`with probability ${probability}`] : []),
    ...(left === undefined ? [] : [`for ${duration(left)}`]),
  ].join(', ');
}

function requestWords(times: number | 'always'): string {
  if (times === 'always') return 'every request';
  return times === 1 ? 'next request' : `next ${times} requests`;
}

const tokenWords = {
  access: 'access token',
  id: 'ID token',
  logout: 'logout token',
  response: 'signed response',
  both: 'both tokens',
} as const;

/** `3 s, error access_denied`; empty if all parameters have their default. */
function parameterWords({ seconds, status, error, member, token, change = {}, header = {} }: FaultOrder): string {
  return [
    ...(seconds === undefined ? [] : [`${seconds} s`]),
    ...(status === undefined ? [] : [`status ${status}`]),
    ...(error === undefined ? [] : [`error ${error}`]),
    ...(member === undefined ? [] : [`without ${member}`]),
    ...(Object.keys(change).length === 0 ? [] : [`change ${JSON.stringify(change)}`]),
    ...(Object.keys(header).length === 0 ? [] : [`header ${JSON.stringify(header)}`]),
    ...(token === undefined ? [] : [tokenWords[token]]),
  ].join(', ');
}

/** `0 of 1 used`; `used 3 times` without a set number. */
function usedWords({ met, times }: { readonly met: number; readonly times: number | 'always' }): string {
  if (times !== 'always') return `${met} of ${met + times} used`;
  return met === 1 ? 'used once' : `used ${met} times`;
}
