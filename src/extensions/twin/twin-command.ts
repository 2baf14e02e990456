import { resolve } from 'node:path';
import { defined } from '../../base/defined.ts';
import { isRecord, recordIn } from '../../base/text/record.ts';
import { jsonPost, printable } from '../../client/cli/ask.ts';
import {
  type Command,
  CommandFailure,
  done,
  type Given,
  isOn,
  type Outcome,
  textOf,
  type World,
} from '../../client/cli/command.ts';
import { type Connection, connectIssuer, connectionFlags, controlFlag } from '../../client/cli/connection.ts';
import { newFile, outFile, writeNew } from '../../client/cli/out-file.ts';
import { loadConfig } from '../../sandbox/config/load-config.ts';
import { printConfig } from '../import/print.ts';
import type { FactRow, FactVerdict } from './compare.ts';
import { compare, scoreOf } from './compare.ts';
import { type Facts, factsOf } from './facts.ts';
import { makeTwin, type TenantTwin } from './make-twin.ts';
import { type ClientOf, observe, type Target } from './observe.ts';
import { readSamples, type SampleFiles, SampleProblem } from './read-samples.ts';
import { readRecord, recordText, type TwinRecord } from './record.ts';
import { ofFile, withSandbox } from './targets.ts';

/** `grantbox twin`. */
export const command: Command = {
  usage: '[--discovery <file or url>] [--token <file>…] [--jwks <file>] [--har <file>] [--out <file>]',
  about: [
    'Reads a discovery document, sample tokens and a recorded sign-in of your tenant, and writes a clients.config.ts with which the sandbox looks the same: preset, endpoints, scopes, lifetimes, claims and their types, token formats, clients with their redirect URIs. Signatures of tokens are not needed.',
    'Starts that configuration, compares fact by fact, and prints what is the same, what is different and why, and what cannot be the same. Secrets and personal values of the samples are replaced by made-up ones of the same form; the list says where.',
    'With --out it also writes the facts, without anything personal, to a file that ends in .twin.json. --check compares again: the configuration file, or with --url a running sandbox. Its exit code is 1 if something is not the same any more. With samples, --check also finds what changed in your tenant.',
  ],
  flags: [
    {
      name: 'discovery',
      value: '<file or url>',
      about: 'Discovery document of your tenant; only this command downloads a URL, and never a sandbox',
    },
    { name: 'token', value: '<file>', isList: true, about: 'File with a token, a token response or decoded claims' },
    { name: 'jwks', value: '<file>', about: 'Key set of your tenant' },
    {
      name: 'har',
      value: '<file>',
      about: 'Sign-in in your tenant, recorded by the developer tools of a browser as HAR',
    },
    { name: 'out', value: '<file>', about: 'File to write, ending in .ts or .mts' },
    { name: 'check', about: 'Compare a sandbox with the facts of an earlier run, and fail on drift' },
    { name: 'record', value: '<file>', about: 'With --check: the facts', fallback: 'clients.twin.json' },
    {
      name: 'config',
      value: '<file>',
      about: 'With --check: the configuration',
      fallback: 'clients.config.* in this folder',
    },
    ...connectionFlags,
    controlFlag,
  ],
  examples: [
    [
      'grantbox twin --discovery tenant.json --token id-token.txt --har login.har --out clients.config.ts',
      'write a twin of a tenant and see how much it is like it',
    ],
    ['grantbox twin --check', 'in a pipeline: fail if the configuration is less like the tenant than before'],
    ['grantbox twin --check --discovery tenant.json', 'fail if the tenant is not as it was, too'],
  ],
  async run(given, world) {
    try {
      return isOn(given, 'check') ? await check(given, world) : await make(given, world);
    } catch (error) {
      if (error instanceof SampleProblem)
        throw new CommandFailure(error.message, 2, 'docs/migrating.md says which files are read.');
      throw error;
    }
  },
};

