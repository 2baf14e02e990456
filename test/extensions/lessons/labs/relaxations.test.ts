import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { LessonProgress } from '../../../../src/extensions/lessons/control.ts';
import { type ClientEntry, createSandbox, type Sandbox } from '../../../../src/index.ts';
import { type Relaxation, relaxationNames } from '../../../../src/protocol/relaxation.ts';
import { startSandbox } from '../../../../src/sandbox/sandbox.ts';
import { createAgent } from '../../../support/agent.ts';
import { loadConfig } from '../../../support/load-config.ts';

const redirect_uri = 'http://localhost:3000/callback';
const verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
const challenge = { code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM', code_challenge_method: 'S256' };
const device = 'urn:ietf:params:oauth:grant-type:device_code';

/** Clients on which each relaxation could be seen. */
const clientsNamed = (prefix: string): readonly ClientEntry[] => [
  {
    client_id: `${prefix}native`,
    token_endpoint_auth_method: 'none',
    grant_types: ['authorization_code', device],
    response_types: ['code'],
    redirect_uris: [redirect_uri],
    scope: 'openid',
  },
  {
    client_id: `${prefix}web`,
    client_secret: 'secret',
    token_endpoint_auth_method: 'client_secret_post',
    grant_types: ['authorization_code'],
    response_types: ['code'],
    redirect_uris: [redirect_uri],
    require_pkce: false,
    scope: 'openid',
  },
];
const users = [{ sub: 'alice' }];
const clients = [...clientsNamed('lab-'), ...clientsNamed('')];
const words = ['relax', 'relaxation', 'relaxations', 'lab', 'weak'];

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await createSandbox({ port: 0, logLevel: 'silent', loginMode: 'picker', clients, users });
});
afterAll(() => sandbox.stop());
afterEach(() => void vi.unstubAllGlobals());

const authorize = (client_id: string, more: Readonly<Record<string, string>>) =>
  `/oauth2/authorize?${new URLSearchParams({ response_type: 'code', client_id, redirect_uri, scope: 'openid', ...more })}`;

async function post(
  url: string,
  form: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = {},
) {
  const response = await fetch(url, { method: 'POST', body: new URLSearchParams(form), headers });
  return { status: response.status, body: (await response.json()) as Record<string, string> };
}

/** Whether an issuer leaves out the check for the clients with this prefix. */
const isCareless: Readonly<Record<Relaxation, (issuer: string, prefix: string) => Promise<boolean>>> = {
  async pkce_absent(issuer, prefix) {
    const { html } = await createAgent(new URL(issuer).origin).open(issuer + authorize(`${prefix}native`, {}));
    return html.includes('login-user-alice');
  },
  async pkce_downgrade(issuer, prefix) {
    const agent = createAgent(new URL(issuer).origin);
    const login = await agent.open(issuer + authorize(`${prefix}web`, {}));
    const { url } = await agent.submit(login, 'login-user-alice');
    const code = url.searchParams.get('code') ?? '';
    expect(code).not.toBe('');
    const form = {
      grant_type: 'authorization_code',
      client_id: `${prefix}web`,
      client_secret: 'secret',
      redirect_uri,
      code,
    };
    return (await post(`${issuer}/oauth2/token`, { ...form, code_verifier: verifier })).status === 200;
  },
  async redirect_prefix(issuer, prefix) {
    const asked = authorize(`${prefix}native`, { ...challenge, redirect_uri: `${redirect_uri}/evil` });
    return (await fetch(issuer + asked, { redirect: 'manual' })).status === 200;
  },
  async device_warning(issuer, prefix) {
    const form = { client_id: `${prefix}native`, scope: 'openid' };
    const { body } = await post(`${issuer}/oauth2/device_authorization`, form);
    const agent = createAgent(new URL(issuer).origin);
    const page = await agent.submit(await agent.open(body.verification_uri_complete ?? ''), 'login-user-alice');
    expect(page.html).toContain('data-testid="device-allow"');
    return !page.html.includes('data-testid="device-warning"');
  },
};

