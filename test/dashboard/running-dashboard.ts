import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import express from 'express';
import { createMovedClock, createSandboxClock } from '../../src/base/clock.ts';
import type { CodeIssued, EventFact, RequestCompleted, TokenIssued } from '../../src/base/events/event.ts';
import { createEventLog, type EventLog, type IssuedEvent } from '../../src/base/events/event-log.ts';
import { createDashboard } from '../../src/dashboard/dashboard.ts';
import type { DashboardFacts } from '../../src/dashboard/facts.ts';
import type { AddedPage } from '../../src/dashboard/page.ts';
import type { TokenPageContext } from '../../src/dashboard/tokens/token-page.ts';
import type { RegisteredClient } from '../../src/protocol/clients/client.ts';
import type { TestUser } from '../../src/protocol/users/user.ts';
import { createFlowIndex } from '../../src/record/flows/flow-index.ts';
import { describe } from '../../src/record/words/event-words.ts';
import type { Control } from '../../src/sandbox/control/create-control.ts';
import { inTurnHere } from '../../src/sandbox/control/replica-turn.ts';
import { createViews } from '../../src/server/http/views.ts';
import { publicClient } from '../support/client.ts';

export const now = 1_700_000_000;
export const issuer = 'http://localhost:9000';

/** Every page must show it as text. */
export const hostile = `"'><script>alert(1)</script><img src=x onerror=alert(2)>`;

export const frontend: RegisteredClient = {
  ...publicClient,
  redirect_uris: ['http://localhost:3000/callback'],
  scope: 'openid profile products:read',
  access_token_claims: { tenant: 'blue' },
};

export const sensor: RegisteredClient = {
  ...frontend,
  client_id: 'sensor',
  client_name: 'Demo sensor',
  client_secret: "it's secret",
  token_endpoint_auth_methods: ['client_secret_basic'],
  grant_types: ['client_credentials'],
  redirect_uris: [],
  scope: 'telemetry:write',
  loopback_redirects: false,
  access_token_claims: {},
};

export const alice: TestUser = {
  sub: 'alice',
  username: 'alice',
  claims: { name: 'Alice Anders', email: 'alice@example.test', email_verified: false, roles: ['admin'] },
  access_token_claims: { roles: ['admin'] },
};

/** What `jwt` makes is signed when it ends like this. */
export const goodSignature = 'Z29vZA';

