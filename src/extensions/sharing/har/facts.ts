import { defined } from '../../../base/defined.ts';
import type { EventFact } from '../../../base/events/event.ts';
import { decodeJwt } from '../../../base/text/jwt.ts';
import { type HarEntry, headerIn } from './entries.ts';
import type { HarLogin, Logins } from './login.ts';
import { carriedBy, isBackTo } from './redirect.ts';
import { refusalFacts } from './refusals.ts';

/** The longest lifetime that RFC 6749 §4.1.2 recommends for a code. No recording tells it. */
const codeLifetime = 600;

/** The events that a request shows, as the provider would have recorded them. */
export function factsOf(entry: HarEntry, endpoint: string, login: HarLogin, logins: Logins): readonly EventFact[] {
  const own = (factsBy[endpoint] ?? (() => []))(entry, login, logins);
  return [...own, ...refusalFacts(entry, endpoint, login)];
}

type Reader = (entry: HarEntry, login: HarLogin, logins: Logins) => EventFact[];

const factsBy: Readonly<Record<string, Reader>> = {
  authorize: (entry, login, logins) => [...asked(entry, login), ...answered(entry, login, logins)],
  login: answered,
  par: pushed,
  token: redeemed,
  userinfo: (entry, _login, logins) => used(entry, logins),
  device_authorization: (entry, login, logins) => {
    const { device_code: code } = entry.answer;
    if (typeof code === 'string') logins.noteToken(code, login);
    return [];
  },
};

function learn(login: HarLogin, { parameters }: HarEntry): void {
  const value = (name: string) => parameters.get(name) ?? undefined;
  login.client_id ??= value('client_id');
  login.redirect_uri ??= value('redirect_uri');
  login.state ??= value('state');
  login.scope ??= value('scope');
  login.challenge ??= value('code_challenge');
  login.challengeMethod ??= value('code_challenge_method');
}

/** OIDC Core §3.1.2.1. A request that comes again after the pages of the provider is the same one. */
function asked(entry: HarEntry, login: HarLogin): EventFact[] {
  const { parameters } = entry;
  const isAgain = login.isWaiting;
  learn(login, entry);
  login.isWaiting = true;
  if (isAgain) return [];
  const value = (name: string) => parameters.get(name) ?? undefined;
  return [
    {
      type: 'authorization.requested',
      client_id: login.client_id ?? '',
      redirect_uri: login.redirect_uri ?? '',
      response_type: value('response_type') ?? 'code',
      response_mode: value('response_mode') ?? 'query',
      ...(parameters.has('request_uri') ? { source: 'pushed' as const } : {}),
      ...defined({ scope: login.scope, prompt: value('prompt'), code_challenge_method: login.challengeMethod }),
      ignored: [],
    },
  ];
}

function pushed(entry: HarEntry, login: HarLogin, logins: Logins): EventFact[] {
  learn(login, entry);
  const { request_uri: uri } = entry.answer;
  if (typeof uri !== 'string') return [];
  logins.notePushed(uri, login);
  const { client_id = '', redirect_uri = '', scope } = login;
  const isSigned = entry.parameters.has('request');
  return [
    {
      type: 'authorization.pushed',
      client_id,
      redirect_uri,
      request_uri: uri,
      ...defined({ scope }),
      isSigned,
      ignored: [],
    },
  ];
}

/** The redirect back to the client (RFC 6749 §4.1.2, §4.2.2). */
function answered({ location, at }: HarEntry, login: HarLogin, logins: Logins): EventFact[] {
  if (location === undefined || !isBackTo(location, login)) return [];
  const carried = carriedBy(location);
  const code = carried.get('code');
  login.isWaiting = !['code', 'error', 'access_token', 'id_token', 'response'].some(name => carried.has(name));
  return [
    ...(code === null ? [] : [codeFact(code, at, login, logins)]),
    ...tokenFacts(Object.fromEntries(carried), { at, login, logins, grant_type: 'implicit' }),
  ];
}

