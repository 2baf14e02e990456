import { defined } from '../../../src/base/defined.ts';
import { logIn } from './authorization.ts';
import { type Bench, offers } from './bench.ts';
import { unique } from './client-keys.ts';
import { demand, NotExercised } from './demand.ts';
import type { TestAnswer } from './http.ts';
import { describe, type Json, jsonOf, listOf, textOf } from './json.ts';
import { certify, needsCertificate, redirectUri, type TestClient, usualProofAlg } from './test-client.ts';

/** Tests registration with every advertised algorithm, then update and deletion (RFC 7591 §3, RFC 7592 §2). */
export async function probeRegistration(bench: Bench, url: string): Promise<void> {
  await Promise.all(algsToPrepare(bench).map(metadata => registerAndRemove(bench, url, metadata)));
}

async function registerAndRemove(bench: Bench, url: string, algs: Json): Promise<void> {
  const metadata = { redirect_uris: [redirectUri], ...keysOf(bench), ...algs };
  const registered = await registerAt(bench, url, metadata);
  const different = Object.keys(algs).find(member => registered[member] !== algs[member]);
  demand(different === undefined, `${different} is ${registered[different ?? '']}, not ${algs[different ?? '']}`);
  const token = textOf(registered, 'registration_access_token');
  const own = textOf(registered, 'registration_client_uri');
  const changed = { ...metadata, client_id: registered.client_id, client_name: 'Changed' };
  const put = await manage(bench, 'PUT', own, token, changed);
  demand(
    put.status === 200 && jsonOf(put).client_name === 'Changed',
    `the update of the registration was answered with ${describe(put)}`,
  );
  const still = String(jsonOf(put).registration_access_token ?? token);
  const deleted = await manage(bench, 'DELETE', own, still);
  demand(deleted.status === 204, `the deletion of the registration was answered with ${describe(deleted)}`);
  const gone = await manage(bench, 'GET', own, still);
  demand(gone.status === 401, `the deleted registration was answered with ${describe(gone)}`);
}

async function registerAt({ http }: Bench, url: string, metadata: Json): Promise<Json> {
  const answer = await http.send(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(metadata),
  });
  demand(answer.status === 201, `registration answered ${describe(answer)}`);
  return jsonOf(answer);
}

function manage({ http }: Bench, method: string, url: string, token: string, body?: Json): Promise<TestAnswer> {
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
  return http.send(url, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
}

/** Client metadata members by the list of their allowed values. */
const algMembers = {
  id_token_signing_alg_values_supported: 'id_token_signed_response_alg',
  userinfo_signing_alg_values_supported: 'userinfo_signed_response_alg',
  introspection_signing_alg_values_supported: 'introspection_signed_response_alg',
  authorization_signing_alg_values_supported: 'authorization_signed_response_alg',
  request_object_signing_alg_values_supported: 'request_object_signing_alg',
} as const;

/** Sets of metadata: the n-th set has the n-th algorithm of each list. */
function algsToPrepare({ metadata }: Bench): readonly Json[] {
  const lists = Object.entries(algMembers).map(([list, member]) => ({ member, algs: listOf(metadata, list) }));
  const most = Math.max(...lists.map(({ algs }) => algs.length));
  return Array.from({ length: most }, (_, index) =>
    Object.fromEntries(lists.flatMap(({ member, algs }) => (algs[index] === undefined ? [] : [[member, algs[index]]]))),
  );
}

/** Keys and an authentication method without a secret, because the server may not allow secrets. */
function keysOf(bench: Bench): Json {
  const method = ['private_key_jwt', 'none'].find(each => offers(bench, 'token_endpoint_auth_methods_supported', each));
  return { jwks: bench.keys.publicKeys, ...defined({ token_endpoint_auth_method: method }) };
}

/** Tests a client_id that is a metadata URL (draft-ietf-oauth-client-id-metadata-document §3, §4), on this machine only. */
export async function probeMetadataDocument(bench: Bench): Promise<void> {
  const { hostname } = new URL(bench.subject.issuer);
  if (!['localhost', '127.0.0.1', '[::1]'].includes(hostname)) {
    throw new NotExercised('the issuer is not on this machine, so it refuses documents on this machine');
  }
  const path = `/${unique()}`;
  const client_id = bench.site.url + path;
  const method = offers(bench, 'token_endpoint_auth_methods_supported', 'none') ? 'none' : 'private_key_jwt';
  const isCertified = needsCertificate(bench);
  const metadata = {
    client_id,
    client_name: 'Test',
    redirect_uris: [redirectUri],
    token_endpoint_auth_method: method,
    jwks: bench.keys.publicKeys,
    tls_client_certificate_bound_access_tokens: isCertified,
  };
  bench.site.publish(path, 'application/json', JSON.stringify(metadata));
  const proofAlg = usualProofAlg(bench);
  const client: TestClient = {
    client_id,
    secret: '',
    method,
    assertionAlg: 'ES256',
    redirectUri,
    metadata,
    ...defined({ proofAlg }),
    ...(isCertified ? { identity: await certify(bench, 'test') } : {}),
  };
  await logIn(bench, client);
}
