import type { Reply } from '../../src/protocol/endpoints/endpoint.ts';
import { clientConfiguration, register } from '../../src/protocol/endpoints/register.ts';
import { type Outbound, type OutboundAnswer, OutboundError } from '../../src/protocol/outbound.ts';
import type { Sent, TestServer } from './server.ts';

/** What a client registered, as the server tells it. */
export interface Information extends Readonly<Record<string, unknown>> {
  readonly client_id: string;
  readonly client_secret?: string;
  readonly registration_access_token: string;
  readonly registration_client_uri: string;
}

/** Complete metadata of a public client. */
export const spa = {
  client_name: 'An application',
  redirect_uris: ['http://localhost:5173/callback'],
  token_endpoint_auth_method: 'none',
};

/** Registers at a test server; the body of the answer. */
export async function registerClient(it: TestServer, metadata: unknown = spa, sent: Sent = {}): Promise<Information> {
  return bodyOf(await register(it.server, it.request({}, { json: metadata, ...sent })));
}

/** A request to the configuration endpoint of a client. */
export function manage(
  it: TestServer,
  method: 'GET' | 'PUT' | 'DELETE',
  { client_id, registration_access_token }: Pick<Information, 'client_id' | 'registration_access_token'>,
  json?: unknown,
): Promise<Reply> {
  return clientConfiguration(
    it.server,
    it.request(
      {},
      {
        method,
        path: `/connect/register/${client_id}`,
        authorization: `Bearer ${registration_access_token}`,
        ...(json === undefined ? {} : { json }),
      },
    ),
  );
}

/** The metadata of a registration, without what the server says of itself: what a PUT sends. */
export function sentAgain(information: Information): Record<string, unknown> {
  const {
    registration_access_token: _token,
    registration_client_uri: _uri,
    client_id_issued_at: _at,
    client_secret_expires_at: _until,
    ...metadata
  } = information;
  return metadata;
}

export function bodyOf(reply: Reply): Information {
  if (reply.kind !== 'json') throw new Error(`a ${reply.kind} and no JSON`);
  return reply.body as Information;
}

/** Documents at addresses, as somebody else's web server has them. */
export interface Documents extends Outbound {
  /** By address; may change. */
  readonly answers: Map<string, Partial<OutboundAnswer> | OutboundError>;
  /** Every address that was asked for, in order. */
  readonly asked: string[];
}

export function createDocuments(answers: Readonly<Record<string, Partial<OutboundAnswer> | OutboundError>>): Documents {
  const documents: Documents = {
    answers: new Map(Object.entries(answers)),
    asked: [],
    async get(url, { maxBytes = Number.POSITIVE_INFINITY } = {}) {
      documents.asked.push(url);
      const answer = documents.answers.get(url) ?? new OutboundError('unreachable', `nobody answers at ${url}`);
      if (answer instanceof OutboundError) throw answer;
      const complete = { status: 200, headers: { 'content-type': 'application/json' }, body: '', milliseconds: 1 };
      if ((answer.body ?? '').length > maxBytes) throw new OutboundError('too_large', 'the answer is too large');
      return { ...complete, ...answer };
    },
    post: async url => Promise.reject(new OutboundError('unreachable', `nobody answers at ${url}`)),
  };
  return documents;
}
