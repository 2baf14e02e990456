import type { RequestParameters } from '../../src/protocol/parameters.ts';
import { readRequestObject } from '../../src/protocol/requests/request-object.ts';
import { signer } from './request-objects.ts';
import type { TestServer } from './server.ts';

/** The parameters of a pushed request object of `signer`, as it is registered at this server. */
export async function readObject({ server, events }: TestServer, jwt: string): Promise<RequestParameters> {
  const client = server.clients.get(signer.client_id) ?? signer;
  const emit = (fact: (typeof events)[number]) => void events.push(fact);
  return readRequestObject({ server, client, emit, sentAs: 'pushed' }, jwt);
}
