import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { runningChild } from '../../support/child.ts';
import { freePort } from '../../support/free-port.ts';
import { newFolder } from '../../support/new-folder.ts';
import { runProgram } from '../../support/program.ts';
import { settingList } from '../../support/tables.ts';
import { firstThatRuns, provide } from '../support/debian.ts';

const root = join(import.meta.dirname, '..', '..', '..', 'deploy');
const textOf = (file: string) => readFileSync(join(root, file), 'utf8');

interface Service {
  readonly image?: string;
  readonly build?: string;
  readonly command?: readonly string[];
  readonly ports?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly volumes?: readonly string[];
  readonly healthcheck?: object;
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly stop_grace_period?: string;
}

/** As Docker Compose reads the file: merged, with the defaults of its variables. */
function servicesOf(file: string): Readonly<Record<string, Service>> {
  const text = textOf(file).replace(/\$\{\w+:-([^}]*)\}/g, '$1');
  return (parse(text, { merge: true }) as { readonly services: Readonly<Record<string, Service>> }).services;
}

const composeFiles = ['compose.yaml', 'compose.replicas.yaml', 'devcontainer/compose.yaml'];
const settings = new Set(['STORE_URL', ...settingList.map(({ env }) => env)]);

describe.each(composeFiles)('deploy/%s', file => {
  const services = Object.entries(servicesOf(file));
  const sandboxes = services.filter(([, { image }]) => image === 'grantbox');

  it('refers to services and files that are there', () => {
    const names = services.map(([name]) => name);
    for (const [, { depends_on = {}, volumes = [], build }] of services) {
      expect(names).toEqual(expect.arrayContaining(Object.keys(depends_on)));
      const mounted = volumes.map(volume => volume.split(':')[0] ?? '').filter(path => path.startsWith('.'));
      for (const path of [...mounted, build ?? '.'])
        expect(existsSync(join(root, dirname(file), path)), path).toBe(true);
    }
  });

  it('publishes ports on this machine only, and gives the sandbox no rights', () => {
    expect(sandboxes.length).toBeGreaterThan(0);
    for (const [, { ports = [] }] of services) for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:/);
    for (const [, service] of sandboxes) expect(service).toMatchObject({ read_only: true, cap_drop: ['ALL'] });
  });

  it('sets settings that a sandbox has, and starts with them', async () => {
    for (const [, { environment = {} }] of sandboxes) {
      expect(Object.keys(environment).filter(name => !settings.has(name))).toEqual([]);
      // the engine is not on this machine
      const { STORE_URL: _, ...env } = environment;
      await using child = await runningChild({ env: { ...env, PORT: String(await freePort()) } });
      expect(child.ready.issuer).toBe(environment.ISSUER);
    }
  });
});

describe('deploy/compose.replicas.yaml', () => {
  const services = servicesOf('compose.replicas.yaml');

  it('has the replicas that the balancer knows, and the store that they share', () => {
    const known = [...textOf('haproxy.cfg').matchAll(/^ {4}server (\S+) "\$\{REPLICA_\d-\1:9000\}"/gm)];
    const replicas = Object.entries(services).filter(([, { image }]) => image === 'grantbox');
    expect(replicas.map(([name]) => name)).toEqual(known.map(([, name]) => name));
    const stores = replicas.map(([, { environment }]) => environment?.STORE_URL);
    expect(new Set(stores)).toEqual(new Set(['valkey://valkey:6379']));
    expect(services.valkey?.command?.join(' ')).toContain('--maxmemory-policy noeviction');
  });

  it('waits for a replica for longer than it drains', () => {
    const { environment, stop_grace_period } = services['grantbox-1'] ?? {};
    const seconds = (text = '') => Number(text.replace('s', ''));
    expect(seconds(stop_grace_period)).toBeGreaterThan(seconds(environment?.DRAIN_DELAY) + 8);
  });
});

describe('deploy/devcontainer', () => {
  it('names a service and a port of its compose file', () => {
    const text = textOf('devcontainer/devcontainer.json').replace(/^\s*\/\/.*$/gm, '');
    const config = JSON.parse(text) as Readonly<Record<string, unknown>>;
    const services = servicesOf(`devcontainer/${config.dockerComposeFile}`);
    expect(Object.keys(services)).toContain(config.service);
    expect(config.forwardPorts).toContain('grantbox:9000');
    expect(services.workspace?.volumes).toEqual([`..:${config.workspaceFolder}:cached`]);
  });
});

describe('deploy/gitlab-ci.yml', () => {
  it('asks the sandbox for reports that it has', async () => {
    const pipeline = parse(textOf('gitlab-ci.yml')) as Readonly<
      Record<string, Readonly<Record<string, readonly string[]>>>
    >;
    const [service] = (pipeline['.grantbox']?.services ?? []) as unknown as readonly {
      variables: Record<string, string>;
    }[];
    const variables = pipeline['.grantbox']?.variables as unknown as Readonly<Record<string, string>>;
    expect(service?.variables.ISSUER).toBe(variables.OIDC_ISSUER);
    expect(pipeline.test?.extends).toBe('.grantbox');
    const folder = newFolder();
    await using child = await runningChild();
    const script = pipeline.test?.after_script?.join('\n') ?? '';
    const env = { GRANTBOX_URL: child.url };
    const { code, output } = await runProgram('bash', ['-e', '-c', script], { cwd: folder, env });
    expect(code, output).toBe(0);
    expect(readFileSync(join(folder, 'grantbox.xml'), 'utf8')).toContain('<testsuites');
    expect(readFileSync(join(folder, 'grantbox.html'), 'utf8')).toContain('<!doctype html>');
  });
});

describe('deploy/grantbox.service', () => {
  it('is a unit that systemd accepts, with few rights', async () => {
    const find = () => firstThatRuns(['systemd-analyze'], ['--version']);
    const analyze = await provide({ name: 'systemd-analyze', packages: ['systemd'], find });
    const unit = join(root, 'grantbox.service');
    const verified = await runProgram(analyze, ['verify', '--man=no', unit]);
    expect(verified).toEqual({ code: 0, output: '' });
    const judged = await runProgram(analyze, ['security', '--offline=true', '--threshold=25', unit]);
    expect(judged.code, judged.output).toBe(0);
  });

  it('starts a sandbox by its command, with its settings', async () => {
    const unit = textOf('grantbox.service');
    const [, command = ''] = /^ExecStart=\/usr\/bin\/env grantbox (.*)$/m.exec(unit) ?? [];
    const pairs = [...unit.matchAll(/^Environment=(.*)$/gm)].flatMap(([, line = '']) => line.split(' '));
    const env = Object.fromEntries(pairs.map(pair => pair.split('=', 2)));
    const cache = newFolder();
    await using child = await runningChild({ args: [command], env: { ...env, NODE_COMPILE_CACHE: cache } });
    expect(child.ready).toMatchObject({ issuer: `http://localhost:${child.port}` });
  });
});

it('each script of deploy/ has no finding of shellcheck', async () => {
  const find = () => firstThatRuns(['shellcheck'], ['--version']);
  const shellcheck = await provide({ name: 'shellcheck', packages: ['shellcheck'], find });
  const scripts = readdirSync(join(root, 'action')).map(name => join('deploy', 'action', name));
  const { code, output } = await runProgram(shellcheck, scripts, { cwd: join(root, '..') });
  expect(code, output).toBe(0);
});
