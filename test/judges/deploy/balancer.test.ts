import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type RunningChild, runningChild } from '../../support/child.ts';
import { freePort } from '../../support/free-port.ts';
import { newFolder } from '../../support/new-folder.ts';
import { runProgram } from '../../support/program.ts';
import { provideHaproxy, type RunningProxy, startProxy } from '../support/proxy.ts';

const config = join(import.meta.dirname, '..', '..', '..', 'deploy', 'haproxy.cfg');
const names = ['grantbox-1', 'grantbox-2', 'grantbox-3'] as const;

let haproxy: string;
let folder: string;
let url: string;
let statistics: string;
let env: Readonly<Record<string, string>>;
let replicas: readonly RunningChild[];
let proxy: RunningProxy;

beforeAll(async () => {
  haproxy = await provideHaproxy();
  folder = newFolder();
  url = `http://127.0.0.1:${await freePort()}`;
  statistics = `http://127.0.0.1:${await freePort()}`;
  // each keeps its own memory: these tests are about the balancer
  const settings = { ISSUER: url, DRAIN_DELAY: '10m', PORT: '0' };
  replicas = await Promise.all(names.map(() => runningReplica(settings)));
  const addresses = replicas.map(({ port }, index) => [`REPLICA_${index + 1}`, `127.0.0.1:${port}`]);
  env = { BALANCER_ADDRESS: new URL(url).host, ...Object.fromEntries(addresses) };
  const seen = join(folder, 'statistics.cfg');
  writeFileSync(seen, `frontend statistics\n  bind ${new URL(statistics).host}\n  stats enable\n  stats uri /\n`);
  proxy = await startProxy(Number(new URL(url).port), haproxy, ['-db', '-f', config, '-f', seen], env);
  await vi.waitFor(async () => expect(await states()).toEqual(['UP L7OK', 'UP L7OK', 'UP L7OK']), 60_000);
});

afterAll(async () => {
  await proxy?.[Symbol.asyncDispose]();
  for (const replica of replicas ?? []) await replica[Symbol.asyncDispose]();
});

/** `ISSUER` names the balancer, so the port of the replica is in its log only. */
async function runningReplica(settings: Readonly<Record<string, string>>): Promise<RunningChild> {
  const port = await freePort();
  const child = await runningChild({ env: { ...settings, PORT: String(port) } });
  return { ...child, port, url: `http://127.0.0.1:${port}` };
}

/** The state of each replica with the result of its last check, as the balancer sees it; undefined before it has begun. */
async function states(): Promise<readonly string[] | undefined> {
  const answer = await fetch(`${statistics}/;csv`).catch(() => undefined);
  const [header = [], ...rows] = (await answer?.text())?.split('\n').map(line => line.split(',')) ?? [];
  const [state, check] = [header.indexOf('status'), header.indexOf('check_status')];
  const ofReplicas = rows.filter(([, name]) => names.some(each => each === name));
  return ofReplicas.map(cells => `${cells[state]} ${cells[check]}`);
}

async function requestToken(): Promise<number> {
  const answer = await fetch(`${url}/oauth2/token`, {
    method: 'POST',
    headers: { Authorization: `Basic ${btoa('sensor:sensor-secret')}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  });
  await answer.arrayBuffer();
  return answer.status;
}

async function tokensOf({ url: own }: RunningChild): Promise<number> {
  const answer = await fetch(`${own}/_sandbox/events?type=token.issued`);
  return ((await answer.json()) as { readonly events: readonly unknown[] }).events.length;
}

describe('deploy/haproxy.cfg', () => {
  it('is valid for HAProxy', async () => {
    const { code, output } = await runProgram(haproxy, ['-c', '-f', config], { env });
    expect(code, output).toBe(0);
    expect(output).not.toContain('WARNING');
  });

  it('sends requests to each replica', async () => {
    while ((await Promise.all(replicas.map(tokensOf))).includes(0)) expect(await requestToken()).toBe(200);
  });

  it('sends nothing to a replica that drains, and loses no request meanwhile', async () => {
    const [, second] = replicas;
    second?.process.kill('SIGTERM');
    const answers: number[] = [];
    while (!(await states())?.[1]?.startsWith('DOWN')) answers.push(await requestToken());
    const before = await Promise.all(replicas.map(tokensOf));
    for (let count = 0; count < 4; count++) answers.push(await requestToken());
    const after = await Promise.all(replicas.map(tokensOf));
    expect(after[1]).toBe(before[1]);
    expect(answers.filter(status => status !== 200)).toEqual([]);
  });

  it('asks another replica where one has gone without a word', async () => {
    const [first] = replicas;
    first?.process.kill('SIGKILL');
    await first?.ended;
    for (let count = 0; count < 4; count++) expect(await requestToken()).toBe(200);
  });

  it('answers with an error of OAuth while no replica is ready', async () => {
    for (const { process, ended } of replicas) {
      process.kill('SIGKILL');
      await ended;
    }
    // by another name, so on a new connection: a kept one may end with its replica
    const elsewhere = url.replace('127.0.0.1', 'localhost');
    expect(elsewhere).not.toBe(url);
    const answer = await fetch(`${elsewhere}/oauth2/token`, { method: 'POST' });
    expect(answer.status).toBe(503);
    expect(answer.headers.get('retry-after')).toBe('2');
    expect(await answer.json()).toMatchObject({ error: 'temporarily_unavailable' });
  });
});
