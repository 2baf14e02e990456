import type { IncomingMessage } from 'node:http';
import type { IRouter } from 'express';
import type { AuthorizationServer } from '../../protocol/authorization-server.ts';
import type { RegisteredClient } from '../../protocol/clients/client.ts';
import { findClient } from '../../protocol/clients/find-client.ts';
import { sameName } from '../../protocol/clients/tls-client-authentication.ts';
import { invalidRequest } from '../../protocol/errors.ts';
import { parameter, type RequestParameters, shorten } from '../../protocol/parameters.ts';
import type { ClientAuthority, ClientCertificateOptions } from '../tls/client-authority.ts';
import type { CertifiedKey } from '../tls/tls-options.ts';
import type { Adapter } from './adapter.ts';
import { type Answer, textAnswer } from './answer.ts';
import { asJson } from './error-replies.ts';
import { mount } from './mount.ts';
import { certificateRoutes } from './other-routes.ts';
import { type CallCounts, createRateLimit } from './rate-limit.ts';
import { readOwnForm } from './read-parameters.ts';

/** Certificates made on start. */
export interface CertificateOptions {
  readonly ca?: string;
  readonly clients?: ClientAuthority;
}

interface MountOptions {
  readonly adapter: Adapter;
  readonly server: AuthorizationServer;
  /** The path of the issuer. */
  readonly base: string;
  readonly tls?: CertificateOptions | undefined;
  /** Requests per minute and address; 0 means no limit. */
  readonly rateLimit: number;
  readonly counts?: CallCounts | undefined;
}

/** Mounts the routes of the certificates that exist. Without a certificate its path is unknown. */
export function mountCertificates(app: IRouter, { adapter, server, base, tls, rateLimit, counts }: MountOptions): void {
  const { ca, clients } = tls ?? {};
  if (ca !== undefined) {
    const { name, path } = certificateRoutes.ca;
    mount(app, adapter, {
      name,
      path: base + path,
      form: asJson,
      GET: [adapter.answering(asJson, async () => caAnswer(ca))],
    });
  }
  if (clients !== undefined) {
    const { name, path } = certificateRoutes.clientCertificate;
    const issue = adapter.answering(asJson, req => clientCertificateAnswer(req, server, clients));
    const limit = createRateLimit({ name, limit: rateLimit, adapter, form: asJson, counts }); // each request generates a key pair
    mount(app, adapter, { name, path: base + path, form: asJson, POST: [limit, issue] });
  }
}

/** The CA certificate as a download: browsers offer to import it, and other programs read the file. */
function caAnswer(ca: string): Answer {
  return textAnswer('application/x-x509-ca-cert', ca, {
    'Content-Disposition': 'attachment; filename="grantbox-ca.pem"',
  });
}

/**
 * Issues a client certificate with its private key in one PEM file, the form that curl takes. The form fields name a
 * client, or the subject and alternative names.
 */
async function clientCertificateAnswer(
  req: IncomingMessage,
  server: AuthorizationServer,
  clients: ClientAuthority,
): Promise<Answer> {
  const { cert, key } = await issue(clients, await optionsOf(server, await readOwnForm(req)));
  return textAnswer('application/x-pem-file', key + cert, {
    'Content-Disposition': 'attachment; filename="client.pem"',
  });
}

async function issue(clients: ClientAuthority, options: ClientCertificateOptions): Promise<CertifiedKey> {
  const { subject_dn = '' } = options;
  if (subject_dn !== '' && sameName(subject_dn, subject_dn) === undefined) throw malformed(subject_dn);
  try {
    return await clients.issue(options);
  } catch (cause) {
    throw malformed(Object.values(options).join(', '), cause);
  }
}

function malformed(sent: string, cause?: unknown) {
  return invalidRequest('parameter_malformed', 'no certificate can be made with these names', {
    sent: shorten(sent),
    expected: 'subject_dn in the form of RFC 4514, such as CN=client,O=Example; san_dns, san_uri, san_ip, san_email',
    cause,
  });
}

const names = ['subject_dn', 'san_dns', 'san_uri', 'san_ip', 'san_email'] as const;

async function optionsOf(server: AuthorizationServer, form: RequestParameters): Promise<ClientCertificateOptions> {
  const client_id = parameter(form, 'client_id');
  if (client_id === undefined) return given(name => parameter(form, name));
  const client = await findClient(server, client_id);
  if (client === undefined) {
    const description = 'no client is registered with this client_id';
    throw invalidRequest('client_unknown', description, {
      sent: shorten(client_id),
      expected: 'a registered client_id',
    });
  }
  return { subject_dn: `CN=${escapeValue(client_id)}`, ...given(name => registered(client, name)) };
}

function registered(client: RegisteredClient, name: (typeof names)[number]): string | undefined {
  return client[`tls_client_auth_${name}`];
}

function given(read: (name: (typeof names)[number]) => string | undefined): ClientCertificateOptions {
  const pairs = names.map(name => [name, read(name)] as const);
  return Object.fromEntries(pairs.filter(([, value]) => value !== undefined));
}

/** RFC 4514 §2.4. */
function escapeValue(text: string): string {
  return text.replace(/[",+;<>\\]/g, '\\$&').replace(/^[ #]| $/g, '\\$&');
}
