import { setTimeout } from 'node:timers/promises';
import { jsonPost, refusalOf } from '../../client/cli/ask.ts';
import {
  asJsonText,
  type Command,
  CommandFailure,
  done,
  type Given,
  isOn,
  type Outcome,
  type Timing,
  textOf,
  type World,
} from '../../client/cli/command.ts';
import { type Connection, connect } from '../../client/cli/connection.ts';
import { cooldown } from '../report/api/api-call.ts';
import { answerOf, apiIn, sandboxFlags, sandboxGiven, withSandboxFlag } from '../report/api/call-api.ts';
import type { ProbeAnswer, ProbeReport, ProbeRequest, ProbeRow } from './control.ts';

/** `grantbox lesson`. */
export const command: Command = {
  usage: 'probe --url <url> (--seat <key> | --issuer <url>) [--sandbox <url>]',
  about: [
    'Calls your own API with the good and the bad tokens of the lesson "Protect your own API", and tells the sandbox the responses. The API only has to be reachable from this machine: the sandbox may run in a container, or on the machine of the trainer.',
    'Start the lesson first. Exit code 1 if a response is wrong.',
  ],
  words: { name: 'action', choices: ['probe'], most: 1 },
  flags: [
    { name: 'url', value: '<url>', about: 'Address of your API, which answers to GET' },
    { name: 'seat', value: '<key>', about: 'In a workshop: the key of your seat, which the page /join shows' },
    { name: 'issuer', value: '<url>', about: 'Without a workshop: your issuer, which the page of the lesson shows' },
    ...sandboxFlags('the origin of --issuer, or the address that HOST, PORT and TLS say, or http://localhost:9000'),
    { name: 'curl', about: 'Print the calls as lines for curl, and call nothing' },
    { name: 'no-wait', about: 'Do not call again after 31 seconds if the API does not know the new keys' },
    { name: 'json', about: 'Print the rows of the report as JSON' },
  ],
  examples: [
    ['grantbox lesson probe --issuer http://localhost:9000/i/api-1a2b3c4d --url http://localhost:8080', 'your API'],
    [
      'grantbox lesson probe --sandbox http://10.0.0.5:9000 --seat brave-otter.Xy12 --url http://localhost:8080',
      'in a workshop',
    ],
  ],
  async run(given, world) {
    if (given.words[0] !== 'probe') throw new CommandFailure('name the action: grantbox lesson probe');
    const url = apiIn(given, 'url');
    const way = wayIn(given, world);
    try {
      if (isOn(given, 'curl')) return done(curlLines(await readProbe(way), url));
      const options = { isPatient: !isOn(given, 'no-wait'), isInsecure: isOn(given, 'insecure') };
      return outcome(await probeApi(way, url, options, world.timing), isOn(given, 'json'));
    } catch (error) {
      throw withSandboxFlag(error);
    }
  },
};

function wayIn(given: Given, world: World): ProbeWay {
  const [seat, issuer] = [textOf(given, 'seat'), textOf(given, 'issuer')];
  if ((seat === undefined) === (issuer === undefined))
    throw new CommandFailure(
      'give either --seat with the key of your seat, or --issuer with the issuer of your lesson',
    );
  if (issuer !== undefined && !URL.canParse(issuer))
    throw new CommandFailure(`--issuer expects the address on the page of the lesson, not ${JSON.stringify(issuer)}`);
  const address = issuer === undefined ? undefined : new URL(issuer).origin;
  const { ask, controlHeaders } = connect(sandboxGiven(given, address), world);
  if (seat === undefined)
    return { ask, path: `${probePath}?issuer=${encodeURIComponent(issuer ?? '')}`, headers: controlHeaders };
  const name = encodeURIComponent(seat.split('.', 1)[0] ?? '');
  return { ask, path: `/i/${name}${probePath}?learner=${name}`, headers: { Authorization: `Bearer ${seat}` } };
}

const probePath = '/_sandbox/lessons/api/probe';

function outcome({ rows }: ProbeReport, isJson: boolean): Outcome {
  const failed = rows.filter(({ state }) => state !== 'passed').length;
  const { out } = done(isJson ? asJsonText(rows) : rows.map(rowText).join('\n'));
  const note = failed === 0 ? '' : `grantbox lesson: ${failed} of ${rows.length} responses are not as expected\n`;
  return { code: failed === 0 ? 0 : 1, out, note };
}

function rowText({ title, expected, state, status, problem, proves }: ProbeRow): string {
  if (state === 'passed') return `ok      ${title}: ${status}. ${proves}`;
  return `NOT OK  ${title}: expected ${expected}. ${problem ?? 'It was not called.'}`;
}

function curlLines({ requests }: ProbeReport, url: URL): string {
  return requests
    .map(({ title, headers }) => {
      const parts = Object.entries(headers).map(([name, value]) => ` -H '${name}: ${value}'`);
      return `# ${title}\ncurl -i '${url}'${parts.join('')}`;
    })
    .join('\n\n');
}

/** The address of the probe of one learner, and the headers that allow access to it. */
export interface ProbeWay extends Pick<Connection, 'ask'> {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
}

interface ProbeOptions {
  /** Calls a second time if the API does not know the new keys, because many libraries fetch keys at most twice a minute. */
  readonly isPatient: boolean;
  /** Accepts any certificate of the API. */
  readonly isInsecure: boolean;
}

/**
 * Calls the API with each token, rotates the keys and calls it again.
 * @throws CommandFailure if the API or the sandbox does not answer
 */
async function probeApi(
  way: ProbeWay,
  api: URL,
  options: ProbeOptions,
  { sleep }: Pick<Timing, 'sleep'> = { sleep: setTimeout },
): Promise<ProbeReport> {
  const { requests } = await readProbe(way);
  let report = await readProbe(way, { answers: await answersOf(api, requests, options) });
  const isGood = report.rows.some(row => row.case === 'good' && row.state === 'passed');
  for (let left = isGood && options.isPatient ? 2 : 1; left > 0; left--) {
    const rotated = await readProbe(way, { answers: [], rotate: true });
    report = await readProbe(way, { answers: await answersOf(api, rotated.requests, options) });
    if (report.rows.some(row => row.case === 'rotated' && row.state === 'passed')) break;
    if (left > 1) await sleep(cooldown);
  }
  return report;
}

/** Makes one call after the other, because the first call makes the API fetch the keys. */
async function answersOf(api: URL, requests: readonly ProbeRequest[], options: ProbeOptions) {
  const answers: ProbeAnswer[] = [];
  for (const request of requests) answers.push({ case: request.case, ...(await answerOf(api, request, options)) });
  return answers;
}

/** The report of the sandbox, with the calls to make now. With `told`, it sends these answers first. */
async function readProbe({ ask, path, headers }: ProbeWay, told?: object): Promise<ProbeReport> {
  const answered = await ask(path, told === undefined ? { headers } : jsonPost(told, headers));
  if (answered.status === 200) return JSON.parse(answered.text); // the control API answers with this type
  throw refusalOf('the sandbox', answered, {}, adviceFor(answered.status));
}

function adviceFor(status: number): string {
  if (status === 404) return 'Start the lesson "Protect your own API" first, and copy its issuer from the page.';
  return status === 401 ? 'Copy the key of your seat from the page /join of the sandbox.' : '';
}
