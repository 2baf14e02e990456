import type { Answer } from '../../../server/http/answer.ts';
import { type CallInput, call, inputInvalid, json, type ManagementCall } from '../../management/call.ts';
import { endSessions } from '../../management/users.ts';
import { type Org, refusedBy } from './org.ts';
import { changePerson, type OrgUser, personWith, setStatus } from './people.ts';

const manage = ['okta.users.manage'];
const at = '/users/{user}/lifecycle';

/** The statuses of users, and their sessions (developer.okta.com, User Lifecycle and User Sessions APIs). */
export const lifecycleCalls: readonly ManagementCall<Org>[] = [
  call(`POST ${at}/activate`, 'lets a staged or deactivated user log in', manage, activate),
  call(`POST ${at}/reactivate`, 'makes a new link for a user who has not set a password', manage, reactivate),
  call(`POST ${at}/deactivate`, 'ends the sessions and tokens of a user, who cannot log in', manage, deactivate),
  call(`POST ${at}/suspend`, 'ends the sessions and tokens of an active user, until `unsuspend`', manage, suspend),
  call(`POST ${at}/unsuspend`, 'lets a suspended user log in again', manage, async (sent, org) => {
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
