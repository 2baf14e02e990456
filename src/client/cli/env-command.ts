import { asJsonText, type Command, CommandFailure, done, formatOf, type Given, textOf } from './command.ts';
import { connectIssuer, connectionFlags, discover, type Metadata } from './connection.ts';

type Variable = readonly [name: string, value: string];

const formats: Readonly<Record<string, (variables: readonly Variable[]) => string>> = {
  sh: lines(([name, value]) => `export ${name}='${value.replaceAll("'", `'\\''`)}'`),
  dotenv: lines(([name, value]) => `${name}="${value.replace(/["\\$`]/g, '\\$&')}"`),
  json: variables => asJsonText(Object.fromEntries(variables)),
  github: lines(([name, value]) => `${name}=${value}`),
};

/** `grantbox env`. */
export const command: Command = {
  usage: '[--url <url>] [--prefix <text>] [--format <format>]',
  about: [
    'Reads the metadata of a running sandbox and prints its issuer and every address in it as environment variables: OIDC_ISSUER, OIDC_DISCOVERY_URL, OIDC_TOKEN_ENDPOINT, OIDC_JWKS_URI and so on.',
  ],
  flags: [
    ...connectionFlags,
    {
      name: 'prefix',
      value: '<text>',
      about: 'Prefix of each variable name; --prefix=none removes it',
      fallback: 'OIDC_',
    },
    {
      name: 'format',
      value: '<format>',
      choices: Object.keys(formats),
      about: 'sh for eval, dotenv for a .env file, json, or github for $GITHUB_ENV',
      fallback: 'sh',
    },
    { name: 'json', about: 'Same as --format json' },
  ],
  examples: [
    ['eval "$(grantbox env)"', 'set the variables in this shell'],
    ['grantbox env --format dotenv --prefix VITE_OIDC_ > .env.local', 'write a file for a front end built with Vite'],
    ['grantbox env --format github >> "$GITHUB_ENV"', 'set the variables for the next steps of a workflow'],
    ['grantbox env --json | jq -r .OIDC_TOKEN_ENDPOINT', 'print one address'],
  ],
  async run(given, world) {
    const write = formats[formatOf(given, 'sh')];
    const prefix = prefixOf(given);
    const variables = variablesOf(await discover(await connectIssuer(given, world)), prefix);
    return done(write?.(variables) ?? '');
  },
};

/** Only addresses: an app is not configured with the lists and numbers of the metadata. */
function variablesOf({ issuer, members, url }: Metadata, prefix: string): readonly Variable[] {
  const addresses = Object.entries(members).filter((member): member is [string, string] => {
    const [name, value] = member;
    return typeof value === 'string' && /^[a-z_]+_(endpoint|uri|iframe)$/.test(name);
  });
  const named = addresses.map(([name, value]) => [prefix + name.toUpperCase(), value] as const);
  const variables: readonly Variable[] = [[`${prefix}ISSUER`, issuer], [`${prefix}DISCOVERY_URL`, url], ...named];
  const invalid = variables.find(([, value]) => /\p{Cc}/u.test(value));
  if (invalid === undefined) return variables;
  throw new CommandFailure(`the metadata value of ${invalid[0]} contains control characters; nothing was printed`);
}

function prefixOf(given: Given): string {
  const prefix = textOf(given, 'prefix') ?? 'OIDC_';
  if (prefix === 'none') return '';
  if (/^[A-Za-z_]\w*$/.test(prefix)) return prefix;
  throw new CommandFailure(
    `--prefix expects letters, digits and _, and no digit at the start; found ${JSON.stringify(prefix)}`,
  );
}

function lines(line: (variable: Variable) => string): (variables: readonly Variable[]) => string {
  return variables => variables.map(line).join('\n');
}
