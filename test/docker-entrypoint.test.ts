import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { newFolder } from './support/new-folder.ts';

const run = promisify(execFile);
const script = join(import.meta.dirname, '..', 'docker-entrypoint.sh');
const shown = ['PORT', 'ISSUER', 'IMPORT', 'MANAGEMENT_PORT', 'METRICS'];

let folder: string;
beforeAll(() => {
  folder = newFolder();
  // in place of Node: prints its arguments after the bundle, and some variables
  const lines = ['#!/bin/sh', 'shift 2', 'echo "[$*]"', ...shown.map(name => `echo "${name}=\${${name}-}"`)];
  writeFileSync(join(folder, 'node'), `${lines.join('\n')}\n`);
  chmodSync(join(folder, 'node'), 0o755);
  mkdirSync(join(folder, 'keycloak/data/import'), { recursive: true });
  writeFileSync(join(folder, 'keycloak/data/import/shop-realm.json'), '{}');
});

/** What the program in the image gets: the variables of the image, those of a compose file, and its command. */
async function started(command: readonly string[], variables: Readonly<Record<string, string>> = {}) {
  const PATH = `${folder}${delimiter}${process.env.PATH}`;
  const env = { PATH, PORT: '9000', KC_HOME_DIR: '/nonexistent', ...variables };
  const { stdout, stderr } = await run('sh', [script, ...command], { env });
  const [words, ...lines] = stdout.trim().split('\n');
  return { words, ...Object.fromEntries(lines.map(line => line.split(/=(.*)/, 2))), stderr };
}

describe('the image', () => {
  it('starts as it is, and with flags', async () => {
    const plain = { PORT: '9000', ISSUER: '', IMPORT: '', MANAGEMENT_PORT: '', METRICS: '', stderr: '' };
    expect(await started([])).toEqual({ words: '[]', ...plain });
    expect(await started(['start', '--label', 'x'])).toEqual({ words: '[start --label x]', ...plain });
    expect(await started(['--label=x'])).toEqual({ words: '[--label=x]', ...plain });
  });

  it('imports the realms where the image of Keycloak has them, unless told otherwise', async () => {
    const KC_HOME_DIR = join(folder, 'keycloak');
    expect(await started([], { KC_HOME_DIR })).toMatchObject({ IMPORT: join(KC_HOME_DIR, 'data/import') });
    expect(await started([], { KC_HOME_DIR, IMPORT: 'other' })).toMatchObject({ IMPORT: 'other' });
  });

  it.each([
    [['start-dev', '--import-realm'], {}, '8080', 'http://localhost:8080'],
    [['start', '--optimized', '--import-realm'], {}, '8080', 'http://localhost:8080'],
    [['start-dev', '--http-port=8180'], {}, '8180', 'http://localhost:8180'],
    [['start-dev', '--http-port', '8180'], { KC_HTTP_PORT: '1' }, '8180', 'http://localhost:8180'],
    [['start-dev'], { KC_HTTP_PORT: '8180', KC_HTTP_RELATIVE_PATH: '/auth' }, '8180', 'http://localhost:8180/auth'],
    [['start-dev', '--http-relative-path=auth/'], {}, '8080', 'http://localhost:8080/auth'],
    [['start-dev'], { KC_HOSTNAME: 'idp.localhost' }, '8080', 'http://idp.localhost:8080'],
    [['start-dev'], { KC_HOSTNAME: 'https://idp.example/' }, '8080', 'https://idp.example'],
    [['start-dev'], { ISSUER: 'http://localhost:1' }, '8080', 'http://localhost:1'],
  ])('understands the words of Keycloak: %j with %j', async (command, variables, PORT, ISSUER) => {
    expect(await started(command, variables)).toMatchObject({ words: '[]', PORT, ISSUER });
  });

  it.each([
    [['start-dev'], {}, '', ''],
    [['start-dev'], { KC_HEALTH_ENABLED: 'true' }, '9000', ''],
    [['start-dev', '--health-enabled', 'true', '--import-realm'], {}, '9000', ''],
    [['start-dev', '--health-enabled=true', '--http-management-port=9002'], {}, '9002', ''],
    [['start-dev'], { KC_METRICS_ENABLED: 'true', KC_HTTP_MANAGEMENT_PORT: '9001' }, '9001', 'on'],
    [['start-dev', '--health-enabled=false'], { KC_HTTP_MANAGEMENT_PORT: '9001' }, '', ''],
    [['start-dev'], { KC_HEALTH_ENABLED: 'true', MANAGEMENT_PORT: '9100' }, '9100', ''],
  ])(
    'has the management port of Keycloak where that has one: %j with %j',
    async (command, variables, port, metrics) => {
      const told = await started(command, variables);
      expect(told).toMatchObject({ words: '[]', MANAGEMENT_PORT: port, METRICS: metrics, stderr: '' });
    },
  );

  it('names in one line the settings of Keycloak that it does not have, without their values', async () => {
    const variables = { KC_BOOTSTRAP_ADMIN_USERNAME: 'admin', KC_DB_PASSWORD: 'secret', KEYCLOAK_ADMIN: 'admin' };
    const { stderr } = await started(
      ['start-dev', '--import-realm', '--db-password=secret', '--db', 'dev-mem'],
      variables,
    );
    expect(stderr).toBe(
      'Grantbox leaves out, because it has no such thing: --db-password --db KC_BOOTSTRAP_ADMIN_USERNAME KC_DB_PASSWORD KEYCLOAK_ADMIN\n',
    );
  });

  // by the files of processes that Linux has, as the image does
  it.runIf(process.platform === 'linux')('checks the health of a sandbox that was started by these words', async () => {
    const running = execFile('sh', ['-c', 'exec sleep 20'], { env: { PATH: process.env.PATH, GRANTBOX_PORT: '8180' } });
    try {
      expect(await started(['healthcheck'])).toMatchObject({ words: '[healthcheck]', PORT: '8180' });
    } finally {
      running.kill();
    }
  });
});
