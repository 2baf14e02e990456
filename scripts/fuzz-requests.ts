import { faultNames } from '../src/server/faults/fault-names.ts';
import { badJson, badParameters, script } from '../test/support/hostile.ts';
import { operations } from '../test/support/tables.ts';
import { asSensor, authorizeQuery, callback, verifier } from '../test/support/wire.ts';
import type { Dice } from './fuzz-dice.ts';
import { grants, headerNames, inPath, methods, names, protocol, rooms, strange, types, withId } from './fuzz-words.ts';

/** One request, as it goes over the wire. */
export interface FuzzRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Bytes to send as they are instead of all this. */
  readonly raw?: string;
}

/** What came back so far and is good for more: codes, tokens, ids, cookies. The latest of each, so that it stays small. */
export type Harvest = Record<string, string[]>;

const formType = { 'content-type': 'application/x-www-form-urlencoded' };
const jsonType = { 'content-type': 'application/json' };

/** The next request of a connection: half of them nearly right. Never a real wait, and never the stop. */
export function nextRequest(dice: Dice, harvest: Harvest): FuzzRequest {
  const base = dice.luck(50) ? nearlyRight(dice, harvest) : anything(dice, harvest);
  const issuer = harvest.issuer?.[dice.roll(harvest.issuer.length)];
  const at = issuer !== undefined && dice.luck(10) ? issuer : '';
  return dice.luck(3) ? { ...base, raw: rawBytes(dice, base.path) } : { ...base, path: at + base.path };
}

function nearlyRight(dice: Dice, harvest: Harvest): FuzzRequest {
  return dice.of([authorize, login, token, token, useToken, control, control, control, arm, page, page])(dice, harvest);
}

function known(dice: Dice, harvest: Harvest, name: string): string {
  return dice.of(harvest[name] ?? ['none']) ?? 'none';
}

function authorize(dice: Dice, harvest: Harvest): FuzzRequest {
  const changes = dice.luck(60) ? {} : { [dice.of(names)]: dice.of(['', script, 'none', 'openid', '0', '__proto__']) };
  const path = `/oauth2/authorize?${authorizeQuery({ scope: 'openid profile email offline_access', ...changes })}`;
  return { method: 'GET', path, headers: { cookie: known(dice, harvest, 'cookie') }, body: '' };
}

function login(dice: Dice): FuzzRequest {
  const body = new URLSearchParams({ sub: dice.of(['alice', 'bob', 'nobody', script]) }).toString();
  return { method: 'POST', path: `/login?${authorizeQuery()}`, headers: { ...formType, origin: 'self' }, body };
}

function token(dice: Dice, harvest: Harvest): FuzzRequest {
  const form: Record<string, string> = {
    ...{ grant_type: dice.of(grants), code: known(dice, harvest, 'code'), redirect_uri: callback },
    ...{
      code_verifier: verifier,
      refresh_token: known(dice, harvest, 'refresh_token'),
      scope: dice.of(['openid', '', 'x']),
    },
    subject_token: known(dice, harvest, 'access_token'),
  };
  const isSensor = dice.luck(40);
  if (!isSensor) form.client_id = 'frontend';
  const headers = { ...formType, ...(isSensor ? { authorization: asSensor } : {}) };
  return { method: 'POST', path: '/oauth2/token', headers, body: new URLSearchParams(form).toString() };
}

function useToken(dice: Dice, harvest: Harvest): FuzzRequest {
  const bearer = known(dice, harvest, dice.of(['access_token', 'id_token', 'refresh_token']));
  const path = dice.of([
    '/userinfo',
    '/api/products',
    '/api/products/1',
    '/oauth2/introspect',
    '/oauth2/revoke',
    '/mcp',
  ]);
  const isForm = path.startsWith('/oauth2');
  const headers = isForm
    ? { ...formType, authorization: asSensor }
    : { ...jsonType, authorization: `Bearer ${bearer}` };
  const body = isForm ? `token=${bearer}` : dice.of(['', '{}', '{"name":"x"}']);
  return { method: isForm ? 'POST' : dice.of(['GET', 'GET', 'POST', 'PUT', 'DELETE']), path, headers, body };
}

function control(dice: Dice, harvest: Harvest): FuzzRequest {
  const operation = dice.of(operations);
  const { method, path, isLong, name } = operation;
  const id = dice.luck(40) ? encodeURIComponent(known(dice, harvest, 'id')) : dice.of(inPath);
  const query = path === '/events/wait' ? '?timeout=0' : dice.luck(50) && isLong !== true ? `?${parameters(dice)}` : '';
  const body = method === 'GET' ? '' : controlBody(dice, name);
  return { method, path: `/_sandbox${path.replace(/\{.+?\}/, id)}${query}`, headers: jsonType, body };
}