export function jwt(claims: object, header: object = {}, signature = goodSignature): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part({ alg: 'RS256', kid: 'key-1', typ: 'at+jwt', ...header })}.${part(claims)}.${signature}`;
}

const accessClaims = { iss: issuer, sub: 'alice', aud: 'frontend', client_id: 'frontend', exp: now + 300, iat: now };

/** An access token of alice, unless said otherwise. */
export function tokenFact(tokenId: string, more: Partial<TokenIssued> = {}): TokenIssued {
  return {
    type: 'token.issued',
    tokenType: 'access',
    tokenId,
    token: jwt({ ...accessClaims, jti: tokenId }),
    format: 'jwt',
    authorizationId: 'auth-1',
    grant_type: 'authorization_code',
    client_id: 'frontend',
    sub: 'alice',
    scope: 'openid products:read',
    kid: 'key-1',
    alg: 'RS256',
    iat: now,
    exp: now + 300,
    ...more,
  };
}

export function refreshFact(tokenId: string, more: Partial<TokenIssued> = {}): TokenIssued {
  const { kid: _, alg: __, ...fact } = tokenFact(tokenId, { token: `raw-${tokenId}`, format: 'opaque', ...more });
  return { ...fact, tokenType: 'refresh' };
}

export function codeFact(tokenId: string, more: Partial<CodeIssued> = {}): CodeIssued {
  return {
    type: 'code.issued',
    tokenId,
    token: `raw-${tokenId}`,
    authorizationId: 'auth-1',
    client_id: 'frontend',
    sub: 'alice',
    scope: 'openid products:read',
    iat: now,
    exp: now + 60,
    redirect_uri: 'http://localhost:5173/callback',
    ...more,
  };
}

export function createLog(capacity = 1000, clock: () => number = () => now): EventLog {
  return createEventLog({ capacity, now: clock });
}

/** A token of `tokenFact` and the like, as the log holds it. */
export function issue(events: EventLog, fact: TokenIssued | CodeIssued, requestId = 'req_1'): IssuedEvent {
  return events.append(fact, requestId) as IssuedEvent;
}

export const views = createViews({
  templatesFolder: join(import.meta.dirname, '../../templates'),
  look: { label: 'test-label', issuer, version: '1.2.3', dashboard: true, base: '' },
});

/** Nothing can be changed: for pages that only show. */
export const noControl: Control = {
  apply: async () => ({ ok: false, problems: [] }),
  problemsOf: () => [],
  unpublishKeys: async () => {},
  clientEntry: () => undefined,
  userEntry: () => undefined,
  entry: () => undefined,
  ids: () => [],
  configurationLines: () => '',
  isChanged: () => false,
  tokenRules: () => undefined,
  replaceTokenRules: async () => {},
  preview: async () => ({ access: {}, origins: {} }),
  expireToken: async () => false,
  resumeToken: async () => false,
  revokeToken: async () => false,
  sessions: async () => [],
  endSession: async () => false,
  keys: async () => [],
  rotateKeys: async () => {},
  reset: async () => {},
};

/** A request that is over, as the log takes it. */
export function requestFact(more: Partial<RequestCompleted> = {}): RequestCompleted {
  const { endpoint = 'token', method = 'POST', path = '/oauth2/token', status = 200 } = more;
  const exchange = { url: path, ip: '127.0.0.1', requestHeaders: '', responseHeaders: '' };
  return { type: 'request.completed', endpoint, method, path, status, milliseconds: 1, exchange, ...more };
}

export function optionsFor(events: EventLog, more: Partial<DashboardFacts> = {}): DashboardFacts {
  return {
    events,
    describe,
    views,
    issuer,
    iss: issuer,
    version: '1.2.3',
    label: 'test-label',
    base: '',
    clients: [frontend, sensor],
    registered: () => [frontend, sensor],
    users: [alice],
    settings: async () => [],
    withoutEffect: async () => [],
    fileState: () => ({}),
    scopes: [],
    collections: [
      { name: 'products', readScope: 'products:read', writeScope: 'products:write', fields: {} },
      {
        name: 'telemetry',
        writeScope: 'telemetry:write',
        fields: { name: { type: 'string', required: true } },
        seed: [{ id: 1, name: "o'clock" }],
      },
    ],
    endpoints: [
      { name: 'authorize', method: 'GET, POST', path: '/oauth2/authorize' },
      { name: 'token', method: 'POST', path: '/oauth2/token' },
      { name: 'userinfo', method: 'GET, POST', path: '/userinfo' },
    ],
    api: { audience: [], tokenCheck: 'local', fits: ({ aud }) => aud !== undefined, isConfigured: () => false },
    reach: { allowedHosts: [], scheme: 'http', hasOwnCa: false, loginMode: 'picker', canRegister: true },
    clock: () => now,
    time: timeAt(now),
    faults: noFaults,
    startedAt: now - 65,
    verify: async token =>
      token.endsWith(goodSignature)
        ? { ok: true, kid: 'key-1', alg: 'RS256', key: 'signing' }
        : { ok: false, why: 'no key of ours fits' },
    accounts: () => [alice],
    recording: true,
    access: 'on',
    allowedOrigins: [],
    control: noControl,
    inTurn: inTurnHere,
    send: async () => ({ status: 400, headers: {}, body: '{"error":"invalid_grant"}', requestId: '' }),
    ...more,
  };
}

/** Nothing is armed, and nothing can be. */
const noFaults: DashboardFacts['faults'] = {
  armedCount: () => 0,
  control: async () => ({
    ...{ catalogue: () => [], endpoints: () => [], check: () => [], list: () => [] },
    arm: () => ({ ok: false, problems: [] }),
    disarm: () => false,
    disarmAll: () => 0,
  }),
};

/** A clock that shows this, and whose moves nobody is told of. */
function timeAt(seconds: number): DashboardFacts['time'] {
  const parts = { by: 'dashboard', tell() {}, expiring: async () => [] } as const;
  return createSandboxClock({ clock: createMovedClock(() => seconds), ...parts });
}

/** The same with what is made of the log, as the pages of a token want it. */
export function deskFor(events: EventLog, more: Partial<DashboardFacts> = {}): TokenPageContext {
  const options = optionsFor(events, more);
  return { ...options, flows: createFlowIndex(events, options.clock) };
}

export interface RunningDashboard extends AsyncDisposable {
  readonly events: EventLog;
  readonly url: string;
  readonly port: number;
  close(): void;
  append(fact: EventFact, requestId?: string): void;
  get(path: string, headers?: Record<string, string>): Promise<Response>;
  text(path: string): Promise<string>;
}

/** A dashboard without pages of extensions. */
export async function runDashboard(
  more: Partial<DashboardFacts> = {},
  pages: readonly AddedPage[] = [],
): Promise<RunningDashboard> {
  const options = optionsFor(more.events ?? createLog(), more);
  const dashboard = createDashboard(options, pages);
  const app = express();
  for (const [path, router] of dashboard.routers) app.use(path, router);
  const server = app.listen(0, '127.0.0.1');
  await new Promise(resolve => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(url + path, { redirect: 'manual', headers });
  return {
    events: options.events,
    url,
    port,
    close: dashboard.close,
    append: (fact, requestId = 'req_1') => void options.events.append(fact, requestId),
    get,
    text: async path => (await get(path)).text(),
    async [Symbol.asyncDispose]() {
      dashboard.close();
      server.closeAllConnections();
      await new Promise(resolve => server.close(resolve));
    },
  };
}
