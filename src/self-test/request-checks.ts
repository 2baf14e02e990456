import { refusedTokens } from './ask.ts';
import { authorize, authorizeWell, logIn, redemptionOf, type Travel } from './authorization.ts';
import type { Bench } from './bench.ts';
import { attemptIn, type Checks } from './check.ts';
import { unique } from './client-keys.ts';
import { BrokenPromise, demand } from './demand.ts';
import type { Json } from './json.ts';
import { registerClient, type TestClient } from './test-client.ts';
import { idTokenClaims } from './verify.ts';

/** How authorization requests come, and how the answers go. */
export const requestChecks: Checks = {
  authorization_endpoint: {
    promise: 'a login that ends with a code',
    attempt: async bench => logIn(bench, await registerClient(bench)),
  },
  response_types_supported: { promise: 'answers of this response type', attempt: checkResponseType },
  response_modes_supported: { promise: 'answers that travel like this', attempt: checkResponseMode },
  code_challenge_methods_supported: {
    promise: 'PKCE by this method',
    attempt: (bench, method) => attemptIn({ S256: checkPkce }, bench, method),
  },
  authorization_response_iss_parameter_supported: {
    promise: 'iss in each answer (RFC 9207)',
    async attempt(bench, value) {
      const { parameters } = await authorizeWell(bench, await registerClient(bench));
      const isThere = parameters.iss === bench.subject.issuer;
      demand(isThere === (value === 'true'), `iss is ${parameters.iss ?? 'missing'}`);
    },
  },
  pushed_authorization_request_endpoint: {
    promise: 'a login by a pushed request',
    attempt: async bench => logIn(bench, await registerClient(bench), {}, { isPushed: true }),
  },
  require_pushed_authorization_requests: {
    promise: 'only pushed requests where it is true, others too where it is false',
    attempt: (bench, value) => checkDemanded(bench, value, { isPushed: false }),
  },
  request_parameter_supported: { promise: 'request objects by value', attempt: checkRequestParameter },
  request_uri_parameter_supported: { promise: 'request objects by reference', attempt: checkRequestUri },
  require_request_uri_registration: {
    promise: 'no request object from an address that is not registered',
    async attempt(bench) {
      const client = await registerClient(bench);
      const publish = (jwt: string) => bench.site.publish(`/${unique()}`, 'application/jwt', jwt);
      const error = await refusal(bench, client, {}, { isPushed: false, isSigned: true, publish });
      demand(error !== undefined, 'one was taken');
    },
  },
  require_signed_request_object: {
    promise: 'only signed requests where it is true, others too where it is false',
    attempt: (bench, value) => checkDemanded(bench, value, { isSigned: false }),
  },
  request_object_signing_alg_values_supported: {
    promise: 'request objects by this algorithm',
    async attempt(bench, alg) {
      const client = await registerClient(bench, { request_object_signing_alg: alg });
      await authorizeWell(bench, client, {}, { isSigned: true, alg });
    },
  },
  authorization_signing_alg_values_supported: {
    promise: 'answers signed by this algorithm',
    async attempt(bench, alg) {
      const client = await registerClient(bench, { authorization_signed_response_alg: alg });
      const { signedBy } = await authorizeWell(bench, client, { response_mode: 'jwt' });
      demand(signedBy === alg, `it is signed by ${signedBy ?? 'nothing'}`);
    },
  },
  authorization_details_types_supported: { promise: 'authorization details of this type', attempt: checkDetails },
};

/** OAuth 2.0 Multiple Response Types §3, §5: what was asked for, and tokens never in a query. */
async function checkResponseType(bench: Bench, type: string): Promise<void> {
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

async function checkResponseMode(bench: Bench, mode: string): Promise<void> {
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
async function checkPkce(bench: Bench): Promise<void> {
  const client = await registerClient(bench);
  await logIn(bench, client);
  const response = await authorizeWell(bench, client);
  const wrong = { ...redemptionOf(client, response), code_verifier: unique() };
  const error = await refusedTokens(bench, client, wrong);
  demand(error === 'invalid_grant', `a wrong verifier was refused with ${error}`);
}

/** A request in the form that is not demanded: taken where the document says so. */
async function checkDemanded(bench: Bench, value: string, travel: Travel): Promise<void> {
  const error = await refusal(bench, await registerClient(bench), {}, travel);
  if (value === 'true') demand(error !== undefined, 'another request was taken');
  else demand(error === undefined, `another request was refused: ${error}`);
}

async function checkRequestParameter(bench: Bench, value: string): Promise<void> {
  const client = await registerClient(bench);
  const error = await refusal(bench, client, {}, { isSigned: true, alg: 'ES256' });
  if (value === 'true') demand(error === undefined, `it was refused: ${error}`);
  else demand(error !== undefined, 'one was taken');
}

async function checkRequestUri(bench: Bench, value: string): Promise<void> {
  const path = `/${unique()}`;
  const publish = (jwt: string) => bench.site.publish(path, 'application/oauth-authz-req+jwt', jwt);
  const client = await registerClient(bench, { request_uris: [bench.site.url + path] });
  const error = await refusal(bench, client, {}, { isPushed: false, isSigned: true, alg: 'ES256', publish });
  if (value === 'true') demand(error === undefined, `it was refused: ${error}`);
  else demand(error !== undefined, 'one was taken');
}

/** What is wrong with a request, at the redirect URI or on a page; undefined where nothing is. */
async function refusal(
  bench: Bench,
  client: TestClient,
  changes: Readonly<Record<string, string>>,
  travel: Travel,
): Promise<string | undefined> {
  try {
    return (await authorize(bench, client, changes, travel)).parameters.error;
  } catch (error) {
    if (error instanceof BrokenPromise) return error.message;
    throw error;
  }
}

/** RFC 9396 §7: what was asked for is in the token response. */
async function checkDetails(bench: Bench, type: string): Promise<void> {
  const example: Json = { ...bench.subject.exampleDetails.get(type), type };
  const client = await registerClient(bench);
  const { tokens } = await logIn(bench, client, { authorization_details: JSON.stringify([example]) });
  const granted = tokens.authorization_details;
  const types = Array.isArray(granted) ? granted.map(detail => detail?.type) : [];
  demand(types.includes(type), `the token response has ${types.length === 0 ? 'no details' : types.join(', ')}`);
}
