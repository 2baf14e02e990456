import { setTimeout } from 'node:timers/promises';
import { jsonPost, refusalOf } from '../../../client/cli/ask.ts';
import type { Timing } from '../../../client/cli/command.ts';
import type { Connection } from '../../../client/cli/connection.ts';
import { answersOf, cooldown } from '../../check-api/call-api.ts';
import type { ProbeReport } from '../control.ts';

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
export async function probeApi(
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

/** The report of the sandbox, with the calls to make now. With `told`, it sends these answers first. */
export async function readProbe({ ask, path, headers }: ProbeWay, told?: object): Promise<ProbeReport> {
  const answered = await ask(path, told === undefined ? { headers } : jsonPost(told, headers));
  if (answered.status === 200) return JSON.parse(answered.text); // the control API answers with this type
  throw refusalOf('the sandbox', answered, {}, adviceFor(answered.status));
}

function adviceFor(status: number): string {
  if (status === 404) return 'Start the lesson "Protect your own API" first, and copy its issuer from the page.';
  return status === 401 ? 'Copy the key of your seat from the page /join of the sandbox.' : '';
}
