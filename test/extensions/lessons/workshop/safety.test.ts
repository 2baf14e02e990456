import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSandbox, type Sandbox } from '../../../../src/index.ts';
import { observes } from '../../../observed.ts';
import { begin, join, type Learner } from './learner.ts';

const trainerKey = 'the key of the trainer';
let sandbox: Sandbox;
let first: Learner;
let second: Learner;
/** Paths that somebody asked the server beside the sandbox for. */
const asked: string[] = [];
const beside = createServer((req, res) => {
  asked.push(req.url ?? '');
  req.resume();
  res.writeHead(204).end();
});
let there = 0;

beforeAll(async () => {
  await new Promise<void>(resolve => beside.listen(0, '127.0.0.1', resolve));
  there = (beside.address() as AddressInfo).port;
  const workshop = { workshop: 8, workshopSeatsPerAddress: 3, workshopHosts: ['localhost'] };
  sandbox = await createSandbox({ ...workshop, trustProxy: ['loopback'], controlToken: trainerKey });
  [first, second] = [await join(sandbox), await join(sandbox)];
});
afterAll(async () => {
  await sandbox.stop();
  beside.close();
});

async function keysOf(issuer: string): Promise<readonly string[]> {
  const { keys } = (await (await fetch(`${issuer}/oauth2/jwks`)).json()) as {
    keys: readonly { n?: string; x?: string }[];
  };
  return keys.map(({ n, x }) => n ?? x ?? '');
}

describe('a seat of a workshop', () => {
  observes('setting workshopHosts');
  observes('setting workshopSeatsPerAddress');

  it('has keys that no other seat and not the trainer has, as its lessons and its playground', async () => {
    const lesson = await begin(first, 'client-credentials');
    const all = [sandbox.url, first.issuer, second.issuer, await begin(second, 'client-credentials')];
    const [ofTrainer, ofFirst, ...ofSecond] = await Promise.all(all.map(keysOf));
    expect(ofFirst?.length).toBeGreaterThan(0);
    const others = new Set([ofTrainer, ...ofSecond].flat());
    expect(ofFirst?.filter(key => others.has(key))).toEqual([]);
    expect(await keysOf(lesson)).toEqual(expect.arrayContaining([ofFirst?.[0]]));
    expect(ofSecond[1]).toEqual(expect.arrayContaining([ofSecond[0]?.[0]]));
  });

  it('sends webhooks only to hosts that the trainer allowed', async () => {
    const headers = { Authorization: `Bearer ${first.key}`, 'Content-Type': 'application/json' };
    const call = (path: string, body: object) =>
      fetch(`${first.issuer}/_sandbox${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    for (const host of ['127.0.0.1', 'localhost']) {
      const made = await call('/webhooks', { url: `http://${host}:${there}/from-${host}`, events: ['user.*'] });
      expect(made.status).toBe(201);
    }
    await call('/users', { sub: 'tess' });
    const deliveries = async () => {
      const answer = await fetch(`${first.issuer}/_sandbox/webhooks/deliveries`, { headers });
      return (await answer.json()) as { deliveries: readonly { attempts: readonly { failure?: string }[] }[] };
    };
    await expect
      .poll(async () => (await deliveries()).deliveries.filter(({ attempts }) => attempts.length > 0).length)
      .toBe(2);
    expect(asked).toEqual(['/from-localhost']);
    const failures = (await deliveries()).deliveries.flatMap(({ attempts }) =>
      attempts.flatMap(each => each.failure ?? []),
    );
    expect(failures).toEqual([expect.stringContaining('hosts that the trainer allows in WORKSHOP_HOSTS')]);
  });

  it('is not the only one that a network address gets, but neither are all', async () => {
    const take = async (address: string, more: Record<string, string> = {}) => {
      const headers = { 'X-Forwarded-For': address, Origin: sandbox.url, ...more };
      const body = new URLSearchParams({ key: '' });
      const answer = await fetch(`${sandbox.url}/join`, { method: 'POST', redirect: 'manual', headers, body });
      return answer.status;
    };
    const statuses: number[] = [];
    for (let seat = 0; seat < 4; seat++) statuses.push(await take('192.0.2.7'));
    expect(statuses).toEqual([303, 303, 303, 409]);
    expect(await take('192.0.2.8')).toBe(303);
    const form = { method: 'POST', redirect: 'manual', body: new URLSearchParams({ key: trainerKey }) } as const;
    const signedIn = await fetch(`${sandbox.url}/room/sign-in`, form);
    const cookie = signedIn.headers.getSetCookie().map(each => each.split(';', 1)[0]);
    expect(await take('192.0.2.7', { Cookie: cookie.join('; ') })).toBe(303);
  });
});
