import { randomBytes } from 'node:crypto';
import { phcText } from '../../../base/text/phc.ts';
import { type AnyMembers, isRecord } from '../../../base/text/record.ts';
import { hashProblem } from '../../../protocol/users/password-hash.ts';
import type { Answer } from '../../../server/http/answer.ts';
import { type CallInput, call, inputInvalid, json, type ManagementCall } from '../../management/call.ts';
import { endSessions } from '../../management/users.ts';
import { listAnswer } from './answers.ts';
import { testsIn } from './expression.ts';
import { addressOf, now, type Org, oktaId, refusedBy } from './org.ts';
import { changePerson, createPerson, type OrgUser, people, personWith, removePerson, setStatus } from './people.ts';
import { entryOf, profileOf, sentProfile, userBody } from './profile.ts';

const read = ['okta.users.read'];
const manage = ['okta.users.manage'];

/** The users of an org (developer.okta.com, Users API). */
export const userCalls: readonly ManagementCall<Org>[] = [
  call('GET /users', 'users by `q`, `filter` and `search`, in pages by `limit` and `after`', read, list),
  call('POST /users', 'creates a user, with `activate=false` one who cannot sign in yet', manage, create),
  call('GET /users/{user}', 'a user, by id or login', read, ({ names }, org) => shown(org, names.user)),
  call('POST /users/{user}', 'changes the members of the profile that are sent', manage, (sent, org) =>
    update(sent, org, 'some'),
  ),
  call('PUT /users/{user}', 'replaces the profile', manage, (sent, org) => update(sent, org, 'all')),
  call('DELETE /users/{user}', 'deactivates a user, and removes one who is deactivated', manage, remove),
];

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

interface SentPassword {
  readonly password: string | null;
  readonly password_hash: string | null;
}

/**
 * The password that was sent, as text or as a hash (developer.okta.com, Users API); undefined for none.
 * @throws 400
 */
function sentPassword(body: unknown): SentPassword | undefined {
  const { credentials } = isRecord(body) ? body : {};
  const password = isRecord(credentials) ? credentials.password : undefined;
  if (password === undefined || password === null) return undefined;
  const { value, hash } = isRecord(password) ? password : {};
  if (isRecord(hash)) return { password: null, password_hash: hashOf(hash) };
  if (typeof value === 'string' && value !== '') return { password: value, password_hash: null };
  throw refused('The password must be { "value": text } or { "hash": object }; hooks are not called here');
}

const digests = { MD5: 'md5', 'SHA-1': 'sha1', 'SHA-256': 'sha256', 'SHA-512': 'sha512' } as const;
const pseudorandom = { SHA256_HMAC: 'pbkdf2-sha256', SHA512_HMAC: 'pbkdf2-sha512' } as const;
const orders = { PREFIX: 'prefix', POSTFIX: 'suffix' } as const;

function hashOf(hash: AnyMembers): string {
  const text = oneOf(hash, 'algorithm', forms)(hash);
  const problem = hashProblem(text);
  if (problem === undefined) return text;
  throw refused(`The hash by ${String(hash.algorithm)} cannot be checked here: expected ${problem}`);
}

const forms = { BCRYPT: bcrypt, PBKDF2: pbkdf2, MD5: digest, 'SHA-1': digest, 'SHA-256': digest, 'SHA-512': digest };

function bcrypt({ workFactor, salt, value }: AnyMembers): string {
  return `$2b$${String(workFactor).padStart(2, '0')}$${String(salt)}${String(value)}`;
}

function pbkdf2(hash: AnyMembers): string {
  const { iterationCount, keySize, salt, value } = hash;
  const length = Buffer.from(String(value), 'base64').length;
  if (keySize !== length) throw refused(`hash.keySize must be the length of hash.value in bytes, ${length}`);
  if (Number(iterationCount) < 4096) throw refused('hash.iterationCount must be 4096 or more');
  const id = oneOf(hash, 'digestAlgorithm', pseudorandom);
  return phcText(id, { i: Number(iterationCount) }, String(salt), String(value));
}

/** Without a salt there is no order. */
function digest(hash: AnyMembers): string {
  const { salt, value } = hash;
  const id = oneOf(hash, 'algorithm', digests);
  if (salt === undefined || salt === null) return phcText(id, {}, '', String(value));
  return phcText(id, { pos: oneOf(hash, 'saltOrder', orders) }, String(salt), String(value));
}

