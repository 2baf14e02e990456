import { recordIn } from '../text/record.ts';
import type { Answered } from './ask.ts';
import { CommandFailure } from './command.ts';
import type { Connection } from './connection.ts';

/** The metadata of an issuer (OpenID Connect Discovery 1.0 §3). */
export interface Metadata {
  readonly issuer: string;
  /** All members, the issuer included. */
  readonly members: Readonly<Record<string, unknown>>;
}

export const discoveryPath = '/.well-known/openid-configuration';

/** @throws CommandFailure if there is no answer, or not an answer of an issuer */
export async function discover({ ask, base }: Connection, timeoutSeconds?: number): Promise<Metadata> {
  const answered = await ask(discoveryPath, timeoutSeconds === undefined ? {} : { timeoutSeconds });
  const members = answered.status === 200 ? recordIn(answered.text) : undefined;
  if (typeof members?.issuer === 'string') return { issuer: members.issuer, members };
  throw new CommandFailure(`${base}${discoveryPath} ${whyNot(base, answered)}`, 2);
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

/** Removes control characters from a text of a server, because a terminal would obey them. */
export function printable(text: string): string {
  return text.replace(/\p{Cc}+/gu, ' ').slice(0, 500);
}
