import { hasDemoKey } from './assertion.ts';
import { isSelfSigned, issuingPath, needsCertificate } from './certificate.ts';
import { canBePlayed, clientOf } from './choices.ts';
import { canSignRequests, mustSignRequests } from './request-object.ts';
import type { PlaygroundRoom } from './room.ts';
import type { PlaygroundState } from './states.ts';
import { notes } from './words.ts';

/** A sentence for each thing that the client needs and the page does not have. */
export function notesOn(room: PlaygroundRoom, { client_id, grant }: PlaygroundState): readonly string[] {
  const client = clientOf(room, client_id);
  if (client === undefined) return [];
  const asks = grant.steps.some(({ fields }) => fields.some(({ name }) => name === 'response_type'));
  const usesTls = needsCertificate(client);
  const isSecure = room.desk.reach.scheme === 'https';
  const hasNoKey = client.token_endpoint_auth_methods.includes('self_signed_tls_client_auth') && !hasDemoKey(client);
  const found = {
    plain: usesTls && !isSecure,
    foreignCa: usesTls && isSecure && issuingPath(room) === undefined && !isSelfSigned(client),
    foreignCertificate: isSecure && hasNoKey,
    foreignKey: !canBePlayed(client),
    unsigned: asks && mustSignRequests(client) && !canSignRequests(client),
  };
  return Object.entries(notes).flatMap(([name, text]) => (found[name as keyof typeof found] ? [text] : [])); // the keys of the table
}
