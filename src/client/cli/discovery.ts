import { recordIn } from '../../base/text/record.ts';
import { discoveryPath, metadataUrl } from '../../server/wire/health.ts';
import type { Answered } from './ask.ts';
import { CommandFailure } from './command.ts';
import type { IssuerConnection } from './locate.ts';

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

/** Removes control characters from a text of a server, because a terminal would obey them. */
export function printable(text: string): string {
  return text.replace(/\p{Cc}+/gu, ' ').slice(0, 500);
}
