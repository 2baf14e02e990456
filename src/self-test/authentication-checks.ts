import { ask } from './ask.ts';
import { logIn } from './authorization.ts';
import { type Bench, endpoint, offers } from './bench.ts';
import type { Checks, PromiseCheck } from './check.ts';
import { demand } from './demand.ts';
import { describe, textOf } from './json.ts';
import { registerClient, type TestClient, type TestClientForm } from './test-client.ts';
import { granted } from './token-checks.ts';

/** How clients prove who they are, at each endpoint where they must. */
export const authenticationChecks: Checks = {
  token_endpoint_auth_methods_supported: byMethod(atTokenEndpoint),
  token_endpoint_auth_signing_alg_values_supported: byAlgorithm(atTokenEndpoint),
  introspection_endpoint_auth_methods_supported: byMethod(atEndpoint('introspection_endpoint')),
  introspection_endpoint_auth_signing_alg_values_supported: byAlgorithm(atEndpoint('introspection_endpoint')),
  revocation_endpoint_auth_methods_supported: byMethod(atEndpoint('revocation_endpoint')),
  revocation_endpoint_auth_signing_alg_values_supported: byAlgorithm(atEndpoint('revocation_endpoint')),
};

type Place = (bench: Bench, form: TestClientForm) => Promise<unknown>;

function byMethod(place: Place): PromiseCheck {
  return {
    promise: 'clients that prove who they are like this',
    attempt: (bench, method) => place(bench, { method }),
  };
}

function byAlgorithm(place: Place): PromiseCheck {
  return {
    promise: 'client assertions by this algorithm',
    attempt: (bench, assertionAlg) =>
      place(bench, { method: assertionAlg.startsWith('HS') ? 'client_secret_jwt' : 'private_key_jwt', assertionAlg }),
  };
}

/** A public client cannot act for itself: it redeems a code. */
async function atTokenEndpoint(bench: Bench, form: TestClientForm): Promise<unknown> {
  if (form.method !== 'none') return granted(bench, {}, form);
  return logIn(bench, await registerClient(bench, {}, form));
}

function atEndpoint(member: string): Place {
  return async (bench, form) => {
    const { client, token } = await withToken(bench, form);
    const answer = await ask(bench, client, endpoint(bench, member), { token });
    demand(answer.status === 200, `the ${member.replaceAll('_', ' ')} answered ${describe(answer)}`);
  };
}

async function withToken(bench: Bench, form: TestClientForm): Promise<{ client: TestClient; token: string }> {
  if (form.method === 'none') {
    const client = await registerClient(bench, {}, form);
    return { client, token: textOf((await logIn(bench, client)).tokens, 'access_token') };
  }
  demand(offers(bench, 'grant_types_supported', 'client_credentials'), 'no grant gives a token to try it with');
  const { client, tokens } = await granted(bench, {}, form);
  return { client, token: textOf(tokens, 'access_token') };
}