function oneOf<Value>(hash: AnyMembers, name: string, values: Readonly<Record<string, Value>>): Value {
  const found = Object.entries(values).find(([each]) => each === hash[name])?.[1];
  if (found !== undefined) return found;
  throw refused(`hash.${name} must be one of ${Object.keys(values).join(', ')}`);
}

function refused(description: string) {
  return inputInvalid(`password: ${description}`);
}

const at = '/users/{user}/lifecycle';

/** The statuses of users, and their sessions (developer.okta.com, User Lifecycle and User Sessions APIs). */
export const lifecycleCalls: readonly ManagementCall<Org>[] = [
  call(`POST ${at}/activate`, 'lets a staged or deactivated user sign in', manage, activate),
  call(`POST ${at}/reactivate`, 'makes a new link for a user who has not set a password', manage, reactivate),
  call(`POST ${at}/deactivate`, 'ends the sessions and tokens of a user, who cannot sign in', manage, deactivate),
  call(`POST ${at}/suspend`, 'ends the sessions and tokens of an active user, until `unsuspend`', manage, suspend),
  call(`POST ${at}/unsuspend`, 'lets a suspended user sign in again', manage, async (sent, org) => {
    const person = personWith(org, sent.names.user);
    if (person.facts.status !== 'SUSPENDED')
      throw inputInvalid('unsuspendUser: Cannot unsuspend a user that is not suspended');
    await setStatus(org, person, 'ACTIVE');
    return json({});
  }),
  call(`POST ${at}/reset_password`, 'removes the password: any is accepted until the next one', manage, resetPassword),
  call('DELETE /users/{user}/sessions', 'ends all sessions of a user', ['okta.users.manage'], (sent, org) =>
    endSessions(org, personWith(org, sent.names.user).sub),
  ),
];

async function deactivate(sent: CallInput, org: Org): Promise<Answer> {
  const person = personWith(org, sent.names.user);
  if (person.facts.status === 'DEPROVISIONED') throw notInThisStatus();
  await setStatus(org, person, 'DEPROVISIONED');
  return json({});
}

async function suspend(sent: CallInput, org: Org): Promise<Answer> {
  const person = personWith(org, sent.names.user);
  if (person.facts.status !== 'ACTIVE') throw inputInvalid('suspendUser: Cannot suspend a user that is not active');
  await setStatus(org, person, 'SUSPENDED');
  return json({});
}

async function activate(sent: CallInput, org: Org): Promise<Answer> {
  const person = personWith(org, sent.names.user);
  const { status } = person.facts;
  if (status === 'ACTIVE') throw refusedBy('E0000016', 403, 'Activation failed because the user is already active');
  if (status !== 'STAGED' && status !== 'DEPROVISIONED') throw notInThisStatus();
  await setStatus(org, person, person.hasPassword ? 'ACTIVE' : 'PROVISIONED');
  return mailed(sent, org, person, 'activationUrl');
}

async function reactivate(sent: CallInput, org: Org): Promise<Answer> {
  const person = personWith(org, sent.names.user);
  if (person.facts.status !== 'PROVISIONED') throw notInThisStatus();
  await setStatus(org, person, 'PROVISIONED');
  return mailed(sent, org, person, 'activationUrl');
}

async function resetPassword(sent: CallInput, org: Org): Promise<Answer> {
  const person = personWith(org, sent.names.user);
  if (!person.isHere) throw notInThisStatus();
  await changePerson(org, person, { password: null, password_hash: null });
  await setStatus(org, personWith(org, person.sub), 'RECOVERY');
  return mailed(sent, org, person, 'resetPasswordUrl');
}

/** Nothing is sent by mail. With `sendEmail=false` the answer has the page of the dashboard that sets a password. */
function mailed({ query }: CallInput, { server }: Org, { sub }: OrgUser, member: string): Answer {
  if (query.get('sendEmail') !== 'false') return json({});
  return json({ [member]: `${server.issuer}/dashboard/users/${encodeURIComponent(sub)}` });
}

function notInThisStatus() {
  return refusedBy('E0000038', 403, "This operation is not allowed in the user's current status.");
}