function controlBody(dice: Dice, name: string): string {
  const made = `made-${dice.roll(20)}`;
  const bodies: Readonly<Record<string, object>> = {
    createClient: { client_id: made, redirect_uris: [callback], grant_types: ['authorization_code'] },
    replaceClient: { redirect_uris: [callback] },
    patchClient: { client_name: script },
    createUser: { sub: made, claims: { [dice.of(names)]: script } },
    patchUser: { claims: { a: null } },
    mintToken: { client: 'frontend', user: 'alice', type: dice.of(['access', 'id']), claims: { a: script } },
    login: { client: 'frontend', user: 'alice', as: dice.of(['code', 'tokens', 'browser']) },
    nextLogin: { sub: dice.of(['alice', 'nobody']) },
    moveClock: dice.of<object>([
      { reset: true },
      { advance: 60 },
      { freeze: true },
      { advance: -1e12 },
      { set: 1e300 },
    ]),
    createIssuer: { lifetime: dice.of([1, 60, -1]), config: dice.luck(70) ? {} : { clients: [script] } },
    reset: dice.luck(70) ? { part: dice.of(['configuration', 'resources', 'sessions', 'clock']) } : {},
  };
  if (dice.luck(25)) return dice.of(badJson)[1];
  return JSON.stringify({
    ...bodies[name],
    ...(dice.luck(15) ? { [dice.of(names)]: dice.of([1, null, script]) } : {}),
  });
}

function arm(dice: Dice): FuzzRequest {
  const body = JSON.stringify({ fault: dice.of(faultNames), seconds: 0.01, times: dice.of([1, 2]) });
  // what has no seconds is refused with them, so that most come without
  const fault = dice.of(faultNames.filter(each => each !== 'slow' && each !== 'jitter'));
  // a request that is never answered is let go when the time of the fault is over
  const order = { fault, times: 1, ...(fault === 'no_answer' ? { for: 0.1 } : {}) };
  const sent = dice.luck(20) ? body : JSON.stringify(order);
  return { method: 'POST', path: '/_sandbox/faults', headers: jsonType, body: sent };
}

function page(dice: Dice, harvest: Harvest): FuzzRequest {
  const id = dice.luck(50) ? encodeURIComponent(known(dice, harvest, 'id')) : dice.of(inPath);
  const path = dice.luck(40) ? `/dashboard/${dice.of(withId)}/${id}` : dice.of(rooms);
  const isChange = dice.luck(25);
  const query = dice.luck(40) ? `?${parameters(dice)}` : '';
  const headers = { accept: 'text/html', ...(isChange ? { ...formType, origin: 'self' } : {}) };
  return { method: isChange ? 'POST' : 'GET', path: path + query, headers, body: isChange ? parameters(dice) : '' };
}

function parameters(dice: Dice): string {
  const each = () => dice.of(badParameters)[1](dice.of(names));
  return Array.from({ length: 1 + dice.roll(3) }, each).join('&');
}

function anything(dice: Dice, harvest: Harvest): FuzzRequest {
  const path = dice.of([...protocol, ...rooms, '/_sandbox', '/nowhere', '//', '/%', '/%2e%2e/', '/oauth2/%00', '/:a']);
  const query = dice.luck(60) ? `?${parameters(dice)}` : '';
  const type = dice.of(types);
  const headers: Record<string, string> = type === '' ? {} : { 'content-type': type };
  for (let count = dice.roll(3); count > 0; count--) headers[dice.of(headerNames)] = dice.of(strange);
  if (dice.luck(20)) headers.authorization = `Bearer ${known(dice, harvest, 'access_token')}`;
  if (dice.luck(20)) headers.origin = 'self';
  const method = dice.of(methods);
  const body = method === 'GET' || method === 'HEAD' ? '' : dice.luck(50) ? parameters(dice) : dice.of(badJson)[1];
  return { method, path: path + query, headers, body };
}

/** What no client library would send. */
function rawBytes(dice: Dice, path: string): string {
  const host = 'Host: localhost\r\n';
  const end = 'Connection: close\r\n\r\n';
  return dice.of([
    `GET ${path.replace(/[^\x21-\x7e]/g, '')} HTTP/1.1\r\n${end}`,
    `GET http://other.test/ HTTP/1.1\r\n${host}${end}`,
    `POST /oauth2/token HTTP/1.1\r\n${host}Content-Length: -1\r\n${end}`,
    `POST /oauth2/token HTTP/1.1\r\n${host}Transfer-Encoding: chunked\r\n${end}zz\r\n`,
    `POST /oauth2/token HTTP/1.1\r\n${host}Content-Length: 3\r\nContent-Length: 4\r\n${end}abc`,
    `GET / HTTP/9.9\r\n${host}${end}`,
    `OPTIONS * HTTP/1.1\r\n${host}${end}`,
    `CONNECT a.test:80 HTTP/1.1\r\n${host}${end}`,
    `GET /health HTTP/1.1\r\n${host}Upgrade: websocket\r\nConnection: Upgrade, close\r\n\r\n`,
    `GET /health HTTP/1.1\r\n${host}X: ${'y'.repeat(40_000)}\r\n${end}`,
    '\x00\x16\x03\x01\r\n\r\n',
    `G\xffT / HTTP/1.1\r\n${host}${end}`,
  ]);
}
