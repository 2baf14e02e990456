import type { Declared } from './command.ts';
import { type CommandLine, readDeclared, refuse } from './read-command.ts';

/** The words of `grantbox healthcheck`. Its work is in `healthcheck.ts`, which loads none of this. */
export const healthcheckDeclared: Declared = {
  summary: 'tells whether a sandbox is running',
  usage: '[--url <url>]',
  about: [
    'Asks a sandbox for its health once, for at most 2.5 seconds, and prints the response. Exit code 0: the sandbox is healthy. 1: it is not healthy. 2: it did not answer. Use this command as the health check of a container; use grantbox wait to wait for a sandbox.',
  ],
  flags: [
    {
      name: 'url',
      value: '<url>',
      about: 'Address of the sandbox, or of its /health or /ready',
      fallback: 'the address that HOST, PORT and TLS say, or http://127.0.0.1:9000',
    },
  ],
  examples: [
    ['PORT=9100 grantbox healthcheck', 'check a sandbox that was started with the same variable'],
    ['grantbox healthcheck --url http://grantbox:9000', 'check a different container'],
  ],
};

/** Reads the arguments of `grantbox healthcheck`. */
export function readHealthcheck(argv: readonly string[]): CommandLine {
  const read = readDeclared('healthcheck', healthcheckDeclared, argv);
  if (read.command !== 'run') return read;
  const url = read.given.flags.url?.[0];
  if (url === undefined) return { command: 'healthcheck' };
  if (/^https?:\/\//.test(url) && URL.canParse(url)) return { command: 'healthcheck', url };
  return refuse(`--url expects one http or https URL such as http://localhost:9000; found ${JSON.stringify(url)}`);
}
