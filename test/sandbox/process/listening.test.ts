import { describe, expect, it } from 'vitest';
import { createSandbox } from '../../../src/index.ts';
import { observes } from '../../observed.ts';
import { freePort } from '../../support/free-port.ts';

async function statuses(port: number, paths: readonly string[]): Promise<readonly number[]> {
  return Promise.all(paths.map(async path => (await fetch(`http://127.0.0.1:${port}${path}`)).status));
}

describe('a second port for probes', () => {
  it('answers them, below any path, and nothing else', async () => {
    observes('setting managementPort');
    const managementPort = await freePort();
    await using sandbox = await createSandbox({ preset: 'keycloak', managementPort, metrics: true });
    const probes = ['/health', '/health/live', '/health/ready', '/health/started', '/ready', '/metrics'];
    expect(await statuses(managementPort, probes)).toEqual(probes.map(() => 200));
    expect(await statuses(managementPort, ['/auth/health/ready', '/health/ready?pretty'])).toEqual([200, 200]);
    expect(await statuses(managementPort, ['/', '/dashboard', '/health/x', '/realms/demo/_sandbox/users'])).toEqual([
      404, 404, 404, 404,
    ]);
    expect(await (await fetch(`http://127.0.0.1:${managementPort}/health/ready`)).json()).toEqual({
      status: 'UP',
      checks: [{ name: 'server', status: 'UP' }],
    });
    expect(await statuses(Number(new URL(sandbox.url).port), probes)).toEqual(probes.map(() => 200));
  });

  it('is the first one where both have one number', async () => {
    const port = await freePort();
    await using _ = await createSandbox({ port, managementPort: port });
    expect(await statuses(port, ['/health/ready', '/.well-known/openid-configuration'])).toEqual([200, 200]);
  });

  it('is named in the sentence about a port that is taken, and the first port is free again', async () => {
    await using first = await createSandbox();
    const taken = Number(new URL(first.url).port);
    const port = await freePort();
    await expect(createSandbox({ port, managementPort: taken })).rejects.toThrow(
      'with --management-port or MANAGEMENT_PORT',
    );
    await using _ = await createSandbox({ port });
  });
});
