import { readdirSync, readlinkSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { receiver, secret } from '../extensions/webhooks/support.ts';
import { runningChild } from '../support/child.ts';

/** The packs that a process has opened, by their names. */
function openedPacks(pid: number): readonly string[] {
  const folder = `/proc/${pid}/fd`;
  const targets = readdirSync(folder).map(each => {
    try {
      return readlinkSync(`${folder}/${each}`);
    } catch {
      return ''; // closed meanwhile
    }
  });
  return targets.flatMap(target => /([\w-]+)\.pack$/.exec(target)?.slice(1) ?? []).sort();
}

describe('webhooks of what ships', () => {
  it('are read from their pack only where there is an endpoint', async () => {
    await using sandbox = await runningChild();
    const { pid = 0 } = sandbox.process;
    const credentials = { authorization: `Basic ${btoa('sensor:sensor-secret')}` };
    const body = new URLSearchParams({ grant_type: 'client_credentials' });
    const token = await fetch(`${sandbox.url}/oauth2/token`, { method: 'POST', headers: credentials, body });
    expect(token.status).toBe(200);
    expect((await fetch(`${sandbox.url}/dashboard/tokens`)).status).toBe(200);
    expect(openedPacks(pid)).toEqual(['grantbox']);
    await fetch(`${sandbox.url}/_sandbox/webhooks`);
    expect(openedPacks(pid)).toContain('webhooks');
  });

  it('tell the endpoint of WEBHOOKS, also of what happens right before the stop', async () => {
    const there = await receiver();
    await using sandbox = await runningChild({ env: { WEBHOOKS: `${there.url}#${secret}` } });
    const response = await fetch(`${sandbox.url}/_sandbox/users`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ sub: 'eve' }),
    });
    expect(response.status).toBe(201);
    sandbox.process.kill('SIGTERM');
    expect(await sandbox.ended).toBe(0);
    expect(there.received).toMatchObject([{ type: 'user.created', data: { sub: 'eve', by: 'api' } }]);
    expect(sandbox.output.stdout + sandbox.output.stderr).not.toContain(secret);
  });
});
