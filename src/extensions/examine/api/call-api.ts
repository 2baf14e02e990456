import { CommandFailure, type Flag, type Given, textOf } from '../../../client/cli/command.ts';
import { connectionFlags, controlFlag } from '../../../client/cli/connection.ts';
import { send } from '../../../server/wire/send.ts';

/** Milliseconds after which a library may fetch keys again. */
export const cooldown = 31_000;

/** Headers of a GET, and a query that is added to the address. */
interface Call {
  readonly headers: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
}

/**
 * Calls an API once.
 * @throws CommandFailure if the API does not answer
 */
export async function answerOf(
  api: URL,
  { headers, query = {} }: Call,
  { isInsecure }: { readonly isInsecure: boolean },
) {
  const url = new URL(api);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  try {
    const sent = { headers, timeoutSeconds: 10, maxBytes: 1_000_000, rejectUnauthorized: !isInsecure };
    const { status, headers: answered } = await send(url, sent);
    const challenge = answered['www-authenticate'];
    return challenge === undefined ? { status } : { status, challenge };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    throw new CommandFailure(`your API at ${api} did not answer (${code})`, 2, 'Start it, or correct its address.');
  }
}

/** @throws CommandFailure if the flag is no address */
export function apiIn(given: Given, flag: string): URL {
  const typed = textOf(given, flag) ?? '';
  const url = URL.canParse(typed) ? new URL(typed) : undefined;
  if (url !== undefined && /^https?:$/.test(url.protocol)) return url;
  const found = typed === '' ? 'is missing' : `is ${JSON.stringify(typed)}`;
  throw new CommandFailure(`--${flag} ${found}: give the address of your API, such as http://localhost:8080/bikes`);
}

/** The flags that say where the sandbox is, in a command whose `--url` is the address of an API. */
export function sandboxFlags(fallback: string): readonly Flag[] {
  return [
    { name: 'sandbox', value: '<url>', about: 'Address of the sandbox', fallback },
    ...connectionFlags.filter(({ name }) => name !== 'url'),
    controlFlag,
  ];
}

/** The values of these flags, under the names that other commands have for them. */
export function sandboxGiven({ words, flags }: Given, address?: string): Given {
  const { url: _, sandbox, ...others } = flags;
  const url = sandbox ?? (address === undefined ? undefined : [address]);
  return { words, flags: url === undefined ? others : { ...others, url } };
}

/** Names the flag that this command has for the address of the sandbox, in place of `--url`. */
export function withSandboxFlag(error: unknown): unknown {
  if (!(error instanceof CommandFailure)) return error;
  return new CommandFailure(error.message.replaceAll('--url', '--sandbox'), error.code);
}
