import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  type ConnectedIssuer,
  connectSandbox,
  createSandbox,
  type Sandbox,
  type SandboxIssuer,
} from '../../../src/index.ts';
import { unlike } from './unlike.ts';

/** Whatever an issuer in the same process can do, one that runs elsewhere can: events and report have tests of their own. */
type Either = Omit<SandboxIssuer, 'events'> | Omit<ConnectedIssuer, 'events'>;

const client = 'frontend';
const app = { client_id: 'app', redirect_uris: ['http://localhost:3000/app'] };

/** What is done at both. */
const calls: Readonly<Record<string, (issuer: Either) => unknown>> = {
  'clients.list': ({ clients }) => clients.list(),
  'clients.get': async ({ clients }) => [await clients.get('sensor'), await clients.get('nobody')],
  'clients.create': ({ clients }) => clients.create(app),
  'clients.replace': ({ clients }) =>
    clients.replace('sensor', { client_secret: 'new', grant_types: ['client_credentials'] }),
  'clients.patch': ({ clients }) => clients.patch(client, { access_token_lifetime: 5, client_name: null }),
  'clients.delete': async ({ clients }) => [await clients.delete('sensor'), await clients.get('sensor')],
  'clients.revert': async ({ clients }) => {
    await clients.delete('sensor');
    return clients.revert('sensor');
  },
  'users.list': ({ users }) => users.list(),
  'users.create': ({ users }) => users.create({ sub: 'tess', claims: { roles: ['admin'] } }),
  'users.get, a name with what a path cannot have': async ({ users }) => {
    await users.create({ sub: 'tess/?#% &' });
    return users.get('tess/?#% &');
  },
  'users.patch': ({ users }) => users.patch('alice', { claims: { name: null, nickname: 'Al' } }),
  'users.delete': async ({ users }) => [await users.delete('bob'), (await users.list()).map(({ sub }) => sub)],
  issueToken: issuer => issuer.issueToken({ client, user: 'alice', lifetime: 9, claims: { roles: null, a: [1] } }),
  'issueToken, with a defect': issuer => issuer.issueToken({ client, user: 'alice', defect: 'wrong_audience' }),
  'login, for tokens': issuer => issuer.login({ client, user: 'bob@example.com', as: 'tokens', nonce: 'n' }),
  'login, for a code': issuer => issuer.login({ client, user: 'bob', state: 's' }),
  'login, for a browser': issuer => issuer.login({ client, user: 'bob', as: 'browser' }),
  'login, that is denied': issuer => issuer.login({ client, user: 'bob', state: 's', action: 'deny' }),
  nextLogin: issuer => issuer.nextLogin({ sub: 'carol', client }),
  'tokenClaims.list': ({ tokenClaims }) => tokenClaims.list(),
  'tokenClaims.replace': async ({ tokenClaims }) => [
    await tokenClaims.replace([{ client, claims: { seal: 'red' } }]),
    await tokenClaims.list(),
    await tokenClaims.replace([]),
  ],
  'faults.arm': ({ faults }) => faults.arm({ fault: 'unavailable', client, seconds: 2, times: 'always' }),
  'faults.list': async ({ faults }) => {
    await faults.arm({ fault: 'slow', endpoint: 'jwks' });
    await faults.arm({ fault: 'expired', times: 3 });
    return faults.list();
  },
  'faults.disarm': async ({ faults }) => {
    const { id } = await faults.arm({ fault: 'slow' });
    return [await faults.disarm(id), await faults.disarm(id), await faults.list()];
  },
  'faults.clear': async ({ faults }) => {
    await faults.arm({ fault: 'slow' });
    return [await faults.clear(), await faults.clear()];
  },
  'clock.state': ({ clock }) => clock.state(),
  'clock.now': readClock,
  'clock.advance': ({ clock }) => clock.advance(-90),
  'clock.advance, of the sample backend': async issuer => [
    await issuer.clock.advance(60, 'api'),
    await readClock(issuer),
  ],
  'clock.set': ({ clock }) => clock.set(new Date('2030-01-01T00:00:00Z')),
  'clock.resume': async ({ clock }) => (await clock.resume()).frozen,
  'clock.reset': async ({ clock }) => (await clock.reset()).offset,
  'clock.next': async issuer => {
    await issuer.login({ client, user: 'alice', as: 'tokens' });
    return (await issuer.clock.next()).map(({ exp, tokenType }) => [exp, tokenType]);
  },
  'clock.toBeforeNextExpiry': async issuer => {
    await issuer.login({ client, user: 'alice', as: 'tokens', scope: 'openid' });
    return issuer.clock.toBeforeNextExpiry({ seconds: 7 });
  },
  report: async issuer => {
    await issuer.login({ client, user: 'alice', as: 'tokens' });
    return issuer.report();
  },
  'scopes.patch': ({ scopes }) => scopes.patch('bikes:read', { description: 'see bikes' }),
  'resources.replace': ({ resources }) =>
    resources.replace('till', { readScope: 'bikes:read', fields: { drawer: 'string' } }),
  'resources.list': ({ resources }) => resources.list(),
  'report, of one client': issuer => issuer.report({ client: 'sensor' }),
  'reset, of a part': async issuer => {
    await issuer.users.create({ sub: 'tess' });
    await issuer.clock.advance(60);
    await issuer.reset('configuration');
    return [await issuer.users.get('tess'), await issuer.clock.state()];
  },
  reset: async issuer => {
    await issuer.users.create({ sub: 'tess' });
    await issuer.reset();
    return [await issuer.users.get('tess'), (await issuer.clock.state()).offset];
  },
  rotateKeys: async issuer => [await issuer.rotateKeys(), (await keysOf(issuer)).length],
  'rotateKeys, with the old ones out': async issuer => {
    const before = await keysOf(issuer);
    await issuer.rotateKeys({ unpublish: true });
    const after = await keysOf(issuer);
    return [before.length, after.length, after.filter(kid => before.includes(kid))];
  },
};

