import type { ClientEntry, Sandbox, SandboxConfig } from '../../../../src/index.ts';
import { authorizationUrl, sensorToken } from '../../../support/authorization-url.ts';
import { createSandbox } from '../../../support/bundle.ts';
import { type Busy, logIn, makeBusy } from '../../../support/busy.ts';
import { openSite, type Site } from '../../../support/site.ts';

/** Sandboxes in every state that a page can show. */
export interface World {
  readonly app: Site;
  /** Of the application, where all logins lead. */
  readonly callback: string;
  /** Untouched, used by everything but the first run. */
  readonly fresh: Sandbox;
  readonly used: Sandbox;
  /** Asks for a password. */
  readonly strict: Sandbox;
  readonly crowded: Sandbox;
  /** Its client is told of a logout in every way, and answers one of them badly. */
  readonly told: Sandbox;
  /** Its clients ask for what users decide about elsewhere. */
  readonly asked: Sandbox;
  /** Flows that went well and flows that did not. */
  readonly busy: Sandbox;
  readonly done: Busy;
  /** Only shows. */
  readonly readonly: Sandbox;
  /** A sandbox in which visits change things. */
  readonly changed: Sandbox;
  /** Forgets most of what it sees. */
  readonly forgetful: Sandbox;
  /** A workshop. */
  readonly room: Sandbox;
  close(): Promise<void>;
}

export const tv: ClientEntry = {
  client_id: 'tv',
  client_name: 'Living-room TV',
  grant_types: ['urn:ietf:params:oauth:grant-type:device_code'],
  scope: 'openid profile products:read products:write',
};
export const bank: ClientEntry = {
  client_id: 'bank',
  client_name: 'Bank',
  client_secret: 'bank-secret',
  grant_types: ['urn:openid:params:grant-type:ciba'],
  scope: 'openid profile',
};

function toldClient({ origin }: Site): ClientEntry {
  return {
    client_id: 'frontend',
    redirect_uris: [`${origin}/callback`],
    grant_types: ['authorization_code', 'refresh_token'],
    scope: 'openid profile email products:read',
    frontchannel_logout_uri: `${origin}/out`,
    initiate_login_uri: `${origin}/a/login/that/the/dashboard/starts`,
    backchannel_logout_uri: `${origin}/a/rather/long/path/to/the/address/of/the/backchannel`,
  };
}

function configurations(app: Site) {
  return {
    fresh: {},
    used: { label: 'a label that is rather long' },
    strict: { loginMode: 'password' },
    crowded: { users: Array.from({ length: 12 }, (_, index) => ({ sub: `user-${index}` })) },
    told: { clients: [toldClient(app)], catalogue: true },
    asked: { clients: [tv, bank] },
    busy: {},
    readonly: { dashboard: 'readonly' },
    changed: {},
    forgetful: { historySize: 100 },
    room: { workshop: 60, controlToken: 'trainer' },
  } as const satisfies Readonly<Record<string, SandboxConfig>>;
}

/** The application answers everything with a page, but what is told to it on the back channel. */
function openApplication(): Promise<Site> {
  return openSite(({ url }) => ({
    status: url.pathname.endsWith('/backchannel') ? 500 : 200,
    body: '<!doctype html><html lang="en"><title>The application</title><h1>The application</h1>',
  }));
}

export async function openWorld(): Promise<World> {
  const app = await openApplication();
  const callback = `${app.origin}/callback`;
  const begun = Object.entries(configurations(app)).map(async ([name, config]) => [name, await createSandbox(config)]);
  const sandboxes: Record<keyof ReturnType<typeof configurations>, Sandbox> = Object.fromEntries(
    await Promise.all(begun),
  );
  const { used, busy, readonly, changed, forgetful } = sandboxes;
  await useOnce(used, callback);
  const done = await makeBusy(busy, callback);
  await useOnce(readonly, callback);
  await useOnce(changed, callback);
  for (let count = 0; count < 120; count++) await sensorToken(forgetful);
  return {
    ...{ app, callback, done, ...sandboxes },
    async close() {
      await Promise.all([app.close(), ...Object.values(sandboxes).map(each => each.stop())]);
    },
  };
}

/** One of everything the dashboard has a page for. */
async function useOnce(sandbox: Sandbox, callback: string): Promise<void> {
  await logIn(sandbox, callback, 'alice');
  await sensorToken(sandbox);
  const redirect_uri = `https://${'long.'.repeat(20)}example/callback`;
  await (await fetch(authorizationUrl(sandbox, callback, { redirect_uri }))).arrayBuffer();
}
