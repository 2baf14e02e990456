import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startSandbox } from '../../../../src/sandbox/sandbox.ts';
import { observes } from '../../../observed.ts';
import { loadConfig } from '../../../support/load-config.ts';
import { newFolder } from '../../../support/new-folder.ts';
import { controlled } from './support.ts';

const machine = { client_id: 'one', client_secret: 'one-secret', grant_types: ['client_credentials'] };

describe('POST /_sandbox/reload', () => {
  it('reads the file again and answers what that changed', async () => {
    observes('operation reload');
    const cwd = newFolder({ 'clients.config.json': { clients: [machine] } });
    await using sandbox = await startSandbox(await loadConfig({ cwd, env: { PORT: '0', WATCH: 'off' } }));
    const reload = async (content: unknown) => {
      writeFileSync(join(cwd, 'clients.config.json'), JSON.stringify(content));
      const response = await fetch(`${sandbox.url}/_sandbox/reload`, { method: 'POST' });
      return { status: response.status, body: await response.json() };
    };
    expect(await reload({ clients: [machine], codeLifetime: 9, port: 9001 })).toEqual({
      status: 200,
      body: {
        file: 'clients.config.json',
        entries: [],
        settings: [{ name: 'CODE_LIFETIME', from: '60', to: '9' }],
        atNextStart: [],
        issuers: {},
      },
    });
    expect(await reload({ clients: [{ ...machine, client_secret: 7 }], prot: 1 })).toMatchObject({
      status: 400,
      body: {
        reason: 'control_input_invalid',
        errors: [
          { member: 'clients.config.json: prot', expected: 'a known name', nearest: 'port' },
          { member: 'clients.config.json: clients[0].client_secret', sent: '***', expected: 'text' },
        ],
      },
    });
    const [last] = sandbox.events.latest('configuration.refused', 1);
    expect(last).toMatchObject({ by: 'api', file: 'clients.config.json' });
  });

  it('says that there is no file where there is none', async () => {
    const { call } = await controlled();
    expect(await call('POST /reload')).toMatchObject({
      status: 404,
      body: { detail: expect.stringContaining('started without a configuration file') },
    });
  });

  it('is of the first issuer, for all of them', async () => {
    const { call } = await controlled({ issuers: { a: {} } }, '/a');
    const { status, body } = await call('POST /reload');
    expect(status).toBe(404);
    expect(body.expected).toMatch(/^http:\/\/localhost:\d+\/_sandbox\/reload$/);
  });
});
