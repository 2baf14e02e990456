import { defined } from '../../base/defined.ts';
import { recordIn } from '../../base/text/record.ts';
import { CommandFailure } from './command.ts';
import type { Connection } from './connection.ts';
import type { Metadata } from './discovery.ts';
import { refusalOf } from './refused.ts';

/** The client and its credentials. */
export interface AskingClient {
  readonly client_id: string;
  /** Absent for a public client. */
  readonly client_secret?: string;
  readonly method: 'basic' | 'post';
}

/** A token response (RFC 6749 §5.1), unchanged. */
export type TokenAnswer = Readonly<Record<string, unknown>> & { readonly access_token: string };

/**
 * Posts a form to the token endpoint.
 * @throws CommandFailure with the error of the sandbox
 */
export async function requestTokens(
  connection: Connection,
  metadata: Metadata,
  client: AskingClient,
  form: Readonly<Record<string, string>>,
): Promise<TokenAnswer> {
  const { client_id, client_secret, method } = client;
  const isBasic = client_secret !== undefined && method === 'basic';
  const named = isBasic ? {} : { client_id, ...defined({ client_secret }) };
  const answered = await connection.ask(endpointIn(connection, metadata, 'token_endpoint'), {
    method: 'POST',
    headers: {
      Accept: 'application/json',
      'Content-Type': 'application/x-www-form-urlencoded',
      ...(isBasic ? { Authorization: basic(client_id, client_secret) } : {}),
    },
    body: new URLSearchParams({ ...form, ...named }).toString(),
  });
  const body = recordIn(answered.text);
  if (answered.status === 200 && typeof body?.access_token === 'string')
    return { ...body, access_token: body.access_token };
  throw refusalOf('the token endpoint', answered, adviceFor(client));
}

/**
 * The URL of an endpoint for this machine. Endpoints below the issuer are moved below the given address, because the sandbox may
 * have a different address in a container.
 */
export function endpointIn(connection: Connection, metadata: Metadata, name: string): URL {
  const value = metadata.members[name];
  if (typeof value !== 'string' || !URL.canParse(value))
    throw new CommandFailure(`the metadata of ${connection.base} has no ${name}`);
  return reachable(connection, metadata, new URL(value));
}

/** Moves a URL from the origin of the issuer to the origin of the given address. */
export function reachable({ base }: Connection, { origin }: Metadata, url: URL): URL {
  return url.origin === origin ? new URL(url.pathname + url.search, new URL(base).origin) : url;
}

/** Both are form-encoded first (RFC 6749 §2.3.1). */
function basic(client_id: string, secret: string): string {
  const encoded = (text: string) => new URLSearchParams({ '': text }).toString().slice(1);
  return `Basic ${Buffer.from(`${encoded(client_id)}:${encoded(secret)}`).toString('base64')}`;
}

function adviceFor({ client_id, client_secret, method }: AskingClient): Readonly<Record<string, string>> {
  const other = method === 'basic' ? 'post' : 'basic';
  return {
    invalid_client:
      client_secret === undefined
        ? `Check --client against the clients in the dashboard; if ${client_id} has a secret, give it with --secret.`
        : `Check --secret against the dashboard. If it is right, ${client_id} may use a different method: try --auth ${other}.`,
    unauthorized_client: 'If the client signs users in, name a user, such as --user alice.',
  };
}
