import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { isRecord } from '../src/base/text/record.ts';
import { parseCommandLine } from '../src/client/cli/cli.ts';
import { modules } from '../src/modules.ts';
import { blocksOf, documents } from './support/documents.ts';
import { loadConfig } from './support/load-config.ts';
import { newFolder } from './support/new-folder.ts';
import { type ShellCommand, shellCommands } from './support/shell-commands.ts';
import { settingList } from './support/tables.ts';

// Each command of the documentation is one that the program takes, with settings that exist. What a test cannot run is named here.

/** Programs that no test of this repository runs as the documentation has them. */
const notRun: Readonly<Record<string, string>> = {
  aws: 'it reads a user pool of Amazon',
  claude: 'it is a coding agent',
  cosign: 'the image is not published',
  docker:
    'there is no container engine; test/judges/deploy checks the files, .ci/try-image builds the image where it can',
  firebase: 'it reads a project of Google',
  helm: 'there is no cluster; test/judges/deploy renders the chart',
  kubectl: 'there is no cluster; test/judges/deploy builds the manifests',
  ngrok: 'it opens a tunnel to the internet',
  npm: 'it installs packages, or runs the tests of the reader',
  npx: 'it installs the package of another program',
  'valkey-cli': 'no test has it; test/replicas/sandbox.test.ts reads the same record by the protocol of the engine',
};

/**
 * Programs that other tests run, though not in each of these lines: curl in `test/readme.test.ts`, the commands marked as tested,
 * and in `test/judges/snippets.test.ts`; the API of a guide in `test/flows/guides.test.ts`; the balancer and the engine in
 * `test/replicas`.
 */
const runElsewhere = ['curl', 'haproxy', 'node', 'valkey-server'];

/** What each shell has, and what only carries data from one command to the next. */
const ofShell = [
  'cd',
  'date',
  'echo',
  'eval',
  'export',
  'grep',
  'openssl',
  'printf',
  'sed',
  'sleep',
  'source',
  'timeout',
  'tr',
];

interface Documented extends ShellCommand {
  readonly document: string;
}

const scripts = documents.flatMap(document =>
  blocksOf(document).flatMap(({ language, text }) => {
    if (language === 'sh') return [{ document, text }];
    return language === 'yaml' ? scriptsIn(parse(text)).map(script => ({ document, text: script })) : [];
  }),
);
const commands: readonly Documented[] = scripts.flatMap(({ document, text }) =>
  shellCommands(text).map(command => ({ document, ...command })),
);

/** The scripts of workflows, and the commands of health checks. */
function scriptsIn(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(scriptsIn);
  if (!isRecord(value)) return [];
  const own = Object.entries(value).flatMap(([name, content]) => {
    if (name === 'run' && typeof content === 'string') return [content];
    if (name === 'script' && Array.isArray(content)) return [content.join('\n')];
    if (name === 'test' && Array.isArray(content) && content[0] === 'CMD') return [content.slice(1).join(' ')];
    return [];
  });
  return [...own, ...Object.values(value).flatMap(scriptsIn)];
}

/** The arguments after the name of our program; undefined for another program. */
function ours({ program, args }: ShellCommand): readonly string[] | undefined {
  if (program === 'grantbox' || program === 'docker-entrypoint.sh') return args;
  return program === 'npx' && args[0] === 'grantbox' ? args.slice(1) : undefined;
}

const own = commands.flatMap(command => {
  const argv = ours(command);
  return argv === undefined ? [] : [{ ...command, argv }];
});

/** Variables that are settings; `ISSUERS=any` and `CLIENTS=any` are relaxations. */
const settingNames = [
  ...settingList.flatMap(({ env, anyOf }) => [env, ...(anyOf === undefined ? [] : [anyOf])]),
  'USERS',
];

describe('the commands of the documentation', () => {
  it('are known by name, or listed as not run with the reason', () => {
    const isFunction = (name: string) => scripts.some(({ text }) => text.includes(`${name}() {`));
    const others = commands.filter(each => ours(each) === undefined && !isFunction(each.program.replace('()', '')));
    const programs = new Set(others.map(({ program }) => program).filter(name => name !== ''));
    expect([...programs].sort()).toEqual([...Object.keys(notRun), ...runElsewhere, ...ofShell].sort());
  });

  it.each(own.map(({ document, argv }) => [document, argv.join(' '), argv] as const))(
    'of %s are taken by the program: grantbox %s',
    async (_document, _line, argv) => {
      const line = await parseCommandLine(argv, { version: '1.0.0', modules });
      expect(line).not.toMatchObject({ command: 'exit', code: 1 });
    },
  );

  const started = own.filter(
    ({ argv, variables }) => Object.keys(variables).length > 0 && (argv.length === 0 || argv[0] === 'start'),
  );

  it.each(started.map(({ document, variables }) => [document, variables] as const))(
    'of %s start with settings that exist: %j',
    async (_document, variables) => {
      const settings = Object.fromEntries(
        Object.entries(variables)
          .filter(([name]) => !name.startsWith('OTEL_'))
          .map(([name, value]) => [name, value.replaceAll('$(…)', 'printed')]),
      );
      for (const name of Object.keys(settings)) expect(settingNames).toContain(name);
      await loadConfig({ env: settings, cwd: newFolder() });
    },
  );
});

describe('the YAML of the documentation', () => {
  const files = documents.flatMap(document =>
    blocksOf(document)
      .filter(({ language }) => language === 'yaml')
      .map(({ text }) => [document, text.split('\n')[0], parse(text)] as const),
  );

  it.each(files)('of %s gives a container of Grantbox settings that exist: %s', (_document, _first, file) => {
    for (const { environment } of containersIn(file))
      for (const name of Object.keys(environment)) expect([...settingNames, ...ofKeycloak]).toContain(name);
  });
});

/** Variables of Keycloak's image that the entry point of ours understands. */
const ofKeycloak = ['KC_BOOTSTRAP_ADMIN_USERNAME', 'KC_BOOTSTRAP_ADMIN_PASSWORD'];

interface Container {
  readonly environment: Readonly<Record<string, unknown>>;
}

/** The services of Compose, GitHub and GitLab that run our image. */
function containersIn(value: unknown): readonly Container[] {
  if (Array.isArray(value)) return value.flatMap(containersIn);
  if (!isRecord(value)) return [];
  const image = [value.image, value.build, value.name].find(each => typeof each === 'string' && /grantbox/.test(each));
  const { environment, env, variables } = value;
  const given = [environment, env, variables].find(isRecord) ?? {};
  const own = image === undefined || 'steps' in value || 'jobs' in value ? [] : [{ environment: given }];
  return [...own, ...Object.values(value).flatMap(containersIn)];
}
