import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { recordIn } from '../../base/text/record.ts';
import { fileFailure } from '../../sandbox/config/file-failure.ts';
import { discoveryPath, grantboxIn, metadataUrl, type RunningGrantbox, reachedAt } from '../../server/wire/health.ts';
import type { ConnectOptions } from '../remote/control-calls.ts';
import { type Answered, type Asking, ask, printable } from './ask.ts';
import { CommandFailure, type Flag, type Given, isOn, textOf, type World } from './command.ts';
import { type AddressVariables, defaultAddress } from './healthcheck.ts';

/** The flags of each command that talks to a running sandbox. */
export const connectionFlags: readonly Flag[] = [
  {
    name: 'url',
    value: '<url>',
    about:
      'Address of the sandbox, which tells the path of its issuer; name the path if the sandbox has several issuers',
    fallback: 'the address that HOST, PORT and TLS say, or http://localhost:9000',
  },
  { name: 'ca', value: '<file>', about: 'PEM file with the CA of the sandbox, such as its /tls/ca.pem' },
  { name: 'insecure', about: 'Accept any certificate; use it only for a sandbox on this machine' },
];

/** The flag of each command that uses the control API. */
export const controlFlag: Flag = {
  name: 'control-token',
  value: '<token>',
  about: 'Control token, if the sandbox has a CONTROL_TOKEN',
  fallback: 'the variable CONTROL_TOKEN',
};

/** The connection to one issuer of a running sandbox. */
export interface Connection {
  /** The URL of the issuer without a trailing slash, as this machine reaches it. */
  readonly base: string;
  /** Headers of requests below `/_sandbox`. */
  readonly controlHeaders: Readonly<Record<string, string>>;
  /** The same connection for the calls of the control API. */
  readonly connection: ConnectOptions;
  /**
   * @param url absolute, or a path below `base` with a leading slash
   * @throws CommandFailure if there is no answer
   */
  ask(url: URL | string, asking?: Asking): Promise<Answered>;
  /** The same connection to a different URL of this server. */
  at(base: string): Connection;
}

/**
 * Connects to the address that the flags and variables say. An issuer may have a path below that address: `locate` finds it.
 * @throws CommandFailure for an invalid address or an unreadable file
 */
export function connect(given: Given, { cwd, controlToken, environment }: World): Connection {
  const base = addressFrom(textOf(given, 'url'), environment);
  const file = textOf(given, 'ca');
  const isInsecure = isOn(given, 'insecure');
  if (file !== undefined && isInsecure)
    throw new CommandFailure(
      '--ca and --insecure cannot be used together: --ca trusts one CA, --insecure accepts any certificate',
    );
  const ca = file === undefined ? undefined : readCa(resolve(cwd, file), file);
  const trust = ca === undefined ? { rejectUnauthorized: !isInsecure } : { ca };
  const token = textOf(given, controlFlag.name) ?? controlToken ?? '';
  const connectionAt = (base: string): Connection => ({
    base,
    controlHeaders: token === '' ? {} : { Authorization: `Bearer ${token}` },
    connection: { insecure: isInsecure, ca, controlToken: token === '' ? undefined : token },
    ask: (url, asking = {}) => ask(typeof url === 'string' ? new URL(base + url) : url, asking, trust),
    at: connectionAt,
  });
  return connectionAt(base);
}

function addressFrom(typed: string | undefined, environment: AddressVariables = {}): string {
  if (typed !== undefined) return readAddress(typed);
  const address = defaultAddress(environment, 'localhost');
  if ('url' in address) return address.url;
  throw new CommandFailure(address.problem, 1, 'Or give the address of the sandbox with --url.');
}

function readAddress(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isAddress = url !== undefined && ['http:', 'https:'].includes(url.protocol) && url.search + url.hash === '';
  if (!isAddress || url.username + url.password !== '') {
    const bare = /^[\w.-]+(:\d+)?(\/|$)/.test(text) ? `; did you mean http://${text}?` : '';
    throw new CommandFailure(
      `--url expects an http or https address such as http://localhost:9000, not ${JSON.stringify(text)}${bare}`,
    );
  }
  return url.origin + url.pathname.replace(/\/+$/, '');
}

function readCa(path: string, typed: string): string {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw new CommandFailure(`--ca: ${typed} cannot be read (${fileFailure(error)})`);
  }
  if (text.includes('-----BEGIN CERTIFICATE-----')) return text;
  throw new CommandFailure(`--ca expects certificates in PEM, and ${typed} has no line BEGIN CERTIFICATE`);
}

