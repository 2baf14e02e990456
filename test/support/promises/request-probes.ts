import { CompactEncrypt, importJWK, type JWK } from 'jose';
import { refusedTokens } from './ask.ts';
import { authorize, authorizeWell, logIn, redemptionOf, type Travel } from './authorization.ts';
import { type Bench, endpoint, type Probe } from './bench.ts';
import { unique } from './client-keys.ts';
import { BrokenPromise, demand } from './demand.ts';
import { type Json, jsonOf } from './json.ts';
import { registerClient, type TestClient } from './test-client.ts';
import { idTokenClaims } from './verify.ts';

/** Tests iss in the authorization response (RFC 9207 §2). */
export async function probeIss(bench: Bench, value: string): Promise<void> {
  const { parameters } = await authorizeWell(bench, await registerClient(bench));
  const isThere = parameters.iss === bench.subject.iss;
  demand(isThere === (value === 'true'), `iss is ${parameters.iss ?? 'missing'}`);
}

/** Tests a login by a pushed request (RFC 9126). */
export async function probePushed(bench: Bench): Promise<void> {
  await logIn(bench, await registerClient(bench), {}, { isPushed: true });
}

/** Tests a signed request object (RFC 9101). */
export async function probeRequestAlg(bench: Bench, alg: string): Promise<void> {
  const client = await registerClient(bench, { request_object_signing_alg: alg });
  await authorizeWell(bench, client, {}, { isSigned: true, alg });
}

/** Tests an encrypted request object (RFC 9101 §6.1) with one of its two algorithms; the other one is a common algorithm. */
export function probeSealedRequest(tried: 'alg' | 'enc'): Probe {
  return async (bench, value) => {
    const alg = tried === 'alg' ? value : 'ECDH-ES';
    const enc = tried === 'enc' ? value : 'A128GCM';
    const { keys } = jsonOf(await bench.http.send(endpoint(bench, 'jwks_uri')));
    const kty = alg.startsWith('RSA') ? 'RSA' : 'EC';
    const key = (keys as readonly JWK[]).find(each => each.use === 'enc' && each.kty === kty);
    if (key === undefined) throw new BrokenPromise(`the JWK Set has no ${kty} key with use enc`);
    const seal = async (jwt: string) =>
      new CompactEncrypt(new TextEncoder().encode(jwt))
        .setProtectedHeader({ alg, enc, cty: 'oauth-authz-req+jwt' })
        .encrypt(await importJWK(key, alg));
    await authorizeWell(bench, await registerClient(bench), {}, { isSigned: true, seal });
  };
}

export async function probeResponseAlg(bench: Bench, alg: string): Promise<void> {
  const client = await registerClient(bench, { authorization_signed_response_alg: alg });
  const { signedBy } = await authorizeWell(bench, client, { response_mode: 'jwt' });
  demand(signedBy === alg, `the response is signed by ${signedBy ?? 'nothing'}`);
}

/** Tests a response type: exactly the requested members, and no token in a query (OAuth 2.0 Multiple Response Types §3, §5). */
export async function probeResponseType(bench: Bench, type: string): Promise<void> {
  endpoint(bench, 'authorization_endpoint');
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
    demand(
      member in parameters === words.includes(word),
      `${member} is ${member in parameters ? 'present' : 'missing'}`,
    );
  }
  demand(isPlain || place !== 'query', 'tokens were returned in the query');
  if (parameters.id_token === undefined) return;
  const { nonce } = await idTokenClaims(bench, client, parameters.id_token);
  demand(nonce === asked.nonce, 'the nonce of the ID token differs from that of the request');
}

/** Tests the place and the signature of a response by its response mode. */
export async function probeResponseMode(bench: Bench, mode: string): Promise<void> {
  const client = await registerClient(bench);
  const { place, signedBy } = await authorizeWell(bench, client, { response_mode: mode });
  const [form = ''] = mode === 'jwt' ? ['query'] : mode.replace(/^.+_message$/, 'message').split('.');
  demand(place === form, `the response was in the ${place}`);
  demand(
    (signedBy !== undefined) === mode.endsWith('jwt'),
    signedBy === undefined ? 'the response is not signed' : 'the response is signed',
  );
}

/** Tests that a matching code_verifier is accepted and a wrong one refused (RFC 7636 §4.6). */
export async function probePkce(bench: Bench): Promise<void> {
  const client = await registerClient(bench);
  await logIn(bench, client);
  const response = await authorizeWell(bench, client);
  const wrong = { ...redemptionOf(client, response), code_verifier: unique() };
  const error = await refusedTokens(bench, client, wrong);
  demand(error === 'invalid_grant', `a wrong verifier was refused with ${error}`);
}

/** Makes a probe that sends a request in the form that is not required; it must be accepted only if the value is `false`. */
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

/** Tests that an unregistered request_uri is refused. */
export async function probeUnregisteredUri(bench: Bench): Promise<void> {
  await demandTaken(bench, false, await registerClient(bench), atSite(bench, `/${unique()}`));
}

/** Sends a signed request object by reference to a URL of the client. */
function atSite({ site }: Bench, path: string): Travel {
  const publish = (jwt: string) => site.publish(path, 'application/oauth-authz-req+jwt', jwt);
  return { isPushed: false, isSigned: true, alg: 'ES256', publish };
}

async function demandTaken(bench: Bench, isTaken: boolean, client: TestClient, travel: Travel): Promise<void> {
  const error = await refusal(bench, client, travel);
  if (isTaken) demand(error === undefined, `the request was refused: ${error}`);
  else demand(error !== undefined, 'the request was accepted');
}

/** The error of a request, from the redirect URI or an error page; undefined if it was accepted. */
async function refusal(bench: Bench, client: TestClient, travel: Travel): Promise<string | undefined> {
  try {
    return (await authorize(bench, client, {}, travel)).parameters.error;
  } catch (error) {
    if (error instanceof BrokenPromise) return error.message;
    throw error;
  }
}

/** A valid authorization detail of each type of the demo. */
const details: Readonly<Record<string, Json>> = {
  payment_initiation: { instructedAmount: { currency: 'EUR', amount: '1' }, creditorName: 'Test' },
};

/** Tests that the token response has the requested authorization details (RFC 9396 §7). */
export async function probeDetails(bench: Bench, type: string): Promise<void> {
  const client = await registerClient(bench);
  const { tokens } = await logIn(bench, client, {
    authorization_details: JSON.stringify([{ ...details[type], type }]),
  });
  const granted = tokens.authorization_details;
  const types = Array.isArray(granted) ? granted.map(detail => detail?.type) : [];
  demand(types.includes(type), `the token response has ${types.length === 0 ? 'no details' : types.join(', ')}`);
}
