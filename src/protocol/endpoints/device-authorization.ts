import { type AuthorizationServer, endpointUrl } from '../authorization-server.ts';
import type { RegisteredClient } from '../clients/client.ts';
import { authenticateClient, requireGrant } from '../clients/client-authentication.ts';
import {
  type Decision,
  decide,
  findDecision,
  findPending,
  isExpired,
  type PendingAuthorization,
  pendingLifetime,
  putPending,
  randomUserCode,
  readUserCode,
} from '../decoupled/pending-authorization.ts';
import { OAuthError, type Reason } from '../errors.ts';
import {
  clientParameters,
  parameter,
  rejectUnreadable,
  requiredParameter,
  shorten,
  unknownParameters,
} from '../parameters.ts';
import { isRelaxed } from '../relaxation.ts';
import { checkResources, requestedDetails, requestedScopes } from '../requests/requested-access.ts';
import { formatScope } from '../scope.ts';
import { countMiss, type GuessLimit, refuseGuessing } from '../users/guess-limit.ts';
import type { Session } from '../users/session.ts';
import type { Asked, DevicePage, EndpointRequest, Reply, UserCodeProblem } from './endpoint.ts';
import { askedBy, forSignedIn } from './own-page-session.ts';

const grant_type = 'urn:ietf:params:oauth:grant-type:device_code';
const known = new Set([...clientParameters, 'scope', 'resource', 'authorization_details']);

/** Device authorization (RFC 8628 §3.1, §3.2). Refuses scopes and resources before a user types the code. */
export async function deviceAuthorization(server: AuthorizationServer, request: EndpointRequest): Promise<Reply> {
  const { client } = await authenticateClient(server, request);
  return authorizeDevice(server, request, client);
}

/** The answer to a device of a client that is known to be the one that asks. */
export async function authorizeDevice(
  server: AuthorizationServer,
  request: EndpointRequest,
  client: RegisteredClient,
): Promise<Reply> {
  const { parameters, emit } = request;
  requireGrant(client, grant_type);
  const pending: PendingAuthorization = {
    id: server.random.id(),
    kind: 'device_code',
    grant_type,
    client_id: client.client_id,
    scopes: requestedScopes(server, client, parameter(parameters, 'scope')),
    resources: checkResources(server, parameters.resources),
    authorization_details: await requestedDetails({ server, client, parameters }),
    exp: server.clock() + server.lifetimes.deviceCode,
    interval: server.pollInterval,
  };
  const device_code = server.random.secret();
  await putPending(server, device_code, pending);
  const addresses = await putUserCode(server, device_code, pending);
  emit({
    type: 'device.requested',
    authorizationId: pending.id,
    client_id: client.client_id,
    scope: formatScope(pending.scopes),
    exp: pending.exp,
    ...addresses,
    ignored: unknownParameters(parameters, known),
  });
  const times = { expires_in: server.lifetimes.deviceCode, interval: pending.interval };
  return { kind: 'json', status: 200, body: { device_code, ...addresses, ...times } };
}

async function putUserCode(server: AuthorizationServer, device_code: string, pending: PendingAuthorization) {
  let user_code = randomUserCode(server.random);
  while (!(await server.store.add(['user_code', user_code], device_code, pendingLifetime(server, pending)))) {
    user_code = randomUserCode(server.random);
  }
  const verification_uri = endpointUrl(server, 'deviceVerification');
  const verification_uri_complete = `${verification_uri}?${new URLSearchParams({ user_code })}`;
  return { user_code, verification_uri, verification_uri_complete };
}

/** RFC 8628 §5.1. In addition, the requests of an address are limited like logins. */
const wrongUserCodes: GuessLimit = {
  kind: 'wrong_user_code',
  most: 10,
  forgetsAfter: 60,
  reason: 'user_code_guessed_too_often',
  description: 'too many wrong codes in this session',
};

/**
 * The page for the user of a device (RFC 8628 §3.3). A code in the address (§3.3.1) only saves typing: nothing is approved
 * without a click (§5.4).
 */