/** Sends each request with everything that could ask for a relaxation. */
function asking(name: Relaxation): typeof fetch {
  const send = fetch;
  return (input, init) => {
    const url = new URL(String(input));
    const headers = new Headers(init?.headers);
    for (const word of words) {
      url.searchParams.set(word, name);
      for (const header of [word, `X-${word}`, `Sandbox-${word}`]) headers.set(header, name);
    }
    const cookies = words.map(word => `${word}=${name}; grantbox_${word}=${name}`);
    headers.set('Cookie', [headers.get('Cookie') ?? [], cookies].flat().join('; '));
    return send(url, { ...init, headers });
  };
}

async function control(issuer: string, method: string, path: string, body: unknown) {
  const headers = { 'Content-Type': 'application/json' };
  const response = await fetch(`${issuer}/_sandbox/${path}`, { method, headers, body: JSON.stringify(body) });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

/** Starts a lesson, and adds clients to its issuer. */
async function lessonIssuer(lesson: string): Promise<{ readonly issuer: string; readonly learner: string }> {
  const { issuer = '', learner } = (await (
    await fetch(`${sandbox.url}/_sandbox/lessons/${lesson}/start`, { method: 'POST' })
  ).json()) as LessonProgress;
  for (const client of clients) expect((await control(issuer, 'POST', 'clients', client)).status).toBe(201);
  return { issuer, learner };
}

/** The lab that has the relaxation. */
const labs: Readonly<Partial<Record<Relaxation, string>>> = {
  pkce_absent: 'code-interception',
  pkce_downgrade: 'pkce-downgrade',
  redirect_prefix: 'redirect-pattern',
  device_warning: 'device-phishing',
};

describe.each(relaxationNames)('%s', name => {
  const check = isCareless[name];
  const lab = labs[name];

  it.runIf(lab !== undefined)(
    'is in effect for the clients of a lab alone, and while its defence is off alone',
    async () => {
      const { issuer, learner } = await lessonIssuer(lab ?? '');
      expect(await check(issuer, 'lab-'), 'a client of the lab').toBe(true);
      expect(await check(issuer, ''), 'another client').toBe(false);
      await control(sandbox.url, 'POST', `lessons/${lab}/defence?learner=${learner}`, { isDefended: true });
      expect(await check(issuer, 'lab-'), 'with the defence on').toBe(false);
    },
  );

  it('is never in effect at the first issuer, whatever the clients are called', async () => {
    expect(await check(sandbox.url, 'lab-')).toBe(false);
    expect(await check(sandbox.url, '')).toBe(false);
  });

  it('is never in effect at an issuer that was made at run time', async () => {
    const config = { clients: clientsNamed('lab-'), users, loginMode: 'picker' };
    const { body } = await control(sandbox.url, 'POST', 'issuers', { config });
    expect(await check(String(body.issuer), 'lab-')).toBe(false);
  });

  it('is never in effect in a lesson that is no lab', async () => {
    const { issuer } = await lessonIssuer('code-pkce');
    expect(await check(issuer, 'lab-')).toBe(false);
  });

  it('cannot be asked for by a header, a cookie or a parameter', async () => {
    const { issuer } = await lessonIssuer('code-pkce');
    vi.stubGlobal('fetch', asking(name));
    expect(await check(sandbox.url, 'lab-')).toBe(false);
    expect(await check(issuer, 'lab-')).toBe(false);
  });

  it('cannot be asked for by an environment variable', async () => {
    const names = words.flatMap(word => [word, `SANDBOX_${word}`, `${word}_${name}`]).map(word => word.toUpperCase());
    const env = Object.fromEntries([...names, name.toUpperCase()].map(variable => [variable, name]));
    const overrides = { port: 0, logLevel: 'silent', loginMode: 'picker', clients, users } as const;
    const own = await startSandbox(await loadConfig({ env, overrides }));
    try {
      expect(await check(own.url, 'lab-')).toBe(false);
    } finally {
      await own.stop();
    }
  });

  it.each(words)('cannot be asked for as the member %s of anything', async member => {
    const value = { relax: [name] };
    const [client] = clientsNamed('lab-');
    const asked: readonly (readonly [string, string, unknown])[] = [
      ['POST', 'issuers', { config: { clients: [client], [member]: value } }],
      ['POST', 'issuers', { config: { clients: [client] }, [member]: value }],
      ['POST', 'clients', { ...client, client_id: 'lab-new', [member]: value }],
      ['PATCH', 'clients/lab-native', { [member]: value }],
    ];
    for (const [method, path, body] of asked) {
      expect((await control(sandbox.url, method, path, body)).status, `${method} ${path}`).toBe(400);
    }
    await expect(createSandbox({ port: 0, logLevel: 'silent', [member]: value } as object)).rejects.toThrow(member);
    expect(await check(sandbox.url, 'lab-')).toBe(false);
  });
});

describe('a client of a lab that registers itself', () => {
  it('does not choose its client_id, so it is no client of the lab', async () => {
    const { issuer } = await lessonIssuer('code-interception');
    const headers = { 'Content-Type': 'application/json' };
    const metadata = { client_id: 'lab-mine', client_name: 'lab-mine', redirect_uris: [redirect_uri], lab: true };
    const body = JSON.stringify({ ...metadata, token_endpoint_auth_method: 'none', relax: ['pkce_absent'] });
    const response = await fetch(`${issuer}/connect/register`, { method: 'POST', headers, body });
    expect(response.status).toBe(201);
    const { client_id } = (await response.json()) as { readonly client_id: string };
    const refused = await fetch(issuer + authorize(client_id, { scope: '' }), { redirect: 'manual' });
    expect(new URL(refused.headers.get('Location') ?? '').searchParams.get('error')).toBe('invalid_request');
    const named = await fetch(issuer + authorize('lab-mine', {}), { redirect: 'manual' });
    expect(named.status).toBe(400);
  });
});

describe('the sources', () => {
  it('give relaxations to the server of a lab alone, and ask for them by their one function', async () => {
    const root = join(import.meta.dirname, '../../../../src');
    const files = (await readdir(root, { recursive: true })).filter(file => file.endsWith('.ts'));
    const texts = await Promise.all(files.map(async file => [file, await readFile(join(root, file), 'utf8')] as const));
    const using = (word: RegExp) => texts.filter(([, text]) => word.test(text)).map(([file]) => file);
    expect(using(/\brelaxationsOf\(/)).toEqual(['extensions/lessons/load-lessons.ts']);
    expect(using(/\brelaxations\??\.has\(/)).toEqual(['protocol/relaxation.ts']);
    expect(using(/\bweak\.relax\b/).sort()).toEqual(['extensions/lessons/load-lessons.ts']);
    // the login page lists settings of a client by the same word, and the drop-in relaxations of a configuration are others
    const loginPage = /^server\/http\/(pages|signin\/login-details)\.ts$/;
    const dropIns =
      /^(sandbox\/config\/settings(\/protocol)?|dashboard\/facts|server\/http\/views|protocol\/(clients\/client|drop-ins)|extensions\/report\/[\w-]+)\.ts$/;
    const way = using(/\brelaxations\b/).filter(file => !loginPage.test(file) && !dropIns.test(file));
    expect(way.sort(), 'the way from a lab to the function that asks').toEqual([
      'extensions/lessons/load-lessons.ts',
      ...['protocol/authorization-server.ts', 'protocol/relaxation.ts', 'protocol/requests/trusted-target.ts'],
      ...[
        'sandbox/create-issuer.ts',
        'sandbox/extension.ts',
        'sandbox/issuer/create-server.ts',
        'sandbox/issuers/short-lived.ts',
      ],
    ]);
    expect(using(/: MutableLabState = \{/), 'the only maker of the state of a lab').toEqual([
      'extensions/lessons/run/lesson-runs.ts',
    ]);
    const askers = using(/\bisRelaxed\(/).filter(file => !file.startsWith('protocol/'));
    expect(askers, 'only the protocol asks').toEqual([]);
  });
});
