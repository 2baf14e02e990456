import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { defined } from '../../base/defined.ts';
import { fileFailure } from '../../sandbox/config/file-failure.ts';
import type { ConnectOptions } from '../remote/control-calls.ts';
import { type Answered, type Asking, ask } from './ask.ts';
import { CommandFailure, type Flag, type Given, isOn, textOf, type World } from './command.ts';
import { type AddressVariables, defaultAddress } from './default-address.ts';

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
    connection: { insecure: isInsecure, ...defined({ ca, controlToken: token === '' ? undefined : token }) },
    ask: (url, asking = {}) => ask(typeof url === 'string' ? new URL(base + url) : url, asking, trust),
    at: connectionAt,
  });
  return connectionAt(base);
}

/** A flag overrides the environment variables. */
function addressFrom(typed: string | undefined, environment: AddressVariables = {}): string {
  if (typed !== undefined) return readAddress(typed);
  const address = defaultAddress(environment, 'localhost');
  if ('url' in address) return address.url;
  throw new CommandFailure(address.fault, 1, 'Or give the address of the sandbox with --url.');
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
