import { isRecord } from '../../base/text/record.ts';
import type { ClaimRequest, ClaimsRequest } from '../authorization.ts';
import { invalidRequest, type OAuthError } from '../errors.ts';
import { readJsonParameter } from '../json-parameter.ts';
import { shorten } from '../parameters.ts';
import { protocolClaims } from '../protocol-claims.ts';

const form = '{"userinfo": {…}, "id_token": {"email": null, "acr": {"essential": true, "values": ["1"]}}}';

/**
 * The `claims` parameter (OIDC Core §5.5). Unknown members are ignored, as the specification requires; known ones must be
 * well-formed.
 * @throws invalid_request
 */
export function parseClaimsParameter(text: string): ClaimsRequest {
  const value = readJsonParameter(text, problem => malformed(`it is not JSON: ${problem}`, text));
  if (!isRecord(value)) throw malformed('it is not a JSON object', text);
  return {
    ...destination('userinfo', value.userinfo),
    ...destination('id_token', value.id_token),
  };
}

function destination(name: 'userinfo' | 'id_token', value: unknown): ClaimsRequest {
  if (value === undefined) return {};
  if (!isRecord(value)) throw malformed(`${name} is not an object`, JSON.stringify(value));
  const asked = Object.entries(value).map(([claim, request]) => [claim, claimRequest(claim, request)] as const);
  return { [name]: Object.fromEntries(asked) };
}

/** The claims that the server itself compares must be text: a value of another type could never match. */
function hasForm(claim: string, value: unknown, values: readonly unknown[] = []): boolean {
  if (claim !== 'sub' && claim !== 'acr') return true;
  return [...(value === undefined ? [] : [value]), ...values].every(each => typeof each === 'string');
}

function claimRequest(claim: string, request: unknown): ClaimRequest {
  if (request === null) return null;
  const sent = `"${shorten(claim, 60)}": ${shorten(JSON.stringify(request))}`;
  if (!isRecord(request)) throw malformed('a claim must be null or an object', sent);
  const { essential, value, values } = request;
  if (essential !== undefined && typeof essential !== 'boolean') throw malformed('essential is not a boolean', sent);
  if (values !== undefined && (!Array.isArray(values) || values.length === 0)) {
    throw malformed('values must be a list that is not empty', sent);
  }
  if (!hasForm(claim, value, values)) throw malformed(`${claim} has a value that is not text`, sent);
  if (values === undefined || value === undefined) return { essential, value, values };
  // OIDC Core §5.5.1 orders `values` by preference and does not forbid a `value` next to them
  return { essential, values: [value, ...values] };
}

function malformed(what: string, sent: string): OAuthError {
  return invalidRequest('claims_malformed', `claims: ${what}`, { sent: shorten(sent), expected: form });
}

/** Requested claims about the user, without duplicates and without the claims of every ID token. */
export function personalClaims({ userinfo = {}, id_token = {} }: ClaimsRequest): string[] {
  return [...new Set([...Object.keys(id_token), ...Object.keys(userinfo)])].filter(
    name => !protocolClaims.includes(name),
  );
}

/** The request reduced to the personal claims the user allows. */
export function narrowClaims({ userinfo, id_token }: ClaimsRequest, allowed: readonly string[]): ClaimsRequest {
  const keep = (asked: NonNullable<ClaimsRequest['userinfo']>) =>
    Object.fromEntries(
      Object.entries(asked).filter(([name]) => protocolClaims.includes(name) || allowed.includes(name)),
    );
  return {
    ...(userinfo === undefined ? {} : { userinfo: keep(userinfo) }),
    ...(id_token === undefined ? {} : { id_token: keep(id_token) }),
  };
}
