import type { Argv } from 'yargs';
import type { Flags } from '../config/setting-values.ts';
import { type CommandLine, refuse } from './command-line.ts';

/** The flags of `grantbox healthcheck`. */
export function declareHealthcheck(parser: Argv): Argv {
  return parser.option('url', {
    group: 'Healthcheck:',
    describe: 'Address of the health check',
    defaultDescription: 'http[s]://127.0.0.1:$PORT/health',
  });
}

export function readHealthcheck({ url, ...others }: Flags): CommandLine {
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) return refuse(`--${unknown} is not a flag of healthcheck; its only one is --url`);
  if (url === undefined) return { command: 'healthcheck' };
  if (typeof url !== 'string' || !/^https?:\/\//.test(url) || !URL.canParse(url))
    return refuse('--url expects one http or https URL');
  return { command: 'healthcheck', url };
}
