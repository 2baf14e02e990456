import { afterAll, beforeAll, describe, expect, expectTypeOf, it, vi } from 'vitest';
import type { RegisteredClient } from '../../../../src/protocol/clients/client.ts';
import type { clientMembers } from '../../../../src/protocol/clients/client-members.ts';
import type { ClientEntry } from '../../../../src/sandbox/config/client/client-config.ts';
import type { clientSchema } from '../../../../src/sandbox/config/client/client-schema.ts';

// One more row in the table, and nothing anywhere else.
vi.mock('../../../../src/protocol/clients/client-members.ts', async original => {
  const { clientMembers } = await original<typeof import('../../../../src/protocol/clients/client-members.ts')>();
  const more = {
    colour: { format: ['red', 'blue'], needs: 'jar', default: 'red' },
    homes: { format: 'webUris' },
    inner: { format: 'flag', isOurs: true },
  };
  return { clientMembers: { ...clientMembers, ...more } };
});

const { createSandbox } = await import('../../../../src/index.ts');
const { fileSchema } = await import('../../../../src/sandbox/config/file-schema.ts');

const app = { client_id: 'app', redirect_uris: ['https://app.example/callback'] };
let sandbox: Awaited<ReturnType<typeof createSandbox>>;
beforeAll(async () => {
  // the types know the table as it is
  const clients = [{ ...app, colour: 'blue', homes: ['https://app.example'] }] as object[] as ClientEntry[];
  sandbox = await createSandbox({ clients });
});
afterAll(() => sandbox.stop());

async function send(path: string, body: object): Promise<unknown> {
  const headers = { 'content-type': 'application/json' };
  return (await fetch(`${sandbox.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })).json();
}
const read = async (path: string) => (await fetch(`${sandbox.url}${path}`)).text();

describe('a member that only the table of members names', () => {
  it('is a member of every type of a client', () => {
    type Name = keyof typeof clientMembers;
    expectTypeOf<keyof ClientEntry>().toEqualTypeOf<Name>();
    expectTypeOf<keyof (typeof clientSchema)['entries']>().toEqualTypeOf<Name>();
    expectTypeOf<Exclude<keyof RegisteredClient, 'origin' | 'isAudienceList'>>().toEqualTypeOf<
      Exclude<Name, 'token_endpoint_auth_method'>
    >();
    expectTypeOf<ClientEntry['contacts']>().toEqualTypeOf<readonly string[] | undefined>();
    expectTypeOf<ClientEntry['access_token_lifetime']>().toEqualTypeOf<string | number | undefined>();
    expectTypeOf<RegisteredClient['access_token_lifetime']>().toEqualTypeOf<number>();
    expectTypeOf<RegisteredClient['subject_type']>().toEqualTypeOf<'public' | 'pairwise'>();
  });

  it('is checked in the configuration', async () => {
    const clients = [{ ...app, colour: 'bleu', homes: 'x' }] as object[] as ClientEntry[];
    const error: unknown = await createSandbox({ clients }).catch(thrown => thrown);
    expect(error).toMatchObject({
      problems: [
        { source: 'createSandbox: clients[0].colour', expected: 'red or blue', nearest: 'blue' },
        { source: 'createSandbox: clients[0].homes', expected: 'a list of URIs' },
      ],
    });
  });

  it('is read and written by the control API, which leaves out the default', async () => {
    expect(JSON.parse(await read('/_sandbox/clients/app'))).toHaveProperty('entry', {
      ...app,
      colour: 'blue',
      homes: ['https://app.example'],
    });
    await send('/_sandbox/clients', { ...app, client_id: 'other', colour: 'red', inner: true });
    expect(JSON.parse(await read('/_sandbox/clients/other'))).toHaveProperty('entry', {
      ...app,
      client_id: 'other',
      inner: true,
    });
    expect(await read('/_sandbox/openapi.json')).toContain('"colour"');
  });

  it('can be registered, unless it is an extension of Grantbox', async () => {
    const client = await send('/connect/register', { ...app, colour: 'blue', inner: true });
    expect(client).toMatchObject({ colour: 'blue' });
    expect(client).not.toHaveProperty('inner');
    expect(await send('/connect/register', { ...app, colour: 'green' })).toMatchObject({
      error: 'invalid_client_metadata',
      error_description: expect.stringContaining('colour: expected red or blue'),
    });
  });

  it('is in the JSON Schema', () => {
    expect(fileSchema([])).toHaveProperty('$defs.clients.items.properties.colour', {
      type: 'string',
      enum: ['red', 'blue'],
    });
  });

  it('is in the form of the dashboard, with the members that have no field', async () => {
    expect(await read('/dashboard/clients/app')).toMatch(/<textarea[^>]*name="more"[^>]*>[^<]*colour/);
  });
});
