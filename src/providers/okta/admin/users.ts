import { randomBytes } from 'node:crypto';
import type { Answer } from '../../../server/http/answer.ts';
import { json } from '../../management/answers.ts';
import { type CallInput, call, type ManagementCall } from '../../management/call.ts';
import { inputInvalid } from '../../management/refusals.ts';
import { listAnswer } from './answers.ts';
import { testsIn } from './expression.ts';
import { addressOf, now, type Org, oktaId } from './org.ts';
import { sentPassword } from './password.ts';
import { changePerson, createPerson, type OrgUser, people, personWith, removePerson, setStatus } from './people.ts';
import { entryOf, profileOf, sentProfile, userBody } from './profile.ts';

const read = ['okta.users.read'];
const manage = ['okta.users.manage'];

/** The users of an org (developer.okta.com, Users API). */
export const userCalls: readonly ManagementCall<Org>[] = [
  call('GET /users', 'users by `q`, `filter` and `search`, in pages by `limit` and `after`', read, list),
  call('POST /users', 'creates a user, with `activate=false` one who cannot log in yet', manage, create),
  call('GET /users/{user}', 'a user, by id or login', read, ({ names }, org) => shown(org, names.user)),
  call('POST /users/{user}', 'changes the members of the profile that are sent', manage, (sent, org) =>
    update(sent, org, 'some'),
  ),
  call('PUT /users/{user}', 'replaces the profile', manage, (sent, org) => update(sent, org, 'all')),
  call('DELETE /users/{user}', 'deactivates a user, and removes one who is deactivated', manage, remove),
];

/** The user as the API answers it. */
function shown(org: Org, id: string | undefined): Answer {
  return json(bodyOf(org, personWith(org, id)));
}

/** A user as the API answers it. */
export function bodyOf(org: Org, person: OrgUser) {
  return userBody(person, addressOf(org, 'users', person.sub));
}

function list(sent: CallInput, org: Org): Answer {
  const { query } = sent;
  const tests = testsIn<OrgUser>(query, valueAt);
  const q = query.get('q')?.toLowerCase() ?? '';
  const isNamed = ({ login, claims }: OrgUser) =>
    [claims.given_name, claims.family_name, claims.email ?? login].some(each =>
      String(each ?? '')
        .toLowerCase()
        .startsWith(q),
    );
  // a list without a question leaves out deactivated users
  const isAsked = tests.length > 0 || query.has('q');
  const found = people(org).filter(
    each =>
      (isAsked || each.facts.status !== 'DEPROVISIONED') &&
      (q === '' || isNamed(each)) &&
      tests.every(test => test(each)),
  );
  return listAnswer(org, sent, found, each => bodyOf(org, each));
}

/** The value of a member in an expression: `status`, `profile.login`. */
function valueAt({ sub, login, claims, facts }: OrgUser, path: string): unknown {
  const [first, member = ''] = path.split(/\.(.*)/s, 2);
  if (first === 'profile') return Object.entries(profileOf({ login, claims })).find(([name]) => name === member)?.[1];
  if (path === 'id') return sub;
  return Object.entries(facts).find(([name]) => name === path)?.[1];
}

async function create({ body, query }: CallInput, org: Org): Promise<Answer> {
  const { username, claims } = entryOf(sentProfile(body), {});
  requireFreeLogin(org, username);
  const password = sentPassword(body);
  const sub = oktaId('00u', randomBytes(16).toString('hex'));
  const isStaged = query.get('activate') === 'false';
  const status = isStaged ? 'STAGED' : password === undefined ? 'PROVISIONED' : 'ACTIVE';
  const secret = Object.entries(password ?? {}).filter(([, value]) => value !== null);
  await createPerson(org, { sub, username, ...Object.fromEntries(secret), claims }, status);
  return shown(org, sub);
}

async function update({ body, names }: CallInput, org: Org, how: 'some' | 'all'): Promise<Answer> {
  const person = personWith(org, names.user);
  const sent = sentProfile(body);
  const profile = how === 'all' && Object.keys(sent).length > 0 ? sent : { ...profileOf(person), ...sent };
  const { username, claims } = entryOf(profile, person.claims);
  requireFreeLogin(org, username, person.sub);
  const password = sentPassword(body);
  if (password?.password === null && person.facts.status !== 'STAGED')
    throw inputInvalid('password: A hash can be set only while the status of the user is STAGED');
  await changePerson(org, person, { username, claims, ...password });
  if (password !== undefined) await passwordChanged(org, names.user);
  return shown(org, person.sub);
}

/** A user who was told to choose a password, or had none, is active with the new one. */
async function passwordChanged(org: Org, id: string | undefined): Promise<void> {
  const person = personWith(org, id);
  const { status } = person.facts;
  if (status === 'PROVISIONED' || status === 'RECOVERY') await setStatus(org, person, 'ACTIVE');
  const { facts } = personWith(org, person.sub);
  org.state.users.set(person.sub, { ...facts, passwordChanged: now(org) });
}

function requireFreeLogin(org: Org, login: string, sub?: string): void {
  const folded = login.toLowerCase();
  const isTaken = people(org).some(each => each.sub !== sub && each.login.toLowerCase() === folded);
  if (isTaken) throw inputInvalid('login: An object with this field already exists in the current organization');
}

async function remove({ names }: CallInput, org: Org): Promise<void> {
  const person = personWith(org, names.user);
  if (person.facts.status === 'DEPROVISIONED') await removePerson(org, person);
  else await setStatus(org, person, 'DEPROVISIONED');
}
