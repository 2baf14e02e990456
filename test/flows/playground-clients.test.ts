import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readyClients } from '../../src/extensions/catalogue/ready-clients.ts';
import type { Sandbox } from '../../src/index.ts';
import { type Agent, createAgent, type Visit } from '../support/agent.ts';
import { createSandbox } from '../support/bundle.ts';
import { newFolder } from '../support/new-folder.ts';
import { textOfElement } from '../support/snippets.ts';
import { createTlsFetch } from '../support/tls-fetch.ts';

// Clients that sign requests, show certificates or prove a key are played without CATALOGUE=on, in an issuer of the visitor.

let sandbox: Sandbox;
let agent: Agent;
let folder: string;

beforeAll(async () => {
  sandbox = await createSandbox({ tls: 'self-signed' });
  folder = newFolder();
});
beforeEach(() => {
  agent = createAgent(sandbox.url, createTlsFetch({ ca: sandbox.tls?.ca ?? '' }));
});
afterAll(() => sandbox.stop());

/** The page of a grant with a client, in the issuer of the visitor. */
async function play(grant: string, client: string, changes = ''): Promise<Visit> {
  const page = await agent.open(`${sandbox.url}/playground/${grant}?client=${client}${changes}`);
  return page.html.includes('playground-open-issuer') ? agent.submit(page, 'playground-open-issuer') : page;
}

const send = (page: Visit) => agent.submit(page, 'playground-send');
const next = (page: Visit) => agent.submit(page, 'playground-next');
const outcome = ({ html }: Visit) => /<h2 id="answer">([^<]*)<span class="tag (\w+)"/.exec(html)?.slice(1).join(' ');
const visit = ({ html }: Visit) => /http[^' ]*/.exec(textOfElement(html, 'play-curl'))?.[0] ?? '';

async function logIn(page: Visit): Promise<Visit> {
  const at = await agent.submit(page, 'playground-visit');
  return at.html.includes('login-user-bob') ? agent.submit(at, 'login-user-bob') : at;
}

describe('a client that signs its requests', () => {
  it('sends its parameters as claims of a signed JWT', async () => {
    const asked = await play('code', 'catalogue-jar');
    expect([...new URL(visit(asked)).searchParams.keys()]).toEqual(['client_id', 'request']);
    expect(asked.html).toContain('claim of the request object');
    expect(outcome(await send(await next(await logIn(asked))))).toBe('HTTP 200  ok');
  });

  it.each([
    ['wrong', 'request', 'request_object_signature_wrong'],
    ['remove', 'request', 'request_not_signed'],
    ['wrong', 'claim.aud', 'request_object_audience_mismatch'],
    ['wrong', 'claim.exp', 'request_object_expired'],
    ['remove', 'claim.client_id', 'request_object_client_mismatch'],
  ])('is refused with a mistake: %s %s', async (how, name, reason) => {
    const asked = await play('code', 'catalogue-jar', `&step=1&${how}=${name}`);
    const { url } = await agent.submit(asked, 'playground-visit');
    const page = await agent.open(`${asked.url.href.split('/playground')[0]}/dashboard/problems`);
    expect([url.pathname.length > 1, page.html.includes(reason)]).toEqual([true, true]);
  });

  it('pushes the JWT', async () => {
    const pushed = await send(await play('par', 'catalogue-jar'));
    expect(outcome(pushed)).toBe('HTTP 201  ok');
    expect(outcome(await send(await next(await logIn(await next(pushed)))))).toBe('HTTP 200  ok');
  });
});

describe('a client that proves a key', () => {
  it('sends proofs with its pushed request and its code (FAPI 2.0)', async () => {
    const pushed = await send(await play('par', 'catalogue-fapi'));
    const given = await send(await next(await logIn(await next(pushed))));
    expect(given.html).toContain('DPoP');
    expect(outcome(given)).toBe('HTTP 200  ok');
  });
});

describe('a client that is notified of a decision', () => {
  it('sends the token of its notification', async () => {
    const asked = await send(await play('ciba', 'catalogue-ciba-ping'));
    expect(outcome(asked)).toBe('HTTP 200  ok');
    const refused = await send(await play('ciba', 'catalogue-ciba-ping', '&step=1&remove=client_notification_token'));
    expect(refused.html).toContain('client_notification_token is missing');
  });
});

describe('the list of clients', () => {
  it.each([
    ['refresh', 'catalogue-device', false],
    ['device', 'catalogue-device', true],
    ['code', 'catalogue-fapi', false],
    ['par', 'catalogue-fapi', true],
  ])('offers for %s those that are registered for all of its requests: %s', async (grant, client, isOffered) => {
    const { html } = await agent.open(`${sandbox.url}/playground/${grant}`);
    expect(html.includes(`value="${client}"`)).toBe(isOffered);
  });
});

describe('the catalogue', () => {
  it('leads to a page of the playground that fits, but for three grants that the playground does not have', async () => {
    const { html } = await agent.open(`${sandbox.url}/dashboard/catalogue`);
    const links = [...html.matchAll(/href="([^"]*)" data-testid="catalogue-play"/g)].map(([, href = '']) => href);
    expect(links).toHaveLength(readyClients.length - 3);
    for (const link of links) {
      const [, client = ''] = link.split('client=');
      const page = await agent.open(sandbox.url + link);
      expect([link, page.html.includes(`<option value="${client}" selected>${client}: `)]).toEqual([link, true]);
      expect([link, page.html.includes('playground-open-issuer')]).toEqual([link, true]);
    }
  });
});

describe('a client whose answer is signed', () => {
  it('gets its code in a JWT', async () => {
    const arrived = await logIn(await play('code', 'catalogue-jarm'));
    expect(arrived.html).toContain('same state');
    expect(outcome(await send(await next(arrived)))).toBe('HTTP 200  ok');
  });
});

describe('a client that shows a certificate', () => {
  const clients = ['catalogue-service-mtls', 'catalogue-service-self-signed'];

  it.each(clients)('is known by it: %s', async client => {
    const given = await send(await play('client-credentials', client));
    expect(outcome(given)).toBe('HTTP 200  ok');
    expect(outcome(await send(await next(given)))).toBe('HTTP 200  ok');
  });

  it.each(clients.flatMap(client => ['remove', 'wrong'].map(how => [client, how])))(
    'is refused: %s, %s',
    async (client, how) => {
      const refused = await send(await play('client-credentials', client, `&step=1&${how}=certificate`));
      expect(outcome(refused)).toBe('HTTP 401  bad');
      expect(refused.html).toContain(how === 'wrong' ? 'CN=somebody-else' : 'no client certificate');
    },
  );

  it.each([
    ...clients.flatMap(client => [
      [client, ''],
      [client, '&step=1&wrong=certificate'],
    ]),
    ['catalogue-service-key', ''],
  ])('has a command that a shell runs as it is: %s %s', async (client, changes) => {
    const { html } = await play('client-credentials', client, changes);
    const command = textOfElement(html, 'play-curl');
    // the sandbox runs in this process, so nothing may block it
    const { stdout: output } = await promisify(execFile)('sh', ['-euc', command], { cwd: folder });
    expect(output).toContain(changes === '' ? '"access_token"' : 'invalid_client');
  });

  it('is told where the sandbox speaks plain HTTP', async () => {
    const plain = await createSandbox();
    const { html } = await createAgent(plain.url).open(
      `${plain.url}/playground/client-credentials?client=catalogue-service-mtls`,
    );
    expect(html).toContain('It needs HTTPS: start with TLS=self-signed.');
    await plain.stop();
  });
});
