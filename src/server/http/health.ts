import { version } from '../../package.ts';
import type { AuthorizationServer } from '../../protocol/authorization-server.ts';
import { type Answer, jsonAnswer } from './answer.ts';
import { type Readiness, type ReadyCheck, serverCheck } from './readiness.ts';

/**
 * Liveness. Answers once the keys exist, and names the parts outside of this process without judging them: a restart would not
 * bring them back. Version and start tell callers which sandbox answers, the issuer and its URL where to go on.
 */
export async function health(server: AuthorizationServer, readiness: Readiness): Promise<Answer> {
  await server.keys.jwks();
  const others = readiness.checks().filter(({ name }) => name !== serverCheck);
  const { iss, issuer: url } = server;
  const grantbox = { version, started: readiness.started.toISOString(), issuer: iss, url };
  return jsonAnswer(200, { status: 'UP', grantbox, ...byName(others) });
}

/** Readiness: 503 if any check is DOWN, so that a balancer sends its requests elsewhere. */
export async function ready(server: AuthorizationServer, readiness: Readiness): Promise<Answer> {
  await server.keys.jwks();
  const checks = readiness.checks();
  const isReady = checks.every(({ state }) => state === 'UP');
  return jsonAnswer(isReady ? 200 : 503, { status: isReady ? 'UP' : 'DOWN', ...byName(checks) });
}

/** The state of this process in the form of MicroProfile Health, as Keycloak answers it. */
export async function live(server: AuthorizationServer): Promise<Answer> {
  await server.keys.jwks();
  return microProfile('UP', []);
}

/** Readiness in that form. */
async function readyToServe(server: AuthorizationServer, readiness: Readiness): Promise<Answer> {
  await server.keys.jwks();
  const checks = readiness.checks();
  return microProfile(checks.every(({ state }) => state === 'UP') ? 'UP' : 'DOWN', checks);
}

function microProfile(status: ReadyCheck['state'], checks: readonly ReadyCheck[]): Answer {
  const all = checks.map(({ name, state, detail }) => ({ name, status: state, ...(detail && { data: { detail } }) }));
  // a space after each colon, because probes compare the text `"status": "UP"`
  const body = JSON.stringify({ status, checks: all }, null, 4);
  return { ...jsonAnswer(status === 'UP' ? 200 : 503, {}), body };
}

/** The probes by their paths below the root and the issuer, each with the endpoint that it is for the log. */
export const probes: Readonly<Record<string, readonly [name: 'health' | 'ready', answer: typeof ready]>> = {
  '/health': ['health', health],
  '/isalive': ['health', health], // the path of mock-oauth2-server
  '/ready': ['ready', ready],
  '/health/live': ['health', live],
  '/health/started': ['health', live],
  '/health/ready': ['ready', readyToServe],
};

/** The probes that tell so little that any `Host` may ask them, because an orchestrator uses the address of the process. */
export const probesForAnyHost: readonly string[] = ['/ready', '/health/live', '/health/started', '/health/ready'];

function byName(checks: readonly ReadyCheck[]): object {
  return Object.fromEntries(checks.map(({ name, ...state }) => [name, state]));
}
