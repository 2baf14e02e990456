import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { decodeJwt } from 'jose';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { EventOf } from '../../../src/base/events/event.ts';
import { createEventLog, type EventLog } from '../../../src/base/events/event-log.ts';
import { endToken, resumeToken, revokeAuthorization } from '../../../src/protocol/kept-authorizations.ts';
import { parseTokenIdentifier } from '../../../src/protocol/tokens/access-token.ts';
import { createCollections } from '../../../src/sandbox/control/collections.ts';
import { createSampleBackend } from '../../../src/sandbox/front/sample-backend/sample-backend.ts';
import { setContext } from '../../../src/server/http/request-context.ts';
import { collections } from '../../server/resources/running-server.ts';
import { basic, createTestServer, frontend, now, redemption, sensor, type TestServer } from '../../support/server.ts';

const opaque = { ...frontend, client_id: 'opaque', access_token_format: 'opaque' } as const;
const pairwise = { ...frontend, client_id: 'pairwise', subject_type: 'pairwise' } as const;
const machine = { ...sensor, client_id: 'machine', scope: 'products:read' };

let sandbox: TestServer;
let events: EventLog;
let url: string;
const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

/** The sample backend over a server of the sources, with the log that its requests are told to. */
async function start(apiTokenCheck: 'local' | 'introspection'): Promise<void> {
  sandbox = createTestServer({ clients: [opaque, pairwise, machine] });
  const { server } = sandbox;
  events = createEventLog({ capacity: 100, now: server.clock });
  const backend = createSampleBackend({
    ...{ server, events, state: {} },
    config: { apiAudience: [], apiClockSkew: 0, apiTokenCheck },
    explanationOf: id => `http://localhost:9000/dashboard/problems/${id}`,
    clock: { api: server.clock },
    collections: createCollections(collections, () => {}),
    sandbox: {
      log: {
        event: () => {},
        correlate: () => {},
        failure: () => {},
        warn: () => {},
        error: () => {},
        debug: () => {},
        close: async () => {},
      },
    },
  });
  const app = express().use((req, _res, next) => {
    setContext(req, { id: 'req_7', endpoint: 'api', emit: fact => void events.append(fact, 'req_7') });
    next();
  });
  const running = createServer(app.use('/api', backend.router)).listen(0, '127.0.0.1');
  await new Promise(listening => running.once('listening', listening));
  url = `http://127.0.0.1:${(running.address() as AddressInfo).port}`;
  stops.push(() => {
    running.close();
    running.closeAllConnections();
  });
}

async function tokensOf(client_id: string, scope = 'openid products:read') {
  const code = await sandbox.code({ client_id, scope });
  const tokens = await sandbox.token({ ...redemption, client_id, code });
  for (const fact of sandbox.events.splice(0)) events.append(fact, 'req_1');
  return tokens;
}

/** As the log knows it. */
function issued(token: string): { tokenId: string; authorizationId: string } {
  const found = events.latestIssued(100).find(each => each.token === token);
  if (found === undefined) throw new Error('the log has no such token');
  const { tokenId, authorizationId } = found;
  return { tokenId, authorizationId };
}

const get = (token: string, path = '/api/products') =>
  fetch(url + path, { headers: { authorization: `Bearer ${token}` } });

const refused = (): EventOf<'error.returned'> | undefined => events.latest('error.returned', 1)[0];