async function make(given: Given, world: World): Promise<Outcome> {
  if (!hasSamples(given))
    throw new CommandFailure('name at least one sample: --discovery, --token, --jwks or --har; or --check');
  const out = outFile(given, world);
  const record =
    out === undefined ? undefined : newFile(out.typed.replace(/(?:\.config)?\.m?ts$/, '.twin.json'), world.cwd);
  const twin = await makeTwin(await readSamples(filesOf(given, world)), world.modules);
  const text = printConfig(twin.config, titleOf(twin), 'twin');
  const told = [...(twin.notes.length === 0 ? [] : ['', ...twin.notes.map(line => `- ${line}`)])].join('\n');
  const report = `${fidelityTable(twin.rows)}\n${told}`;
  if (out === undefined || record === undefined) return done(text, report);
  writeNew(out, text);
  writeNew(record, recordText(twin.facts, twin.rows, twin.probe));
  return done(`${report}\n\n${out.typed} and ${record.typed} were written.`);
}

function titleOf({ vendor }: TenantTwin): string {
  if (vendor === undefined) return 'samples of a server of no known provider';
  return vendor.preset === undefined
    ? `samples of ${vendor.title}, for which this version has no preset`
    : `samples of ${vendor.title}`;
}

function hasSamples(given: Given): boolean {
  return ['discovery', 'token', 'jwks', 'har'].some(name => isOn(given, name));
}

function filesOf(given: Given, { cwd }: World): SampleFiles {
  const text = (name: string) => textOf(given, name);
  const named = { discovery: text('discovery'), jwks: text('jwks'), har: text('har') };
  return { cwd, tokens: given.flags.token ?? [], ...defined(named) };
}

async function check(given: Given, world: World): Promise<Outcome> {
  if (isOn(given, 'out')) throw new CommandFailure('--check writes nothing: leave out --out');
  if (isOn(given, 'url') && isOn(given, 'config'))
    throw new CommandFailure('--url and --config cannot be used together: --url compares a running sandbox');
  const name = textOf(given, 'record') ?? 'clients.twin.json';
  const record = readRecord(name, resolve(world.cwd, name));
  const now = hasSamples(given) ? factsOf((await readSamples(filesOf(given, world))).samples) : record.facts;
  const { rows, drift, refusals } = isOn(given, 'url')
    ? await checkTwin(await runningTarget(await connectIssuer(given, world)), record, now)
    : await checkFile(given, world, record, now);
  const refused = refusals.map(line => `\n- the sandbox refused ${line}`).join('');
  const names = drift.map(({ fact }) => `\n- ${fact}`).join('');
  const verdict = drift.length === 0 ? 'No drift.' : `Drift: not the same any more (${drift.length}):${names}`;
  return { ...done(`${fidelityTable(rows)}\n${refused}\n${verdict}`), code: drift.length === 0 ? 0 : 1 };
}

async function checkFile(given: Given, { cwd, modules }: World, record: TwinRecord, now: TwinRecord['facts']) {
  const file = textOf(given, 'config');
  const config = await loadConfig({ modules, cwd, flags: { port: '0', ...(file !== undefined && { config: file }) } });
  if (config.configFile === undefined)
    throw new CommandFailure(
      'there is no clients.config.* in the working directory',
      1,
      'Name the file with --config.',
    );
  return withSandbox(await ofFile(config), target => checkTwin(target, record, now));
}

interface CheckedTwin {
  readonly rows: readonly FactRow[];
  /** Facts that were the same, or were there, and are not any more. */
  readonly drift: readonly FactRow[];
  readonly refusals: readonly string[];
}

/** Measures a sandbox and compares it with a record. `now` are the facts of the tenant today, if somebody has new samples. */
async function checkTwin(target: Target, record: TwinRecord, now: Facts = record.facts): Promise<CheckedTwin> {
  const { samples, refusals } = await observe(target, record.probe);
  const facts = new Map([...record.facts, ...now]);
  for (const name of goneFrom(record.facts, now)) facts.delete(name);
  const rows = compare(facts, factsOf(samples));
  return { rows, drift: rows.filter(row => isDrift(row, record)), refusals };
}

