import { refusedTokens } from './ask.ts';
import { authorize, authorizeWell, logIn, redemptionOf, type Travel } from './authorization.ts';
import type { Bench, Probe } from './bench.ts';
import { unique } from './client-keys.ts';
import { BrokenPromise, demand } from './demand.ts';
import type { Json } from './json.ts';
import { registerClient, type TestClient } from './test-client.ts';
import { idTokenClaims } from './verify.ts';

export async function probeIss(bench: Bench, value: string): Promise<void> {
  const { parameters } = await authorizeWell(bench, await registerClient(bench));
  const isThere = parameters.iss === bench.subject.issuer;
  demand(isThere === (value === 'true'), `iss is ${parameters.iss ?? 'missing'}`);
}

export async function probePushed(bench: Bench): Promise<void> {
  await logIn(bench, await registerClient(bench), {}, { isPushed: true });
}

export async function probeRequestAlg(bench: Bench, alg: string): Promise<void> {
  const client = await registerClient(bench, { request_object_signing_alg: alg });
  await authorizeWell(bench, client, {}, { isSigned: true, alg });
}

export async function probeResponseAlg(bench: Bench, alg: string): Promise<void> {
  const client = await registerClient(bench, { authorization_signed_response_alg: alg });
  const { signedBy } = await authorizeWell(bench, client, { response_mode: 'jwt' });
  demand(signedBy === alg, `it is signed by ${signedBy ?? 'nothing'}`);
}

/** OAuth 2.0 Multiple Response Types §3, §5: what was asked for, and tokens never in a query. */
export async function probeResponseType(bench: Bench, type: string): Promise<void> {
  const words = type.split(' ');
  const isPlain = type === 'code';
  const grant_types = [...(words.includes('code') ? ['authorization_code'] : []), ...(isPlain ? [] : ['implicit'])];
  const client = await registerClient(bench, {
    grant_types,
    response_types: [type],
  });
  const { parameters, place, asked } = await authorizeWell(bench, client, { response_type: type });
  const members = { code: 'code', token: 'access_token', id_token: 'id_token' } as const;
  for (const [word, member] of Object.entries(members)) {
    demand(member in parameters === words.includes(word), `${member} is ${member in parameters ? 'there' : 'missing'}`);
  }
  demand(isPlain || place !== 'query', 'tokens came in a query');
  if (parameters.id_token === undefined) return;
  const { nonce } = await idTokenClaims(bench, client, parameters.id_token);
  demand(nonce === asked.nonce, 'the ID Token has another nonce than the request');
}

export async function probeResponseMode(bench: Bench, mode: string): Promise<void> {
  const client = await registerClient(bench);
  const { place, signedBy } = await authorizeWell(bench, client, { response_mode: mode });
  const [form = ''] = mode === 'jwt' ? ['query'] : mode.split('.');
  demand(place === form, `the answer came in the ${place}`);
  demand(
    (signedBy !== undefined) === mode.endsWith('jwt'),
    signedBy === undefined ? 'it is not signed' : 'it is signed',
  );
}

/** RFC 7636 §4.6, and that the challenge is looked at. */
export async function probePkce(bench: Bench): Promise<void> {
  const client = await registerClient(bench);
  await logIn(bench, client);
  const response = await authorizeWell(bench, client);
  const wrong = { ...redemptionOf(client, response), code_verifier: unique() };
  const error = await refusedTokens(bench, client, wrong);
  demand(error === 'invalid_grant', `a wrong verifier was refused with ${error}`);
}

/** A request in the form that is not demanded: taken where the document says so. */
export function probeDemand(travel: Travel): Probe {
  return async (bench, value) => demandTaken(bench, value === 'false', await registerClient(bench), travel);
}

export async function probeRequestParameter(bench: Bench, value: string): Promise<void> {
  await demandTaken(bench, value === 'true', await registerClient(bench), { isSigned: true, alg: 'ES256' });
}

export async function probeRequestUri(bench: Bench, value: string): Promise<void> {
  const path = `/${unique()}`;
  const client = await registerClient(bench, { request_uris: [bench.site.url + path] });
  await demandTaken(bench, value === 'true', client, atSite(bench, path));
}

export async function probeUnregisteredUri(bench: Bench): Promise<void> {
  await demandTaken(bench, false, await registerClient(bench), atSite(bench, `/${unique()}`));
}

/** Signed, and read by the server at an address of the client. */
function atSite({ site }: Bench, path: string): Travel {
  const publish = (jwt: string) => site.publish(path, 'application/oauth-authz-req+jwt', jwt);
  return { isPushed: false, isSigned: true, alg: 'ES256', publish };
}

async function demandTaken(bench: Bench, isTaken: boolean, client: TestClient, travel: Travel): Promise<void> {
  const error = await refusal(bench, client, travel);
  if (isTaken) demand(error === undefined, `it was refused: ${error}`);
  else demand(error !== undefined, 'one was taken');
}

/** What is wrong with a request, at the redirect URI or on a page; undefined where nothing is. */
async function refusal(bench: Bench, client: TestClient, travel: Travel): Promise<string | undefined> {
  try {
    return (await authorize(bench, client, {}, travel)).parameters.error;
  } catch (error) {
    if (error instanceof BrokenPromise) return error.message;
    throw error;
  }
}

/** RFC 9396 §7: what was asked for is in the token response. */
export async function probeDetails(bench: Bench, type: string): Promise<void> {
  const example: Json = { ...bench.subject.exampleDetails.get(type), type };
  const client = await registerClient(bench);
  const { tokens } = await logIn(bench, client, { authorization_details: JSON.stringify([example]) });
  const granted = tokens.authorization_details;
  const types = Array.isArray(granted) ? granted.map(detail => detail?.type) : [];
  demand(types.includes(type), `the token response has ${types.length === 0 ? 'no details' : types.join(', ')}`);
}
