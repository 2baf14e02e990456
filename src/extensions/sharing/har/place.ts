import type { JoinRule } from '../../../record/flows/flow.ts';
import { type HarEntry, headerIn } from './entries.ts';
import type { HarLogin, Logins } from './login.ts';

export interface LoginPlace {
  readonly login: HarLogin;
  readonly rule: JoinRule;
}

/** Finds the login of a request; undefined if the request begins one. */
export function placeOf(entry: HarEntry, endpoint: string, logins: Logins): LoginPlace | undefined {
  if (endpoint === 'authorize') return byState(entry, logins);
  if (endpoint === 'login') return byBrowser(entry, logins);
  if (endpoint === 'token') return byCode(entry, logins);
  if (endpoint === 'end_session') return undefined;
  return byToken(entry, logins);
}

/** A browser is sent to the authorization endpoint again after the pages of the provider. */
function byState({ parameters, url }: HarEntry, logins: Logins): LoginPlace | undefined {
  const pushed = logins.pushed(parameters.get('request_uri'));
  if (pushed !== undefined) return { login: pushed, rule: 'request_uri' };
  const state = parameters.get('state');
  const login = logins.last(each => each.isWaiting && each.origin === url.origin && each.state === state);
  return login === undefined || state === null ? undefined : { login, rule: 'state' };
}

/** A page of the provider, while a login waits for its user. The redirect back to the client has its `state`. */
function byBrowser({ location }: HarEntry, logins: Logins): LoginPlace | undefined {
  const login = logins.last(each => each.isWaiting);
  if (login === undefined) return undefined;
  const state = location && new URLSearchParams(location.search || location.hash.slice(1)).get('state');
  return { login, rule: state != null && state === login.state ? 'state' : 'inferred' };
}

const sentAs = [
  ['code', 'code'],
  ['refresh_token', 'refresh_token'],
  ['device_code', 'device_code'],
  ['subject_token', 'token'],
  ['assertion', 'token'],
] as const;

function byCode({ parameters }: HarEntry, logins: Logins): LoginPlace | undefined {
  for (const [name, rule] of sentAs) {
    const known = logins.token(parameters.get(name));
    if (known !== undefined) return { login: known.login, rule };
  }
  const isCode = parameters.get('grant_type') === 'authorization_code';
  const client = parameters.get('client_id');
  // a redacted code, or one that the recording does not show
  const login = logins.last(
    ({ redirect_uri, client_id }) =>
      redirect_uri !== undefined && (client === null || client === client_id) && isAlike(parameters, redirect_uri),
  );
  return isCode && login !== undefined ? { login, rule: 'inferred' } : undefined;
}

function isAlike(parameters: URLSearchParams, redirectUri: string): boolean {
  const sent = parameters.get('redirect_uri');
  return sent === null || sent === redirectUri;
}

/** A call with a token. Browsers leave the header `Authorization` out of a HAR file unless asked to keep it. */
function byToken(entry: HarEntry, logins: Logins): LoginPlace | undefined {
  const bearer = /^(?:Bearer|DPoP) +(\S+)$/i.exec(headerIn(entry, 'authorization') ?? '')?.[1];
  const known = logins.token(bearer) ?? logins.token(entry.parameters.get('token'));
  if (known !== undefined) return { login: known.login, rule: 'token' };
  const login = bearer === undefined ? logins.last(each => each.sub !== undefined) : undefined;
  return login === undefined ? undefined : { login, rule: 'inferred' };
}
