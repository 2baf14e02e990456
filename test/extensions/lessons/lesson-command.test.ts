import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createRemoteJWKSet, decodeJwt, jwtVerify } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LessonProgress } from '../../../src/extensions/lessons/control.ts';
import { createSandbox, type Sandbox } from '../../../src/index.ts';
import { fastTiming, type } from '../../client/cli/support.ts';
import { observes } from '../../observed.ts';
import { begin, join } from './workshop/learner.ts';

type Check = (token: string) => Promise<unknown>;

const apis: Server[] = [];

/** The address of an API that accepts the tokens which pass this check. */
async function api(check: Check): Promise<string> {
  const server = createServer(async (req, res) => {
    const [status, challenge] = await check(req.headers.authorization?.slice('Bearer '.length) ?? '').then(
      () => [200, ''],
      () => [401, 'Bearer error="invalid_token"'],
    );
    res.writeHead(Number(status), challenge === '' ? {} : { 'WWW-Authenticate': String(challenge) }).end();
  }).listen(0, '127.0.0.1');
  apis.push(server);
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/bikes`;
}

/** Checks all there is to check; `cooldownDuration` is the time between two readings of the keys. */
function careful(issuer: string, cooldownDuration = 0): Check {
  const keys = createRemoteJWKSet(new URL(`${issuer}/oauth2/jwks`), { cooldownDuration });
  return token => jwtVerify(token, keys, { issuer, audience: 'my-api', typ: 'at+jwt', algorithms: ['RS256'] });
}

let sandbox: Sandbox;
let workshop: Sandbox;
beforeAll(async () => {
  sandbox = await createSandbox({ logLevel: 'silent' });
  workshop = await createSandbox({ logLevel: 'silent', workshop: 2, controlToken: 'the key of the trainer' });
});
afterAll(async () => {
  for (const server of apis) server.close();
  await Promise.all([sandbox.stop(), workshop.stop()]);
});

/** The issuer of a learner who has begun the lesson. */
async function started(): Promise<string> {
  const response = await fetch(`${sandbox.url}/_sandbox/lessons/api/start`, { method: 'POST' });
  return ((await response.json()) as LessonProgress).issuer ?? '';
}

const probe = (...argv: string[]) => type(['lesson', 'probe', ...argv], { timing: fastTiming() });

describe('grantbox lesson probe', () => {
  it('calls an API eight times, and tells the sandbox', async () => {
    observes('command lesson', 'command lesson --issuer');
    const issuer = await started();
    const { code, out, note } = await probe('--issuer', issuer, '--url', await api(careful(issuer)));
    expect({ code, note }).toEqual({ code: 0, note: '' });
    expect(out.trim().split('\n')).toHaveLength(8);
    expect(out).toMatch(/^ok {6}A good token: 200\. /);
    expect(out).toContain('ok      An ID token: 401. ');
    const told = await fetch(`${sandbox.url}/_sandbox/lessons/api/probe?issuer=${encodeURIComponent(issuer)}`);
    const { rows } = (await told.json()) as { readonly rows: readonly { readonly state: string }[] };
    expect(rows.map(({ state }) => state)).toEqual(Array(8).fill('passed'));
  });

  it('ends with exit code 1 and names each wrong answer', async () => {
    const issuer = await started();
    const { code, out, note } = await probe('--issuer', issuer, '--url', await api(async token => decodeJwt(token)));
    expect(code).toBe(1);
    expect(out).toContain('NOT OK  A token that has expired: expected 401 invalid_token. ');
    expect(note).toBe('grantbox lesson: 6 of 8 responses are not as expected\n');
  });

  it('rotates the keys once and calls again after a pause, for a library that fetches keys twice a minute', async () => {
    const issuer = await started();
    let check = careful(issuer, 30_000);
    const url = await api(token => check(token));
    const pauses: number[] = [];
    const timing = {
      now: () => 0,
      async sleep(milliseconds: number) {
        pauses.push(milliseconds);
        check = careful(issuer); // by then the library fetches the keys again
      },
    };
    const { code, out } = await type(['lesson', 'probe', '--issuer', issuer, '--url', url], { timing });
    expect([code, pauses]).toEqual([0, [31_000]]);
    expect(out).toContain('ok      A good token after the keys were rotated: 200');
    const rotations = await fetch(`${issuer}/_sandbox/events?type=key.rotated`);
    expect(((await rotations.json()) as { events: readonly unknown[] }).events).toHaveLength(1);
  });

  it('does not wait with --no-wait', async () => {
    observes('command lesson --no-wait', 'command lesson --json');
    const issuer = await started();
    const url = await api(careful(issuer, 30_000));
    const { code, out } = await probe('--issuer', issuer, '--url', url, '--no-wait', '--json');
    expect(code).toBe(1);
    const failed = (JSON.parse(out) as readonly { readonly case: string; readonly state: string }[]).filter(
      ({ state }) => state !== 'passed',
    );
    expect(failed.map(row => row.case)).toEqual(['rotated']);
  });

  it('lets a learner of a workshop in by the key of the seat', async () => {
    observes('command lesson --seat', 'command lesson --sandbox');
    const learner = await join(workshop);
    const issuer = await begin(learner, 'api');
    const url = await api(careful(issuer));
    const given = ['--sandbox', workshop.url, '--url', url];
    expect(await probe(...given, '--seat', learner.key)).toMatchObject({ code: 0, note: '' });
    const { code, note } = await probe(...given, '--seat', learner.name);
    expect(code).toBe(1);
    expect(note).toContain('Copy the key of your seat from the page /join');
  });

  it('prints the calls as lines for curl', async () => {
    observes('command lesson --curl');
    const { code, out } = await probe('--issuer', await started(), '--url', 'http://localhost:8080/bikes', '--curl');
    expect(code).toBe(0);
    expect(out.match(/^curl -i 'http:\/\/localhost:8080\/bikes' -H 'Authorization: Bearer [\w.-]+'$/gm)).toHaveLength(
      7,
    );
    expect(out).toMatch(/^# A good token\n/);
  });

  it.each([
    [['--issuer', 'http://127.0.0.1:1/i/x'], 1, /--url is missing: give the address of your API/],
    [['--url', 'ftp://x', '--issuer', 'http://127.0.0.1:1'], 1, /--url is "ftp:\/\/x": give the address/],
    [['--url', 'http://127.0.0.1:1/'], 1, /give either --seat with the key of your seat, or --issuer/],
    [
      ['--url', 'http://127.0.0.1:1/', '--issuer', 'http://127.0.0.1:1/i/x'],
      2,
      /nothing listens at .*address with --sandbox/,
    ],
  ])('refuses %j', async (argv, expected, said) => {
    const { code, note } = await probe(...argv);
    expect(code).toBe(expected);
    expect(note).toMatch(said);
  });

  it('says that the lesson is not started, and that the API does not answer', async () => {
    const unknown = await probe('--issuer', `${sandbox.url}/i/nobody`, '--url', 'http://127.0.0.1:1/');
    expect(unknown.note).toContain('Start the lesson "Protect your own API" first');
    const silent = await probe('--issuer', await started(), '--url', 'http://127.0.0.1:1/');
    expect(silent).toMatchObject({ code: 2, out: '' });
    expect(silent.note).toContain('your API at http://127.0.0.1:1/ did not answer (ECONNREFUSED). Start it');
  });
});
