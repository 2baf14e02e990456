import type { Actor, FlowKind, FlowStep } from '../flow.ts';
import type { RecordedRequest } from '../recorded-request.ts';

/** The kind of flow that a request starts; undefined if it does not start one. */
export function kindOf(request: RecordedRequest): FlowKind | undefined {
  const { endpoint } = request.event;
  if (endpoint === 'token') return kindOfGrant(request);
  return endpoint in kinds ? (kinds[endpoint] ?? kindOfResponse(request)) : undefined;
}

const kinds: Readonly<Record<string, FlowKind | undefined>> = {
  authorize: undefined,
  login: undefined,
  consent: undefined,
  par: undefined,
  device_authorization: 'device',
  backchannel_authentication: 'ciba',
  end_session: 'logout',
  logout: 'logout',
  registration: 'registration',
  client_configuration: 'registration',
  discovery: 'setup',
  jwks: 'setup',
  resource_metadata: 'setup',
  userinfo: 'calls',
  api: 'calls',
  introspect: 'calls',
  revoke: 'calls',
};

const grants: Readonly<Record<string, FlowKind>> = {
  authorization_code: 'authorization_code',
  refresh_token: 'refresh_token',
  client_credentials: 'client_credentials',
  password: 'password',
  'urn:ietf:params:oauth:grant-type:device_code': 'device',
  'urn:openid:params:grant-type:ciba': 'ciba',
  'urn:ietf:params:oauth:grant-type:token-exchange': 'token_exchange',
  'urn:ietf:params:oauth:grant-type:jwt-bearer': 'jwt_bearer',
};

function kindOfGrant(request: RecordedRequest): FlowKind {
  const grant = request.value('grant_type') ?? '';
  return Object.hasOwn(grants, grant) ? (grants[grant] ?? 'other') : 'other';
}

/** The kind by `response_type` (OAuth 2.0 Multiple Response Types §3). Default: `authorization_code`. */
export function kindOfResponse(request: RecordedRequest): FlowKind {
  const asked = request.fact('authorization.requested')?.response_type ?? request.value('response_type') ?? 'code';
  const parts = asked.split(' ');
  if (!parts.includes('code')) return 'implicit';
  return parts.length > 1 ? 'hybrid' : 'authorization_code';
}

const pages = ['authorize', 'login', 'consent', 'device_verification', 'approvals', 'end_session', 'logout'];
const frontChannel: ReadonlySet<string> = new Set(pages);

/** The channel of a request; see `FlowStep`. */
export function channelOf(request: RecordedRequest): FlowStep['channel'] {
  if (isOfScript(request)) return 'browser';
  return frontChannel.has(request.event.endpoint) ? 'front' : 'back';
}

/** Whether a script in a browser sent the request. Only browsers send `Origin`; a form posted to a page has it, too (Fetch §3.1). */
export function isOfScript(request: RecordedRequest): boolean {
  if (request.event.method === 'OPTIONS') return true;
  return !frontChannel.has(request.event.endpoint) && request.header('origin') !== undefined;
}

/** The sender of a request. The dashboard marks its own requests, only an API introspects, and anybody may read metadata. */
export function actorOf(request: RecordedRequest): Actor {
  const { endpoint } = request.event;
  if (request.header('grantbox-tool') !== undefined) return 'tool';
  if (frontChannel.has(endpoint)) return 'browser';
  if (endpoint === 'introspect') return 'api';
  return kinds[endpoint] === 'setup' ? 'unknown' : 'client';
}
