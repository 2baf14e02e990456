import { resolve } from 'node:path';
import { wholeStream, wholeText } from '../../base/turns.ts';
import { controlRefusal } from '../../client/cli/ask.ts';
import {
  type Command,
  CommandFailure,
  formatOf,
  type Given,
  type Outcome,
  textOf,
  type World,
} from '../../client/cli/command.ts';
import { connectIssuer, connectionFlags, controlFlag } from '../../client/cli/connection.ts';
import { readText, writeText } from '../../client/cli/out-file.ts';
import { readReport } from './read-report.ts';
import { type ClientReport, type FailOn, findingsOf, onlyClient } from './report.ts';
import { reportAsHtml, reportAsJson, reportAsJunit, reportAsText } from './report-formats.ts';

const formats: Readonly<Record<string, (report: ClientReport, failOn: FailOn) => string | Promise<string>>> = {
  table: reportAsText,
  json: report => wholeText(reportAsJson(report)),
  html: report => wholeStream(reportAsHtml(report)),
  junit: (report, failOn) => wholeText(reportAsJunit(report, failOn)),
};

/** `grantbox report`. */
export const command: Command = {
  usage: '[--url <url> | --input <file>] [--client <id>] [--format <format>] [--fail-on <verdict>]',
  about: [
    'Prints how well the clients of a running sandbox follow the rules: PKCE, state, nonce, exact redirect URIs, codes and refresh tokens used once, no secret or token in an address, and more. With --input it reads the report.json that a sandbox with REPORT_DIR wrote when it stopped.',
    'Exit code 0: no problem was found. 1: with --fail-on, a check reached that level or no client was seen; or there is no report. 2: no sandbox answered.',
  ],
  flags: [
    ...connectionFlags,
    controlFlag,
    { name: 'input', value: '<file>', about: 'Read this report.json, not a running sandbox; - reads standard input' },
    { name: 'client', value: '<id>', about: 'Only this client', fallback: 'all clients with activity' },
    {
      name: 'format',
      value: '<format>',
      choices: Object.keys(formats),
      about: 'Format of the report',
      fallback: 'table',
    },
    { name: 'json', about: 'Same as --format json' },
    { name: 'output', value: '<file>', about: 'Write the report to this file and print nothing' },
    {
      name: 'fail-on',
      value: '<verdict>',
      choices: ['fail', 'warn'],
      about: 'Exit with 1 if a check failed (fail), or failed or warned (warn)',
      fallback: 'exit with 0, even if a check failed',
    },
  ],
  examples: [
    ['grantbox report', 'report on the sandbox at http://localhost:9000'],
    ['grantbox report --fail-on fail --client spa', 'fail a pipeline if a check of the client spa failed'],
    ['grantbox report --input reports/report.json --format junit --output client.xml', 'after REPORT_DIR=reports'],
  ],
  async run(given, world) {
    const format = formatOf(given, 'table');
    const failOn = textOf(given, 'fail-on') as FailOn | undefined;
    const report = await reportFrom(given, world);
    const text = (await formats[format]?.(report, failOn ?? 'fail')) ?? '';
    const file = textOf(given, 'output');
    if (file !== undefined) writeText(resolve(world.cwd, file), text, `--output: ${file}`);
    return outcome(report, failOn, file === undefined ? text : '');
  },
};

/** A pipeline must not pass because its tests used a different sandbox. */
const nothingChecked =
  'grantbox report: no client sent a request, so nothing was checked. Check that the tests use this sandbox and this issuer.\n';

function outcome(report: ClientReport, failOn: FailOn | undefined, out: string): Outcome {
  if (failOn !== undefined && report.clients.length === 0) return { code: 1, out, note: nothingChecked };
  const count = failOn === undefined ? 0 : findingsOf(report, failOn);
  if (count === 0) return { code: 0, out, note: '' };
  const words = failOn === 'warn' ? 'failed or warned' : 'failed';
  return { code: 1, out, note: `grantbox report: ${count} ${count === 1 ? 'check' : 'checks'} ${words}\n` };
}

async function reportFrom(given: Given, world: World): Promise<ClientReport> {
  const input = textOf(given, 'input');
  const client = textOf(given, 'client');
  if (input === undefined) return askedReport(given, world, client);
  const asking = [...connectionFlags, controlFlag].find(({ name }) => given.flags[name] !== undefined);
  if (asking !== undefined)
    throw new CommandFailure(
      `--input and --${asking.name} cannot be used together: --input reads a file, the other flag asks a sandbox`,
    );
  const report = parsed(readText(input, world, '--input: '), input);
  if (client === undefined) return report;
  const only = onlyClient(report, client);
  if (only !== undefined) return only;
  const known = [...report.clients.map(({ client_id }) => client_id), ...report.unseen].map(id => JSON.stringify(id));
  throw new CommandFailure(`${input} has no client ${JSON.stringify(client)}; it has ${known.join(', ') || 'none'}`);
}

async function askedReport(given: Given, world: World, client: string | undefined): Promise<ClientReport> {
  const connection = await connectIssuer(given, world);
  const query = client === undefined ? '' : `?${new URLSearchParams({ client })}`;
  const answered = await connection.ask(`/_sandbox/report${query}`, {
    headers: connection.controlHeaders,
    timeoutSeconds: 30,
  });
  if (answered.status === 200) return parsed(answered.text, `${connection.base}/_sandbox/report`);
  throw controlRefusal(`${connection.base}/_sandbox/report`, answered);
}

function parsed(text: string, from: string): ClientReport {
  try {
    return readReport(text);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new CommandFailure(`${from}: ${error.message}`);
  }
}
