import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, symlinkSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { isRecord } from '../../src/base/text/record.ts';
import { blocksOf, documents, root } from '../support/documents.ts';
import { freePort } from '../support/free-port.ts';
import { newFolder } from '../support/new-folder.ts';

// The README and the guides are followed as they are written, in a folder where the package is installed: each block with the mark
// `file NAME` becomes that file, and the blocks with the mark `tested in a project` run in one shell.

const mark = 'tested in a project';
const guides = documents.filter(document => blocksOf(document).some(block => block.mark === mark));

/** The tests of the reader: they call the sample API with the token of the pipeline, or as alice. */
const ownTests = [
  '[ "$TOKEN" ] || TOKEN=$(grantbox token --client frontend --user alice --scope products:read)',
  'curl --fail "$OIDC_ISSUER/api/products" -H "Authorization: Bearer $TOKEN"',
].join('; ');

/** Ports of other programs, in the order in which they are replaced by free ones. */
const ports = ['9000', '8080', '4000'] as const;

it('are the README, and each guide without a page in a browser', () => {
  const all = documents.filter(document => document === 'README.md' || document.startsWith('docs/guides/'));
  expect(guides).toEqual(all.filter(document => document !== 'docs/guides/single-page-application.md'));
});

const runs = guides.flatMap(document => {
  const blocks = blocksOf(document).filter(block => block.mark === mark);
  const scripts = blocks.map(({ language, text }) => (language === 'yaml' ? jobOf(text) : text));
  // a pipeline begins on a new machine
  const isPipeline = blocks.some(({ language }) => language === 'yaml');
  return (isPipeline ? scripts : [scripts.join('\n')]).map(script => [document, script] as const);
});

it.each(runs)('of %s succeed, line by line', async (document, script) => {
  const free = Object.fromEntries(await Promise.all(ports.map(async port => [port, String(await freePort())])));
  const files = blocksOf(document).filter(block => block.mark.startsWith('file '));
  const named = files.map(block => [block.mark.slice('file '.length), withPorts(block.text, free)]);
  const cwd = projectFolder(Object.fromEntries(named));
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: cwd,
    PORT: free['9000'] ?? '',
    npm_config_update_notifier: 'false',
  };
  const child = spawn('bash', ['-euo', 'pipefail', '-c', withPorts(script, free)], {
    ...{ cwd, env, detached: true },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', text => (output += text));
  try {
    const [code] = await once(child, 'exit');
    expect(code, output).toBe(0);
    expect(output).not.toMatch(/^FAIL/m);
  } finally {
    process.kill(-(child.pid ?? 0), 'SIGKILL');
  }
});

// no container is made: the entry point of the image gets the words and the files that Compose would give it
it('of a Compose file with a Keycloak start the realm, once only the image is another one', async () => {
  const guide = blocksOf('docs/guides/keycloak.md');
  const compose: unknown = parse(guide.find(({ language }) => language === 'yaml')?.text ?? '');
  const { image, command, ports, volumes } = (compose as { services: { keycloak: Service } }).services.keycloak;
  const realms = '/opt/keycloak/data/import';
  expect({ image, ports, volumes }).toEqual({
    image: 'grantbox',
    ports: ['127.0.0.1:8080:8080'],
    volumes: [`./realms:${realms}`],
  });
  const port = String(await freePort());
  const cwd = newFolder({
    'opt/keycloak/data/import/shop-realm.json': guide.find(({ mark }) => mark === 'file shop-realm.json')?.text,
    'bin/node': `#!/bin/sh\nshift 2\nexec '${process.execPath}' '${join(root, 'dist/grantbox.cjs')}' "$@"\n`,
  });
  chmodSync(join(cwd, 'bin/node'), 0o755);
  const env = {
    PATH: `${join(cwd, 'bin')}${delimiter}${process.env.PATH}`,
    KC_HOME_DIR: join(cwd, 'opt/keycloak'),
    KC_HTTP_PORT: port, // 8080 may be taken here
  };
  const child = spawn('sh', [join(root, 'docker-entrypoint.sh'), ...command.split(' ')], { cwd, env, stdio: 'ignore' });
  const ended = once(child, 'exit');
  try {
    const issuer = `http://localhost:${port}/realms/shop`;
    const found = () => fetch(`${issuer}/.well-known/openid-configuration`).then(answer => answer.json(), String);
    await expect.poll(found).toMatchObject({ issuer });
  } finally {
    child.kill('SIGKILL');
    await ended;
  }
});

/** A service of a Compose file. */
interface Service {
  readonly image: string;
  readonly command: string;
  readonly ports: readonly string[];
  readonly volumes: readonly string[];
}

/** A project with Grantbox and the libraries of the guides, and with tests. */
function projectFolder(files: Readonly<Record<string, string>>): string {
  const cwd = newFolder({ 'package.json': { private: true, scripts: { test: ownTests } }, ...files });
  const modules = join(cwd, 'node_modules');
  mkdirSync(join(modules, '.bin'), { recursive: true });
  symlinkSync(root, join(modules, 'grantbox'));
  symlinkSync(join(root, 'dist/grantbox.cjs'), join(modules, '.bin/grantbox'));
  for (const name of ['express', 'jose']) symlinkSync(join(root, 'node_modules', name), join(modules, name));
  return cwd;
}

/** The commands of a job, with its variables. What is installed here is the project of the test. */
function jobOf(text: string): string {
  const file: unknown = parse(text);
  const [job] = Object.values(isRecord(file) && isRecord(file.jobs) ? file.jobs : (file as object)).filter(isRecord);
  const { env, variables, steps, script } = job ?? {};
  const values = Object.entries(isRecord(env ?? variables) ? ((env ?? variables) as object) : {});
  const commands = Array.isArray(steps) ? steps.flatMap(({ run }) => run ?? []) : (script as readonly string[]);
  return [
    ...values.map(([name, value]) => `export ${name}='${value}'`),
    ...commands.filter(each => each !== 'npm ci'),
  ].join('\n');
}

/** The audience of the API is a name, and stays. */
function withPorts(text: string, free: Readonly<Record<string, string>>): string {
  return ports.reduce(
    (written, port) =>
      written
        .replaceAll(`listen(${port})`, `listen(${free[port]})`)
        .replaceAll(`PORT=${port}`, `PORT=${free[port]}`)
        .replaceAll(new RegExp(`(?<!audience: ')http://localhost:${port}`, 'g'), `http://localhost:${free[port]}`),
    text,
  );
}
