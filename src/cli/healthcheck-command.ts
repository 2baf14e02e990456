import type { Argv } from 'yargs';
import type { Flags } from '../config/setting-values.ts';
import { commandHelp } from './command-help.ts';
import { type CommandLine, refuse } from './command-line.ts';

const fallback = '/health at HOST, PORT and TLS, or http://127.0.0.1:9000/health';

/** The flags of `grantbox healthcheck`. */
export function declareHealthcheck(parser: Argv): Argv {
  return parser.option('url', {
    group: 'Healthcheck:',
    describe: 'Address of the health check',
    defaultDescription: fallback,
  });
}

export function readHealthcheck({ url, ...others }: Flags): CommandLine {
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) return refuse(`--${unknown} is not a flag of healthcheck; its only one is --url`);
  if (url === undefined) return { command: 'healthcheck' };
  if (typeof url !== 'string' || !/^https?:\/\//.test(url) || !URL.canParse(url))
    return refuse(
      `--url expects one http or https URL such as http://localhost:9000/health, and found ${JSON.stringify(url)}`,
    );
  return { command: 'healthcheck', url };
}

/** `grantbox healthcheck --help`. */
export function healthcheckHelp(): string {
  return commandHelp('healthcheck', 'tells whether a sandbox is running', {
    usage: '[--url <url>]',
    about: [
      'Asks a sandbox for its health once, within 2.5 seconds, and says what it answered. Exit code 0: it is well. 1: it is not. 2: nobody answered. Made for the health check of a container; to wait for a sandbox, use grantbox wait.',
    ],
    flags: [{ name: 'url', value: '<url>', about: 'Address of the health check', fallback }],
    examples: [
      ['PORT=9100 grantbox healthcheck', 'a sandbox that was started with the same variable'],
      ['grantbox healthcheck --url http://grantbox:9000/health', 'another container'],
    ],
  });
}
