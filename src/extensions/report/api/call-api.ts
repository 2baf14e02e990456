import { CommandFailure, type Flag, type Given, textOf } from '../../../client/cli/command.ts';
import { connectionFlags, controlFlag } from '../../../client/cli/connection.ts';
import { ApiSilent, callApi } from './api-call.ts';

/**
 * Calls an API once, for a command.
 * @throws CommandFailure if the API does not answer
 */
export async function answerOf(...asked: Parameters<typeof callApi>): ReturnType<typeof callApi> {
  try {
    return await callApi(...asked);
  } catch (error) {
    throw silenceOf(error);
  }
}

/** The failure of a command whose API does not answer. */
export function silenceOf(error: unknown): unknown {
  return error instanceof ApiSilent ? new CommandFailure(error.message, 2, 'Start it, or correct its address.') : error;
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