/** Facts of a group that the new samples have, too, but without this fact. */
function goneFrom(before: Facts, now: Facts): readonly string[] {
  const groups = new Set([...now.keys()].map(name => name.split('.', 1)[0]));
  return [...before.keys()].filter(name => groups.has(name.split('.', 1)[0]) && !now.has(name));
}

function isDrift({ fact, verdict }: FactRow, { verdicts }: TwinRecord): boolean {
  return verdict !== 'same' && !verdicts.has(fact);
}

const order: readonly FactVerdict[] = ['different', 'cannot be', 'same'];
const widest = 46;

/** The fidelity table as text: differences first, and the score above them. */
function fidelityTable(rows: readonly FactRow[]): string {
  const sorted = order.flatMap(verdict => rows.filter(row => row.verdict === verdict));
  const width = Math.min(widest, Math.max(0, ...rows.map(({ fact }) => fact.length)));
  return [headline(rows), '', ...sorted.map(row => lineOf(row, width))].join('\n');
}

function headline(rows: readonly FactRow[]): string {
  const count = (verdict: FactVerdict) => rows.filter(row => row.verdict === verdict).length;
  const counts = (['same', 'different', 'cannot be'] as const).map(verdict => `${verdict}: ${count(verdict)}`);
  return `Fidelity ${scoreOf(rows)} % of ${rows.length} facts (${counts.join(', ')})`;
}

function lineOf({ fact, verdict, yours, ours, why = '' }: FactRow, width: number): string {
  const start = `${verdict.padEnd(9)}  ${printable(fact).padEnd(width)}`;
  if (verdict === 'same') return `${start}  ${shown(yours)}`;
  return `${start}  ${sides(yours, ours)}${why}`;
}

/** Lists are not repeated: the reason names the items that differ. */
function sides(yours: unknown, ours: unknown): string {
  if (Array.isArray(yours) && Array.isArray(ours)) return '';
  return `yours ${shown(yours)}, sandbox ${shown(ours)}: `;
}

/** A value on one short line. */
function shown(value: unknown): string {
  if (value === undefined) return 'absent';
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return printable(text.length > 100 ? `${text.slice(0, 100)}…` : text);
}

/**
 * A sandbox that runs elsewhere, by its control API.
 * @throws CommandFailure if the control API refuses
 */
async function runningTarget({ base, ask, controlHeaders }: Connection): Promise<Target> {
  const call = async (place: string, body?: unknown) => {
    const sent = body === undefined ? { headers: controlHeaders } : jsonPost(body, controlHeaders);
    const { status, text } = await ask(`/_sandbox${place}`, sent);
    const content = recordIn(text);
    if (status === 200 && content !== undefined) return content;
    const said = printable(String(content?.detail ?? ''));
    throw new CommandFailure(`the control API answered ${status} for ${place || 'its address'}: ${said}`, 2);
  };
  const { issuer } = await call('');
  if (typeof issuer !== 'string') throw new CommandFailure(`${base} is not the address of a sandbox`, 2);
  return {
    issuer,
    // paths of the metadata are whole, and those of the connection are below the issuer
    ask: (place, sent) => ask(new URL(place, base), sent),
    async login(request) {
      const { redirect, code, code_verifier } = await call('/login', { ...request, as: 'code' });
      return {
        redirect: String(redirect),
        code: String(code),
        ...(typeof code_verifier === 'string' && { code_verifier }),
      };
    },
    async client(id) {
      const { entry } = await call(`/clients/${encodeURIComponent(id)}`);
      return isRecord(entry) ? (entry as ClientOf) : undefined; // as the configuration has it
    },
  };
}
