import { SignJWT } from 'jose';
import type { RegisteredClient } from '../../../protocol/clients/client.ts';
import { demoKey } from '../../catalogue/demo-key.ts';
import { hasDemoKey, idField, privateDemoKey } from './credentials.ts';
import type { Step, StepField } from './grant.ts';

/** Whether the client sends its authorization requests as signed JWTs (RFC 9101 §10.5). */
export function mustSignRequests({
  require_signed_request_object,
  request_object_signing_alg,
}: RegisteredClient): boolean {
  return require_signed_request_object || request_object_signing_alg !== undefined;
}

/** Whether the page has the key for that. */
export function canSignRequests(client: RegisteredClient): boolean {
  return mustSignRequests(client) && hasDemoKey(client) && /^[RP]S/.test(algOf(client));
}

function algOf({ request_object_signing_alg = 'RS256' }: RegisteredClient): string {
  return request_object_signing_alg;
}

const rfc = 'RFC 9101 §4';
const own: readonly StepField[] = [
  { name: 'iss', value: '{client_id}', why: 'The app that signs.', rfc, in: 'claim' },
  {
    name: 'aud',
    value: '{issuer}',
    why: 'The server that may use it. Any other server must refuse it.',
    rfc,
    in: 'claim',
  },
  { name: 'exp', value: '{soon}', why: 'The JWT ends at this time, in seconds since 1970.', rfc, in: 'claim' },
  { ...idField, why: 'Must be the same as the parameter.', rfc: 'RFC 9101 §5', in: 'claim' },
];

const requestField: StepField = {
  name: 'request',
  value: '{request}',
  why: 'The claims below as a JWT that the app signed. Nobody on the way can change them.',
  rfc: 'RFC 9101 §5.1',
};

/** The parameters of a step as claims of a request object. A pushed request names its client by the client authentication. */
export function inObject({ by, fields }: Step): readonly StepField[] {
  const claims = fields.filter(({ name }) => name !== 'client_id').map(field => ({ ...field, in: 'claim' as const }));
  return [...(by === 'return' ? [idField] : []), requestField, ...own, ...claims];
}

export async function signRequest(
  client: RegisteredClient,
  claims: readonly (readonly [name: string, value: string])[],
): Promise<string> {
  const alg = algOf(client);
  const values = claims.map(([name, value]) => [name, name === 'exp' && /^\d+$/.test(value) ? Number(value) : value]);
  return new SignJWT(Object.fromEntries(values))
    .setProtectedHeader({ alg, kid: demoKey.kid, typ: 'oauth-authz-req+jwt' })
    .sign(await privateDemoKey(alg));
}