describe.each(['local', 'introspection'] as const)('the sample backend, with tokens checked by %s,', check => {
  beforeEach(() => start(check));

  it('tells the log which token was used, by which client, for whom', async () => {
    const { access_token } = await tokensOf('frontend');
    expect((await get(access_token)).status).toBe(200);
    const use = { ...issued(access_token), endpoint: 'api', client_id: 'frontend', sub: 'alice', requestId: 'req_7' };
    expect(events.latest('token.used', 5)).toMatchObject([use]);
    expect(events.latest('error.returned', 5)).toEqual([]);
  });

  it('knows the user behind a pairwise sub', async () => {
    const { access_token } = await tokensOf('pairwise');
    expect(decodeJwt(access_token).sub).not.toBe('alice');
    await get(access_token);
    expect(events.latest('token.used', 1)).toMatchObject([{ sub: 'alice', client_id: 'pairwise' }]);
  });

  it('names no user where a client acts for itself', async () => {
    const form = { grant_type: 'client_credentials', scope: 'products:read' };
    const { access_token } = await sandbox.token(form, basic('machine', 'sensor-secret'));
    await get(access_token);
    const [use] = events.latest('token.used', 1);
    expect(use).toMatchObject({ client_id: 'machine' });
    expect(use).not.toHaveProperty('sub');
  });

  it('refuses an ended token as expired, until that is taken back', async () => {
    const { access_token } = await tokensOf('frontend');
    const { tokenId, authorizationId } = issued(access_token);
    await endToken(sandbox.server, tokenId, now + 300);
    const response = await get(access_token);
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toMatch(/error="invalid_token".*expired/);
    expect(refused()).toMatchObject({
      reason: 'api_token_ended',
      about: tokenId,
      authorizationId,
      client_id: 'frontend',
    });
    await resumeToken(sandbox.server, tokenId);
    expect((await get(access_token)).status).toBe(200);
  });

  it('says what it was that came instead of an access token, and whose', async () => {
    const { id_token = '', refresh_token = '' } = await tokensOf('frontend');
    const code = await sandbox.code();
    for (const fact of sandbox.events.splice(0)) events.append(fact, 'req_1');
    for (const [sent, reason] of [
      [id_token, 'api_id_token_sent'],
      [refresh_token, check === 'local' ? 'api_token_opaque' : 'api_token_inactive'],
      [code, check === 'local' ? 'api_token_opaque' : 'api_token_inactive'],
    ] as const) {
      expect((await get(sent)).status).toBe(401);
      const { tokenId, authorizationId } = issued(sent);
      expect(refused()).toMatchObject({ reason, client_id: 'frontend', about: tokenId, authorizationId });
    }
  });

  it('names nobody for a token it cannot be sure of', async () => {
    const { access_token } = await tokensOf('frontend');
    const [head, , signature] = access_token.split('.');
    const claims = { ...decodeJwt(access_token), sub: 'mallory' };
    await get(`${head}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.${signature}`);
    expect(refused()).toMatchObject({ reason: 'api_signature_invalid', error: 'invalid_token' });
    for (const member of ['client_id', 'about', 'authorizationId']) expect(refused()).not.toHaveProperty(member);
  });

  it('names the keys there are beside one nobody knows', async () => {
    const { access_token } = await tokensOf('frontend');
    const [, ...rest] = access_token.split('.');
    const head = Buffer.from(JSON.stringify({ alg: 'RS256', typ: 'at+jwt', kid: 'before-the-restart' }));
    await get([head.toString('base64url'), ...rest].join('.'));
    const { keys } = await sandbox.server.keys.jwks();
    const expected = keys.map(({ kid }) => kid).join(' or ');
    expect(refused()).toMatchObject({ reason: 'api_key_unknown', sent: 'before-the-restart', expected });
  });

  it.each<[string, () => Promise<unknown>, object]>([
    ['no token', () => fetch(`${url}/api/products`), { form: 'challenge', error: 'invalid_token', status: 401 }],
    ['no such path', () => fetch(`${url}/api/cars`), { form: 'problem', error: 'invalid_request', status: 404 }],
    [
      'a scope that is missing',
      async () => get((await tokensOf('frontend', 'openid')).access_token),
      { form: 'challenge', error: 'insufficient_scope', sent: 'openid', expected: 'products:read' },
    ],
    [
      'no such row',
      async () => get((await tokensOf('frontend')).access_token, '/api/products/99'),
      { form: 'problem', error: 'invalid_request', status: 404, client_id: 'frontend', about: expect.any(String) },
    ],
  ])('has the code and the form of a refusal for %s', async (_what, provoke, expected) => {
    await provoke();
    expect(refused()).toMatchObject({ type: 'error.returned', endpoint: 'api', requestId: 'req_7', ...expected });
  });

  it('links each refusal to its explanation', async () => {
    const response = await fetch(`${url}/api/products`);
    expect(response.headers.get('link')).toBe('<http://localhost:9000/dashboard/problems/req_7>; rel="help"');
  });
});

describe('the sample backend with introspection', () => {
  beforeEach(() => start('introspection'));

  it('tells of opaque tokens, used, ended and revoked', async () => {
    const { access_token } = await tokensOf('opaque');
    const { tokenId, authorizationId } = issued(access_token);
    expect((await get(access_token)).status).toBe(200);
    expect(events.latest('token.used', 1)).toMatchObject([{ tokenId, client_id: 'opaque', sub: 'alice' }]);

    await endToken(sandbox.server, tokenId, now + 300);
    expect((await get(access_token)).status).toBe(401);
    expect(refused()).toMatchObject({ reason: 'api_token_ended', about: tokenId, client_id: 'opaque' });
    await resumeToken(sandbox.server, tokenId);

    await revokeAuthorization(sandbox.server, authorizationId);
    expect((await get(access_token)).status).toBe(401);
    expect(refused()).toMatchObject({ reason: 'api_token_inactive', sent: 'a token that is revoked', about: tokenId });
  });

  it('knows a revoked JWT by what it says', async () => {
    const { access_token } = await tokensOf('frontend');
    const ids = parseTokenIdentifier(decodeJwt(access_token).jti ?? '');
    await revokeAuthorization(sandbox.server, ids.authorizationId);
    await get(access_token);
    expect(refused()).toMatchObject({ reason: 'api_token_inactive', client_id: 'frontend', about: ids.tokenId });
  });
});
