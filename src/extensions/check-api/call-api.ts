import { CommandFailure, type Flag, type Given, textOf } from '../../client/cli/command.ts';
import { connectionFlags, controlFlag } from '../../client/cli/connection.ts';
import { send } from '../../server/wire/send.ts';

/** Milliseconds after which a library may fetch keys again. */
export const cooldown = 31_000;

/** A GET of an API, by the name of its case. */
export interface ApiCall<Name extends string> {
  readonly case: Name;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Makes one call after the other, because the first call makes the API fetch the keys.
 * @throws CommandFailure if the API does not answer
 */
export async function answersOf<Name extends string>(
  api: URL,
  calls: readonly ApiCall<Name>[],
  { isInsecure }: { readonly isInsecure: boolean },
) {
  const answers: { readonly case: Name; readonly status: number; readonly challenge?: string }[] = [];
  for (const { case: name, headers } of calls) {
    try {
      const sent = { headers, timeoutSeconds: 10, maxBytes: 1_000_000, rejectUnauthorized: !isInsecure };
      const { status, headers: answered } = await send(api, sent);
      answers.push({ case: name, status, challenge: answered['www-authenticate'] });
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
      throw new CommandFailure(`your API at ${api} did not answer (${code})`, 2, 'Start it, or correct its address.');
    }
  }
  return answers;
}

/** @throws CommandFailure if `--url` is no address */
export function apiIn(given: Given): URL {
  const typed = textOf(given, 'url') ?? '';
  const url = URL.canParse(typed) ? new URL(typed) : undefined;
  if (url !== undefined && /^https?:$/.test(url.protocol)) return url;
  const found = typed === '' ? 'is missing' : `is ${JSON.stringify(typed)}`;
  throw new CommandFailure(`--url ${found}: give the address of your API, such as http://localhost:8080/bikes`);
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