interface IssuerConnection extends Connection {
  readonly health: Answered;
  readonly running?: RunningGrantbox;
}

interface Search {
  readonly timeoutSeconds?: number;
  readonly accepts?: (running: RunningGrantbox | undefined) => void;
}

/** @throws CommandFailure for an invalid address, or if there is no answer */
export function connectIssuer(given: Given, world: World): Promise<IssuerConnection> {
  return locate(connect(given, world));
}

/**
 * Goes from the address of a sandbox to its issuer, which a preset or ISSUER may have put at a path. The health of the sandbox
 * tells the path, so that no address is tried that the sandbox would refuse. Another server is taken at its word.
 * @throws CommandFailure if there is no answer, or if the sandbox has no issuer at the address
 */
export async function locate(connection: Connection, search: Search = {}): Promise<IssuerConnection> {
  const { accepts = () => {}, ...asking } = search;
  let health = await connection.ask('/health', asking);
  if (health.status === 404 && (await isMadeOnRequest(connection, search)))
    health = await connection.ask('/health', asking);
  const running = health.status === 200 ? grantboxIn(health.text) : undefined;
  if (running !== undefined) accepts(running);
  const base = running?.at === undefined ? connection.base : reachedAt(connection.base, running.at);
  return { ...connection.at(base), health, ...(running === undefined ? {} : { running }) };
}

/**
 * With ISSUERS=any, the first request for its metadata makes an issuer.
 * @throws CommandFailure if this is a sandbox, and will never have an issuer at this path
 */
async function isMadeOnRequest(connection: Connection, { accepts = () => {}, ...asking }: Search): Promise<boolean> {
  const { base } = connection;
  const { origin } = new URL(base);
  if (base === origin) return false;
  const running = grantboxIn((await connection.at(origin).ask('/health', asking)).text);
  if (running?.at === undefined) return false;
  accepts(running);
  const { status } = await connection.ask(discoveryPath, asking);
  if (status === 200) return true;
  const own = reachedAt(base, running.at);
  throw new CommandFailure(`the sandbox at ${origin} has no issuer at ${base}`, 1, `Its first issuer is at ${own}.`);
}

/** The metadata of an issuer (OpenID Connect Discovery 1.0 §3). */
export interface Metadata {
  readonly issuer: string;
  /** All members, the issuer included. */
  readonly members: Readonly<Record<string, unknown>>;
  /** The origin of its endpoints, as browsers reach it; the issuer of a preset may be the address of the provider. */
  readonly origin: string;
  /** The URL of this document, as browsers reach it. */
  readonly url: string;
}

/** @throws CommandFailure if there is no answer, or not an answer of an issuer */
export async function discover({ ask, base, running }: IssuerConnection, timeoutSeconds?: number): Promise<Metadata> {
  const known = running?.at && { url: metadataUrl(running.at), origin: running.at.url.origin };
  const url = new URL(known === undefined ? base + discoveryPath : new URL(base).origin + known.url.pathname);
  const answered = await ask(url, timeoutSeconds === undefined ? {} : { timeoutSeconds });
  const members = answered.status === 200 ? recordIn(answered.text) : undefined;
  if (typeof members?.issuer !== 'string') throw new CommandFailure(`${url} ${whyNot(base, answered)}`, 2);
  const { issuer } = members;
  const origin = known?.origin ?? (URL.canParse(issuer) ? new URL(issuer).origin : url.origin);
  return { issuer, members, origin, url: known?.url.href ?? issuer.replace(/\/$/, '') + discoveryPath };
}

/** Explains an answer that no sandbox gives, with its likely cause. The words follow the address. */
export function whyNot(base: string, { status, text }: Answered): string {
  if (status === 200) return 'answered, but not with the metadata of an issuer; a different server may run there';
  if (status === 400 && base.startsWith('http:'))
    return `answered 400; if the sandbox runs with TLS, its address is ${base.replace('http:', 'https:')}`;
  const said = recordIn(text)?.error_description;
  const quoted = typeof said === 'string' ? ` and said "${printable(said)}"` : '';
  if (status === 404) return `answered 404${quoted}; check that ${base} is the address of an issuer, with its path`;
  return `answered ${status}${quoted}`;
}
