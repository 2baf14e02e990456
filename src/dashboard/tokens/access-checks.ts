import { isPublic } from '../../oauth/clients/client.ts';
import { parseScope } from '../../oauth/scope.ts';
import { duration } from '../../text/duration.ts';
import type { DashboardOptions } from '../dashboard-options.ts';
import { bindingOf } from './binding.ts';
import { check, type ExaminedToken, type TokenCheck } from './check.ts';
import { apiCall, collectionOf, refusedCall } from './token-call.ts';

/** The checks that only an access token gets (RFC 9068 §4). */
export function accessChecks(subject: ExaminedToken, options: DashboardOptions): TokenCheck[] {
  return [
    audience(subject),
    ...sampleApi(subject, options),
    scope(subject),
    ...missing(subject, options),
    ...lifetime(subject),
    ...binding(subject),
    ...size(subject),
  ];
}

function audience({ event, claims }: ExaminedToken): TokenCheck {
  const reference = 'RFC 9068 §4';
  const values = [claims.aud].flat();
  if (values.length === 0 || claims.aud === undefined) return check('fail', 'no aud', reference);
  if (values.includes(event.client_id)) {
    return check('note', 'aud is the client itself: the request named no resource, and none is configured', reference);
  }
  return check('pass', `aud names ${values.join(', ')}: an API with a different name refuses it`, reference);
}

/** Whether the sample API accepts the format and the audience of the token. */
function sampleApi({ event, header, claims }: ExaminedToken, options: DashboardOptions): TokenCheck[] {
  const call = apiCall(event, options) ?? refusedCall(options);
  if (call === undefined) return [];
  const { fits, tokenCheck } = options.api;
  if (header === undefined && tokenCheck === 'local') {
    const text = 'the sample API refuses it: it verifies only JWTs, unless API_TOKEN_CHECK=introspection';
    return [check('note', text, 'RFC 7662 §4')];
  }
  const fitting = fits(claims, collectionOf(options, call));
  return [
    fitting
      ? check('pass', 'aud fits the sample API', 'RFC 7519 §4.1.3')
      : check('note', 'aud does not fit the sample API, which refuses the token', 'RFC 7519 §4.1.3'),
  ];
}

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