export async function deviceVerification(server: AuthorizationServer, request: EndpointRequest): Promise<Reply> {
  rejectUnreadable(request.parameters);
  return forSignedIn(server, request, 'device', session => verify(server, request, session));
}

async function verify(server: AuthorizationServer, request: EndpointRequest, session: Session): Promise<Reply> {
  const { parameters, method } = request;
  const typed = parameter(parameters, 'user_code');
  if (typed === undefined) return devicePage({ step: 'enter', session });
  const found = await findByUserCode(server, request, session, typed);
  if ('problem' in found) return devicePage({ step: 'enter', session, ...found });
  const answer = method === 'POST' ? requiredParameter(parameters, 'decision') : undefined;
  const isSameUser = parameter(parameters, 'as') === session.sub;
  if (answer !== undefined && isSameUser) return settle(server, request, session, found, answer === 'allow');
  const { user_code, asked } = found;
  const warns = !isRelaxed(server, asked.client.client_id, 'device_warning');
  return devicePage({ step: 'confirm', session, user_code, asked, userChanged: answer !== undefined, warns });
}

function devicePage(page: DevicePage): Reply {
  return { kind: 'page', page: { name: 'device', ...page } };
}

interface Found {
  readonly user_code: string;
  readonly pending: PendingAuthorization;
  readonly asked: Asked;
}
interface NotFound {
  readonly typed: string;
  readonly problem: UserCodeProblem;
}

async function findByUserCode(
  server: AuthorizationServer,
  request: EndpointRequest,
  session: Session,
  typed: string,
): Promise<Found | NotFound> {
  await refuseGuessing(server, wrongUserCodes, session.id);
  const user_code = readUserCode(typed);
  const device_code = user_code && (await server.store.get<string>(['user_code', user_code]));
  const pending = device_code ? await findPending(server, 'device_code', device_code) : undefined;
  if (user_code === undefined || pending === undefined) {
    await countMiss(server, wrongUserCodes, session.id);
    return refuse(request, typed, 'unknown');
  }
  if (isExpired(server, pending)) return refuse(request, typed, 'expired', pending);
  if ((await findDecision(server, pending)) !== undefined) return refuse(request, typed, 'used', pending);
  const asked = await askedBy(server, pending);
  return asked === undefined ? refuse(request, typed, 'unknown') : { user_code, pending, asked };
}

const problems: Readonly<Record<UserCodeProblem, readonly [reason: Reason, description: string]>> = {
  unknown: ['user_code_unknown', 'no device is waiting with this code'],
  expired: ['user_code_expired', 'the code has expired'],
  used: ['user_code_used', 'the code was used before'],
};

/** The page tells the user, and the event tells the developer. */
function refuse(
  { emit }: EndpointRequest,
  typed: string,
  problem: UserCodeProblem,
  pending?: PendingAuthorization,
): NotFound {
  const [reason, description] = problems[problem];
  const error = new OAuthError('invalid_request', reason, description);
  emit({
    type: 'error.returned',
    endpoint: 'device_verification',
    form: 'page',
    status: error.status,
    error: error.code,
    reason,
    description,
    sent: shorten(typed, 40),
    ...(pending === undefined ? {} : { client_id: pending.client_id }),
  });
  return { typed: shorten(typed, 40), problem };
}

async function settle(
  server: AuthorizationServer,
  request: EndpointRequest,
  session: Session,
  { pending, user_code, asked }: Found,
  isAllowed: boolean,
): Promise<Reply> {
  const { sub, auth_time, acr, amr, edited } = session;
  const decision: Decision = isAllowed
    ? { kind: 'approved', sub, session: { auth_time, acr, amr }, edited }
    : { kind: 'denied' };
  const isFirst = await decide(server, pending, decision);
  if (!isFirst) return devicePage({ step: 'enter', session, ...refuse(request, user_code, 'used', pending) });
  const { id: authorizationId, client_id } = pending;
  request.emit({ type: isAllowed ? 'device.approved' : 'device.denied', authorizationId, client_id, sub });
  return devicePage({ step: 'done', session, decision: decision.kind, client: asked.client });
}
