import { duration } from '../../base/text/duration.ts';
import { isPublic } from '../../protocol/clients/client.ts';
import { apiReceivers, judgeAudience } from '../../protocol/judge-claims.ts';
import { parseScope } from '../../protocol/scope.ts';
import type { DashboardOptions } from '../../sandbox/dashboard.ts';
import { check, type ExaminedToken, type TokenCheck } from './check.ts';
import { bindingOf } from './claim-values.ts';

/** The checks that only an access token gets (RFC 9068 §4). */
export function accessChecks(subject: ExaminedToken, options: DashboardOptions): TokenCheck[] {
  return [
    ...audience(subject, options),
    scope(subject),
    ...missing(subject, options),
    ...lifetime(subject),
    ...binding(subject),
    ...size(subject),
  ];
}

/** Whether the sample API can read the token and is one of its audiences. A token whose audience is its own client gets a check more. */
function audience({ event, header, claims }: ExaminedToken, { api }: DashboardOptions): TokenCheck[] {
  const isUnread = header === undefined && api.tokenCheck === 'local';
  return [
    isUnread ? opaque : judgeAudience({ client_id: event.client_id, ...claims }, apiReceivers(api)),
    ...([claims.aud].flat().includes(event.client_id) ? [ownClient] : []),
  ];
}

const opaque = check(
  'note',
  'the sample API refuses it: it verifies only JWTs, unless API_TOKEN_CHECK=introspection',
  'RFC 7662 §4',
);

const ownClient = check(
  'note',
  'aud is the client itself: the request named no resource, and none is configured',
  'RFC 9068 §3',
);

function scope({ event }: ExaminedToken): TokenCheck {
  const reference = 'RFC 9068 §2.2.3';
  const scopes = parseScope(event.scope);
  if (scopes.length > 0) return check('pass', `scope grants ${scopes.join(', ')}`, reference);
  return check('note', 'no scope: an API that requires one answers 403', reference);
}

const required = ['iss', 'exp', 'aud', 'sub', 'client_id', 'iat', 'jti'] as const;

/** A provider has claims of its own in place of some of them. */
function missing({ claims }: ExaminedToken, { reach: { provider } }: DashboardOptions): TokenCheck[] {
  if (provider !== undefined) return [];
  const names = required.filter(name => !Object.hasOwn(claims, name));
  if (names.length === 0) return [];
  return [
    check('note', `${names.join(', ')} missing: an access token must have ${required.join(', ')}`, 'RFC 9068 §2.2'),
  ];
}

const longForPublic = 3600;

function lifetime({ event: { iat, exp }, client }: ExaminedToken): TokenCheck[] {
  if (client === undefined || !isPublic(client) || exp - iat < longForPublic) return [];
  const text = `${duration(exp - iat)} is long for a public client: a stolen token works that long`;
  return [check('note', text, 'RFC 6750 §5.3')];
}

function binding({ claims }: ExaminedToken): TokenCheck[] {
  const bound = bindingOf(claims);
  if (bound === 'dpop') return [check('pass', 'bound to a key: every request needs a DPoP proof', 'RFC 9449 §6')];
  if (bound === 'certificate') {
    return [check('pass', 'bound to a client certificate: every connection must use it', 'RFC 8705 §3')];
  }
  return [];
}

const longForHeader = 4096;

function size({ event: { token } }: ExaminedToken): TokenCheck[] {
  if (token.length < longForHeader) return [];
  return [check('note', `${token.length} characters: many servers refuse headers longer than 8192`)];
}
