import type { AuthorizationServer } from '../oauth/authorization-server.ts';
import { version } from '../package.ts';
import { type Answer, jsonAnswer } from './answer.ts';
import { type Readiness, type ReadyCheck, serverCheck } from './readiness.ts';

/**
 * Liveness. Answers once the keys exist, and names the parts outside of this process without judging them: a restart would not
 * bring them back. Version and start tell callers which sandbox answers.
 */
export async function health(server: AuthorizationServer, readiness: Readiness): Promise<Answer> {
  await server.keys.jwks();
  const others = readiness.checks().filter(({ name }) => name !== serverCheck);
  const grantbox = { version, started: readiness.started.toISOString() };
  return jsonAnswer(200, { status: 'UP', grantbox, ...byName(others) });
}

/** Readiness: 503 if any check is DOWN, so that a balancer sends its requests elsewhere. */
export async function ready(server: AuthorizationServer, readiness: Readiness): Promise<Answer> {
  await server.keys.jwks();
  const checks = readiness.checks();
  const isReady = checks.every(({ state }) => state === 'UP');
  return jsonAnswer(isReady ? 200 : 503, { status: isReady ? 'UP' : 'DOWN', ...byName(checks) });
}

function byName(checks: readonly ReadyCheck[]): object {
  return Object.fromEntries(checks.map(({ name, ...state }) => [name, state]));
}