/** Both refuse, and name what was found. */
const refused: Readonly<Record<string, { readonly call: (issuer: Either) => unknown; readonly found: string }>> = {
  'clients.create': { call: ({ clients }) => clients.create({ ...app, client_id: client }), found: client },
  'clients.create, again': {
    call: ({ clients }) =>
      clients.create({ client_id: 'x', redirect_uris: ['nowhere'], subject_type: 'odd' as 'public' }),
    found: 'odd',
  },
  'clients.patch': { call: ({ clients }) => clients.patch('fronted', { access_token_lifetime: 5 }), found: 'fronted' },
  'clients.patch, again': {
    call: ({ clients }) => clients.patch(client, { scopes: 'openid' } as object),
    found: 'scopes',
  },
  'clients.delete': { call: ({ clients }) => clients.delete('nobody'), found: 'nobody' },
  'users.revert': { call: ({ users }) => users.revert('nobody'), found: 'nobody' },
  issueToken: { call: issuer => issuer.issueToken({ client, user: 'alise' }), found: 'alise' },
  login: {
    call: issuer => issuer.login({ client, user: 'bob', redirect_uri: 'https://evil.example/' }),
    found: 'https://evil.example/',
  },
  nextLogin: { call: issuer => issuer.nextLogin({ sub: 'carl' }), found: 'found carl, expected carol' },
  'tokenClaims.replace': {
    call: ({ tokenClaims }) => tokenClaims.replace([{ client: 'fronted', claims: {} }]),
    found: 'fronted',
  },
  'faults.arm': { call: ({ faults }) => faults.arm({ fault: 'unavailabel' }), found: 'unavailabel' },
  'faults.arm, again': {
    call: ({ faults }) => faults.arm({ fault: 'slow', times: 0, probability: 7 }),
    found: 'probability: found 7',
  },
  report: { call: issuer => issuer.report({ client: 'fronted' }), found: 'fronted' },
  'scopes.create': { call: ({ scopes }) => scopes.create({ name: 'till', claim: [] } as never), found: 'claim' },
  'resources.delete': { call: ({ resources }) => resources.delete('boats'), found: 'boats' },
  'clock.set': { call: ({ clock }) => clock.set(Number.NaN), found: 'expected a number of seconds' },
};

function readClock({ clock }: Either): number | Promise<number> {
  return typeof clock === 'function' ? clock() : clock.now();
}

async function keysOf({ issuer }: Either): Promise<readonly string[]> {
  const { keys } = (await (await fetch(`${issuer}/oauth2/jwks`)).json()) as { keys: readonly { kid: string }[] };
  return keys.map(({ kid }) => kid);
}

let sandbox: Sandbox;
beforeAll(async () => {
  // one real time for both, who are asked one after the other
  sandbox = await createSandbox({}, { now: () => 1_750_000_000 });
});
afterAll(() => sandbox.stop());

/** Does it at an issuer in this process, and at another by its control API. */
async function observe(call: (issuer: Either) => unknown): Promise<readonly [unknown, unknown]> {
  await using here = await sandbox.createIssuer({}, { id: 'here' });
  await using made = await sandbox.createIssuer({}, { id: 'there' });
  const seen = async (issuer: Either) => {
    await issuer.clock.freeze();
    await issuer.clock.set(1_800_000_000);
    return unlike(await outcomeOf(() => call(issuer)), issuer.issuer);
  };
  return [await seen(here), await seen(await connectSandbox(made.issuer))];
}

async function outcomeOf(work: () => unknown): Promise<unknown> {
  try {
    return { gave: await work() };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return { threw: error.name, saying: error.message };
  }
}

it.each(Object.entries(calls))('%s gives the same here and elsewhere', async (_name, call) => {
  const [here, there] = await observe(call);
  expect(here).not.toHaveProperty('threw');
  expect(there).toEqual(here);
});

it.each(Object.entries(refused))('%s refuses the same here and elsewhere', async (name, { call, found }) => {
  const says = expect.stringMatching(new RegExp(`^${name.replace(', again', '')}: `));
  for (const outcome of await observe(call)) {
    expect(outcome).toEqual({ threw: 'TypeError', saying: says });
    expect(outcome).toHaveProperty('saying', expect.stringContaining(found));
  }
});
