import type { RegisteredClient } from '../../../protocol/clients/client.ts';
import { certificateField, showsCertificate } from './certificate.ts';
import { credentials } from './credentials.ts';
import type { Step, StepField } from './grant.ts';
import { canSignRequests, inObject } from './request-object.ts';
import { bearer, boundToken, dpopProof } from './steps.ts';

/** The fields of a step as this client must send them: with its credentials, its certificate, its proof, its signature. */
export function fieldsFor(step: Step, client: RegisteredClient | undefined, isSecure: boolean): readonly StepField[] {
  const own = step.authenticates ? credentials(client) : [];
  if (client === undefined) return [...own, ...step.fields];
  const isRequest = step.fields.some(({ name }) => name === 'response_type');
  const asked = isRequest && canSignRequests(client) ? inObject(step) : bound(step, client);
  const isNotified =
    client.backchannel_token_delivery_mode === 'ping' && step.endpoint === 'backchannel_authentication';
  return [
    ...(isSecure && showsCertificate(client, step) ? [certificateField] : []),
    ...own,
    ...asked,
    ...(isNotified ? [notificationField] : []),
  ];
}

const notificationField: StepField = {
  name: 'client_notification_token',
  value: 'playground-notification',
  why: 'The server sends it with its notification, so that the application knows the sender.',
  rfc: 'CIBA Core §7.1',
};

/** With DPoP where the client is registered for it (RFC 9449 §5.2). */
function bound({ endpoint, fields }: Step, client: RegisteredClient): readonly StepField[] {
  if (client.dpop_bound_access_tokens !== true || fields.includes(dpopProof)) return fields;
  if (endpoint === 'token') return [dpopProof, ...fields];
  return fields.flatMap(field => (field === bearer ? [boundToken, dpopProof] : [field]));
}