function codeFact(code: string, at: number, login: HarLogin, logins: Logins): EventFact {
  const { tokenId } = logins.noteToken(code, login);
  login.codeId = tokenId;
  const { authorizationId, client_id = '', redirect_uri = '', scope, sub } = login;
  const iat = Math.floor(at);
  return {
    ...{ type: 'code.issued', tokenId, token: code, authorizationId, client_id, redirect_uri, iat },
    ...defined({ scope, sub }),
    exp: iat + codeLifetime,
  };
}

/** RFC 6749 §5.1. */
function redeemed(entry: HarEntry, login: HarLogin, logins: Logins): EventFact[] {
  const { parameters, answer, at } = entry;
  login.client_id ??= parameters.get('client_id') ?? basicId(entry);
  login.scope ??= parameters.get('scope') ?? undefined;
  const grant_type = parameters.get('grant_type') ?? '';
  const client_id = login.client_id ?? '';
  const scope = parameters.get('scope') ?? undefined;
  if (typeof answer.access_token === 'string') login.isCodeSent = true;
  const requested: EventFact = { type: 'token.requested', client_id, grant_type, ...defined({ scope }), ignored: [] };
  return [requested, ...tokenFacts(answer, { at, login, logins, grant_type })];
}

function basicId(entry: HarEntry): string | undefined {
  const encoded = /^Basic +(\S+)$/i.exec(headerIn(entry, 'authorization') ?? '')?.[1];
  return encoded === undefined ? undefined : Buffer.from(encoded, 'base64').toString('utf8').split(':', 1)[0];
}

interface Issuing {
  readonly at: number;
  readonly login: HarLogin;
  readonly logins: Logins;
  readonly grant_type: string;
}

const types = { access_token: 'access', id_token: 'id', refresh_token: 'refresh' } as const;

function tokenFacts(answer: Readonly<Record<string, unknown>>, issuing: Issuing): EventFact[] {
  const { id_token: idToken } = answer;
  if (typeof idToken === 'string') issuing.login.sub ??= textIn(decodeJwt(idToken)?.claims.sub);
  return Object.entries(types).flatMap(([name, tokenType]) => {
    const token = answer[name];
    return typeof token === 'string' && token !== '' ? [tokenFact(token, tokenType, answer, issuing)] : [];
  });
}

function tokenFact(
  token: string,
  tokenType: 'access' | 'id' | 'refresh',
  answer: Readonly<Record<string, unknown>>,
  { at, login, logins, grant_type }: Issuing,
): EventFact {
  const jwt = decodeJwt(token);
  const { tokenId } = logins.noteToken(token, login);
  const { authorizationId, client_id = '', codeId: parentTokenId } = login;
  const iat = numberIn(jwt?.claims.iat) ?? Math.floor(at);
  const lifetime = Number(tokenType === 'access' ? (answer.expires_in ?? 3600) : 3600);
  const sub = login.sub ?? textIn(jwt?.claims.sub);
  const scope = textIn(answer.scope) ?? login.scope;
  const { kid, alg } = jwt?.header ?? {};
  return {
    ...{ type: 'token.issued', tokenType, tokenId, token, authorizationId, client_id, grant_type, iat },
    format: jwt === undefined ? 'opaque' : 'jwt',
    exp: numberIn(jwt?.claims.exp) ?? iat + (Number.isFinite(lifetime) ? lifetime : 3600),
    ...defined({ parentTokenId, sub, scope, kid: textIn(kid), alg: textIn(alg) }),
  };
}

function used(entry: HarEntry, logins: Logins): EventFact[] {
  const bearer = /^(?:Bearer|DPoP) +(\S+)$/i.exec(headerIn(entry, 'authorization') ?? '')?.[1];
  const known = logins.token(bearer);
  if (known === undefined || entry.status >= 400) return [];
  const { tokenId, login } = known;
  const { authorizationId, client_id = '', sub } = login;
  return [{ type: 'token.used', endpoint: 'userinfo', tokenId, authorizationId, client_id, ...defined({ sub }) }];
}

function textIn(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** A time that a page can show. */
function numberIn(value: unknown): number | undefined {
  return typeof value === 'number' && Math.abs(value) < 8e12 ? value : undefined;
}
