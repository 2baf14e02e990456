import type { LiveSession } from '../../../sandbox/control/sessions.ts';
import type { Answer } from '../../../server/http/answer.ts';
import { type CallInput, call, entryUnknown, inputInvalid, type ManagementCall } from '../../management/call.ts';
import { membersIn } from '../../management/members.ts';
import { endSessions, managedUsers } from '../../management/users.ts';
import { connectionName } from '../database.ts';
import { type Factor, factorsOf } from '../second-factor.ts';
import { answered, doneWithLimits, listed } from './answers.ts';
import { idOf, type Tenant } from './tenant.ts';
import { changeClaims, personWith } from './user-representation.ts';

/** Connections, tickets, jobs, logs and what belongs to one user. */
export const otherCalls: readonly ManagementCall<Tenant>[] = [
  call('GET /connections', 'the one connection, by `name` and `strategy`', ['read:connections'], connections),
  call('GET /connections/{connection}', 'a connection', ['read:connections'], ({ names }, tenant) => {
    if (names.connection !== idOf('con', connectionName))
      throw entryUnknown('The connection does not exist', names.connection);
    return answered(connection(tenant));
  }),
  call('POST /tickets/password-change', 'a ticket to change a password', ['create:user_tickets'], (input, tenant) =>
    ticket(input, tenant, 'reset-verify'),
  ),
  call(
    'POST /tickets/email-verification',
    'marks the e-mail address as verified, and answers a ticket',
    ['create:user_tickets'],
    verificationTicket,
  ),
  call(
    'POST /jobs/verification-email',
    'accepts the job; the sandbox sends no e-mail',
    ['update:users'],
    verificationJob,
  ),
  call('GET /jobs/{job}', 'a job, which is done at once', ['create:users', 'read:users'], ({ names }, tenant) => {
    const found = managedUsers(tenant)
      .map(({ sub }) => job(tenant, sub))
      .find(each => each.id === names.job);
    if (found === undefined) throw entryUnknown('The job does not exist', names.job);
    return answered({ ...found, status: 'completed' });
  }),
  call(
    'GET /logs',
    'sign-ins and refusals, the latest first, by `q=user_id:"…"`',
    ['read:logs'],
    ({ query }, tenant) => {
      const wanted = /user_id:"?([^"\s]+)"?/.exec(query.get('q') ?? '')?.[1];
      const found = logs(tenant).filter(each => wanted === undefined || each.user_id === wanted);
      return listed(found, query, 'logs');
    },
  ),
  call('GET /users/{user}/logs', 'the log of a user', ['read:logs', 'read:users'], ({ names, query }, tenant) => {
    const { sub } = personWith(tenant, names.user);
    const found = logs(tenant).filter(({ user_id }) => user_id === sub);
    return listed(found, query, 'logs');
  }),
  call('GET /users/{user}/sessions', 'the sessions of a user', ['read:users'], async ({ names }, tenant) => {
    const { sub } = personWith(tenant, names.user);
    const sessions = await tenant.control.sessions(sub);
    return answered({ sessions: sessions.map(sessionView) });
  }),
  call('DELETE /users/{user}/sessions', 'ends the sessions of a user', ['update:users'], async ({ names }, tenant) => {
    await endSessions(tenant, personWith(tenant, names.user).sub);
    return { ...doneWithLimits(), status: 202 };
  }),
  call(
    'GET /users/{user}/authentication-methods',
    'the second factors of a user',
    ['read:users'],
    authenticationMethods,
  ),
  call('GET /grants', 'an empty list: consents are those of a browser', ['read:grants'], ({ query }) =>
    listed([], query, 'grants'),
  ),
];

function connections({ query }: CallInput, tenant: Tenant): Answer {
  const [name, strategy] = [query.get('name'), query.get('strategy')];
  const isFound = (name ?? connectionName) === connectionName && (strategy ?? 'auth0') === 'auth0';
  return listed(isFound ? [connection(tenant)] : [], query, 'connections');
}

async function verificationTicket(input: CallInput, tenant: Tenant): Promise<Answer> {
  const answer = ticket(input, tenant, 'email-verification');
  await changeClaims(tenant, subjectOf(input, tenant), { email_verified: true });
  return answer;
}

function verificationJob({ body }: CallInput, tenant: Tenant): Answer {
  const { user_id = '' } = membersIn(body, { user_id: 'text' });
  personWith(tenant, user_id);
  return answered(job(tenant, user_id), 201);
}

function authenticationMethods({ names, query }: CallInput, tenant: Tenant): Answer {
  const view = ({ type }: Factor) => {
    const shown = type === 'otp' ? 'totp' : type === 'oob' ? 'phone' : type;
    return { id: `${type}|dev_1`, type: shown, confirmed: true };
  };
  return listed(factorsOf(personWith(tenant, names.user)), query, 'authenticators', view);
}

function connection({ server }: Tenant): object {
  const enabled_clients = [...server.clients.keys()];
  return {
    id: idOf('con', connectionName),
    name: connectionName,
    strategy: 'auth0',
    realms: [connectionName],
    enabled_clients,
    options: {},
  };
}

function subjectOf({ body }: CallInput, tenant: Tenant) {
  const { user_id, email } = membersIn(body, { user_id: 'text', email: 'text' });
  if (user_id !== undefined) return personWith(tenant, user_id);
  const found = managedUsers(tenant).find(({ claims }) => email !== undefined && claims.email === email.toLowerCase());
  if (found === undefined) throw inputInvalid('user_id or email must name a user');
  return found;
}

/** The address of a page that a tenant has. The sandbox has none: it answers 501 there. */
function ticket(input: CallInput, tenant: Tenant, page: string): Answer {
  const { sub } = subjectOf(input, tenant);
  return answered({ ticket: `${tenant.server.issuer}/u/${page}?ticket=${idOf('ticket', page, sub)}` }, 201);
}

function job({ since }: Tenant, sub: string) {
  const created_at = new Date(since).toISOString();
  return { id: idOf('job', sub), type: 'verification_email', status: 'pending', created_at };
}

function sessionView({ sid, sub, auth_time, clients }: LiveSession): object {
  return {
    id: sid,
    user_id: sub,
    authenticated_at: new Date(auth_time * 1000).toISOString(),
    clients: clients.map(client_id => ({ client_id })),
  };
}

interface LogEntry extends Readonly<Record<string, unknown>> {
  readonly at: number;
  readonly user_id?: string;
}

function logs({ events, server }: Tenant): readonly Readonly<Record<string, unknown>>[] {
  const logins: LogEntry[] = events.latest('login.succeeded', 500).map(({ id, at, sub, client_id }) => ({
    at,
    log_id: id,
    type: 's',
    description: 'Successful login',
    client_id,
    user_id: sub,
    user_name: server.users.get(sub)?.username,
  }));
  const failures: LogEntry[] = events
    .latest('error.returned', 500)
    .filter(({ endpoint }) => endpoint === 'token' || endpoint === 'authorize')
    .map(({ id, at, client_id, description }) => ({ at, log_id: id, type: 'f', description, client_id }));
  const all = [...logins, ...failures].toSorted((a, b) => b.at - a.at);
  return all.map(({ at, ...entry }) => ({ date: new Date(at * 1000).toISOString(), ...entry, _id: entry.log_id }));
}
