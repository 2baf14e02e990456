import { describe, expect, it } from 'vitest';
import { receiver, secret } from '../extensions/webhooks/support.ts';
import { runningChild } from '../support/child.ts';

describe('webhooks of what ships', () => {
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
