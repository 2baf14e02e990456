import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { freePort } from '../../support/free-port.ts';
import { newFolder } from '../../support/new-folder.ts';
import { type Ended, runProgram } from '../../support/program.ts';
import { authorizeQuery } from '../../support/wire.ts';
import { firstThatRuns, provide } from '../support/debian.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const bundle = join(root, 'dist', 'grantbox.cjs');

interface Step {
  readonly if?: string;
  readonly run?: string;
  readonly uses?: string;
  readonly env?: Readonly<Record<string, string>>;
}

interface Action {
  readonly inputs: Readonly<Record<string, { readonly default?: string }>>;
  readonly outputs: Readonly<Record<string, { readonly value: string }>>;
  readonly runs: { readonly using: string; readonly steps: readonly Step[] };
}

const action = parse(readFileSync(join(root, 'action.yml'), 'utf8')) as Action;

interface Use {
  readonly uses?: string;
  readonly with?: Readonly<Record<string, string>>;
}

/** The steps of the documented example that use the action. */
function documentedUses(document = 'deployment.md'): readonly Use[] {
  const page = readFileSync(join(root, 'docs', document), 'utf8');
  const [, example = ''] = /```yaml\n(steps:\n[^`]+)```/.exec(page) ?? [];
  const { steps } = parse(example) as { readonly steps: readonly Use[] };
  return steps.filter(({ uses }) => uses?.startsWith('OWNER/grantbox@'));
}

/** The inputs of a step, as the scripts get them. */
function variablesOf(given: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> {
  const values = Object.entries(action.inputs).map(
    ([name, { default: value = '' }]) => [name, given[name] ?? value] as const,
  );
  return Object.fromEntries(values.map(([name, value]) => [`INPUT_${name.toUpperCase().replaceAll('-', '_')}`, value]));
}

/** A job: the files that GitHub gives to the scripts of its steps. */
interface Job {
  readonly folder: string;
  run(script: string, inputs?: Readonly<Record<string, string>>): Promise<Ended>;
  /** The variables and outputs that the steps have set. */
  variables(): Readonly<Record<string, string>>;
  outputs(): Readonly<Record<string, string>>;
  /** The Markdown of the steps. */
  summary(): string;
}

function createJob(): Job {
  const folder = newFolder();
  const [variables, outputs] = [join(folder, 'env'), join(folder, 'output')];
  const summary = join(folder, 'summary');
  for (const file of [variables, outputs, summary]) writeFileSync(file, '');
  const env = {
    RUNNER_TEMP: folder,
    GITHUB_ENV: variables,
    GITHUB_OUTPUT: outputs,
    GITHUB_STEP_SUMMARY: summary,
  };
  const pairsIn = (file: string) =>
    Object.fromEntries(
      readFileSync(file, 'utf8')
        .trim()
        .split('\n')
        .map(line => line.split(/=(.*)/s, 2)),
    );
  return {
    folder,
    run: (script, inputs = {}) =>
      runProgram('bash', [join(root, 'deploy', 'action', script)], { cwd: folder, env: { ...env, ...inputs } }),
    variables: () => pairsIn(variables),
    outputs: () => pairsIn(outputs),
    summary: () => readFileSync(summary, 'utf8'),
  };
}

describe('action.yml', () => {
  const { inputs, runs } = action;

  it('runs scripts that are there, with inputs that it has', () => {
    const texts = runs.steps.flatMap(({ run = '', env = {}, if: when = '' }) => [run, when, ...Object.values(env)]);
    const scripts = texts.flatMap(text =>
      [...text.matchAll(/\$GITHUB_ACTION_PATH\/([\w./-]+)/g)].map(([, path]) => path),
    );
    expect(scripts).toHaveLength(4);
    for (const script of scripts) expect(existsSync(join(root, script ?? '')), script).toBe(true);
    const used = texts.flatMap(text => [...text.matchAll(/inputs\.([\w-]+)/g)].map(([, name]) => name));
    expect(new Set([...used, 'artifact'])).toEqual(new Set(Object.keys(inputs)));
  });

  it('has the inputs that the documentation uses', () => {
    const uses = [...documentedUses(), ...documentedUses('examine.md')];
    expect(uses).toHaveLength(3);
    for (const { with: given = {} } of uses)
      expect(Object.keys(inputs)).toEqual(expect.arrayContaining(Object.keys(given)));
  });

  it('puts no input into a script, where it could be a command', () => {
    for (const { run = '' } of runs.steps) expect(run).not.toContain('${{');
  });
});

describe('the scripts of the action', () => {
  let job: Job;
  let inputs: Readonly<Record<string, string>>;
  let own: Readonly<Record<string, string>>;

  beforeAll(async () => {
    const find = () => firstThatRuns(['pgrep'], ['--version']);
    await provide({ name: 'pgrep', packages: ['procps'], find });
    job = createJob();
    // as npx: the sandbox is a child, and the signal must reach it once
    const npx = join(job.folder, 'npx');
    writeFileSync(npx, `#!/bin/sh\n'${process.execPath}' '${bundle}' "$@"\nexit $?\n`);
    chmodSync(npx, 0o755);
    own = { INPUT_GRANTBOX: npx, INPUT_PORT: String(await freePort()) };
    inputs = { ...variablesOf(), ...own };
  });

  it('do what the documented example says', async () => {
    const [start, report] = documentedUses().map(use => ({ ...variablesOf(use.with), ...own }));
    const example = createJob();
    writeFileSync(join(example.folder, start?.INPUT_CONFIG ?? ''), 'export default { users: [{ sub: "alice" }] };');
    const started = await example.run('start.sh', start);
    expect(started.code, started.output).toBe(0);
    const url = `http://localhost:${own.INPUT_PORT}/realms/demo`;
    expect(example.variables()).toEqual({ GRANTBOX_URL: url, OIDC_ISSUER: url });
    const { authorization_endpoint } = await (await fetch(`${url}/.well-known/openid-configuration`)).json();
    const answer = await fetch(`${authorization_endpoint}?${authorizeQuery()}`, { redirect: 'manual' });
    expect(answer.headers.get('location')).toContain('code=');
    const stopped = await example.run('stop.sh');
    expect(stopped.code, stopped.output).toBe(0);
    const judged = await example.run('judge.sh', report);
    expect(judged.output).toContain('frontend');
  });

  it('tell the issuer that tokens name, and the URL that commands take', async () => {
    const entra = createJob();
    const started = await entra.run('start.sh', { ...inputs, INPUT_SETTINGS: 'PRESET=entra' });
    expect(started.code, started.output).toBe(0);
    const { GRANTBOX_URL: url = '', OIDC_ISSUER } = entra.variables();
    expect(OIDC_ISSUER).toBe(`${url}/v2.0`);
    const report = await runProgram(inputs.INPUT_GRANTBOX ?? '', ['report', '--url', url], {
      cwd: entra.folder,
      env: {},
    });
    expect(report.code, report.output).toBe(0);
    expect((await entra.run('stop.sh')).code).toBe(0);
  });

  it('refuse a setting that has no name, and print no value', async () => {
    const { code, output } = await job.run('start.sh', { ...inputs, INPUT_SETTINGS: 'control token=secret-value' });
    expect(code).toBe(1);
    expect(output).toContain('::error::settings: expected NAME=value on each line');
    expect(output).not.toContain('secret-value');
  });

  it('start a sandbox with its settings, wait for it and tell where it is', async () => {
    const config = join(job.folder, 'clients.config.json');
    writeFileSync(config, JSON.stringify({ users: [{ sub: 'dora' }] }));
    const settings = 'SANDBOX_LABEL=of the job\r\n\nAUTO_LOGIN=dora\n';
    const started = await job.run('start.sh', { ...inputs, INPUT_CONFIG: config, INPUT_SETTINGS: settings });
    expect(started.code, started.output).toBe(0);
    const url = `http://localhost:${inputs.INPUT_PORT}`;
    expect(job.variables()).toEqual({ GRANTBOX_URL: url, OIDC_ISSUER: url });
    expect(job.outputs()).toEqual({ url, issuer: url, report: join(job.folder, 'grantbox', 'report') });
    const answer = await fetch(`${url}/_sandbox/settings`);
    const text = await answer.text();
    expect(text).toContain('of the job');
    expect(text).toContain('dora');
  });

  it('refuse a port that is taken', async () => {
    const { code, output } = await job.run('start.sh', inputs);
    expect(code).toBe(1);
    expect(output).toContain(`::error::port: something listens at port ${inputs.INPUT_PORT} already`);
  });

  it('show the log of a sandbox that does not start', async () => {
    const other = createJob();
    const wrong = { ...inputs, INPUT_PORT: String(await freePort()), INPUT_CONFIG: 'missing.json' };
    const { code, output } = await other.run('start.sh', wrong);
    expect(code).toBe(1);
    expect(output).toContain('::error::The sandbox did not start');
    expect(output).toContain('missing.json');
  });

  it('stop it, with its report, and judge the clients', async () => {
    const token = await fetch(`${job.variables().GRANTBOX_URL}/oauth2/token`, {
      method: 'POST',
      headers: { Authorization: `Basic ${btoa('sensor:sensor-secret')}` },
      body: new URLSearchParams({ grant_type: 'client_credentials' }),
    });
    expect(token.status).toBe(200);
    const stopped = await job.run('stop.sh');
    expect(stopped.output).not.toContain('::warning::');
    expect(stopped.code, stopped.output).toBe(0);
    for (const name of ['report.html', 'report.json', 'report.xml', 'session.html'])
      expect(existsSync(join(job.outputs().report ?? '', name)), name).toBe(true);
    const judged = await job.run('judge.sh', { ...inputs, INPUT_FAIL_ON: 'fail' });
    expect(judged.code, judged.output).toBe(0);
    expect(judged.output).toContain('sensor');
  });

  it('examine an API, and add the result to the summary', async () => {
    const examining = createJob();
    const port = String(await freePort());
    const flags = `--api http://localhost:${port}/api/products\r\n\n--module no-token\n--module expired\n`;
    const examined = await examining.run('examine.sh', { ...inputs, INPUT_PORT: port, INPUT_FLAGS: flags });
    expect(examined.code, examined.output).toBe(0);
    expect(examined.output).toContain('### API: 0 failed, 0 warnings, 3 passed');
    expect(examining.summary()).toContain('| pass | `expired` | A token that has expired |');
    expect(readFileSync(examining.outputs().examination ?? '', 'utf8')).toBe(examining.summary());
  });

  it('sign in as the documented example does, with spaces in a command, and fail where it fails', async () => {
    const examining = createJob();
    const [use] = documentedUses('examine.md');
    const given: Readonly<Record<string, string>> = {
      ...variablesOf(use?.with),
      ...own,
      INPUT_PORT: String(await freePort()),
      INPUT_CONFIG: '',
    };
    expect(given.INPUT_FLAGS).toMatch(/^--login npx playwright test \S+$/m);
    const command = `node -e "console.log('no', process.env.AUTO_LOGIN); process.exit(1)"`;
    const flags = given.INPUT_FLAGS?.replace(/npx playwright.*/, command) ?? '';
    const settings = 'AUTO_LOGIN=alice';
    const examined = await examining.run('examine.sh', { ...given, INPUT_FLAGS: flags, INPUT_SETTINGS: settings });
    expect(examined.code).toBe(1);
    expect(examined.output).toContain('cannot sign in where nothing is wrong');
    expect(examined.output).toContain('It said: no alice');
    expect(examining.summary()).toBe('');
  });

  it('refuse a line that is no flag', async () => {
    const { code, output } = await createJob().run('examine.sh', { ...inputs, INPUT_FLAGS: 'login x' });
    expect([code, output]).toEqual([1, expect.stringContaining('::error::flags: expected --name or --name value')]);
  });

  it('warn where there is nothing to stop', async () => {
    const { code, output } = await job.run('stop.sh');
    expect(code).toBe(0);
    expect(output).toContain('::warning::There is no sandbox of this job');
  });
});
