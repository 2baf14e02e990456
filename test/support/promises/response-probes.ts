import { isRecord } from '../../../src/base/text/record.ts';
import { ask, callWith } from './ask.ts';
import { logIn } from './authorization.ts';
import { type Bench, endpoint, type Probe, type PromiseCheck, preferred } from './bench.ts';
import { demand } from './demand.ts';
import { describe, type Json, textOf } from './json.ts';
import { registerClient } from './test-client.ts';
import { granted } from './token-probes.ts';
import { idTokenClaims, verified } from './verify.ts';

type Read = (bench: Bench, metadata: Json, alg?: string) => Promise<string>;

/** The checks of the signature and encryption algorithms of one kind of response. */
export function encryptionOf(
  what: 'id_token' | 'userinfo',
  name: string,
  read: Read,
): Readonly<Record<string, PromiseCheck>> {
  const signed: Probe = (bench, alg) => read(bench, { [`${what}_signed_response_alg`]: alg }, alg);
  return {
    [`${what}_signing_alg_values_supported`]: [`${name} signed by this algorithm`, signed],
    [`${what}_encryption_alg_values_supported`]: [`${name} encrypted by this algorithm`, encrypted(what, 'alg', read)],
    [`${what}_encryption_enc_values_supported`]: [`${name} encrypted by this algorithm`, encrypted(what, 'enc', read)],
  };
}

/** Tests one of the two algorithms of an encryption; the other one is a common algorithm. */
function encrypted(what: string, tried: 'alg' | 'enc', read: Read): Probe {
  return async (bench, value) => {
    const first = (part: string, wanted: string) =>
      preferred(bench, `${what}_encryption_${part}_values_supported`, [wanted]);
    const alg = tried === 'alg' ? value : first('alg', 'ECDH-ES');
    const enc = tried === 'enc' ? value : first('enc', 'A128GCM');
    const metadata = { [`${what}_encrypted_response_alg`]: alg, [`${what}_encrypted_response_enc`]: enc };
    const used = await bench.keys.decrypt(await read(bench, metadata));
    demand(used.alg === alg && used.enc === enc, `the response is encrypted by ${used.alg} and ${used.enc}`);
  };
}

/** Tests a signed introspection response (RFC 9701 §5). */
export async function probeSignedIntrospection(bench: Bench, alg: string): Promise<void> {
  const { client, tokens } = await granted(bench, { introspection_signed_response_alg: alg });
  const accept = 'application/token-introspection+jwt';
  const form = { token: textOf(tokens, 'access_token') };
  const answer = await ask(bench, client, endpoint(bench, 'introspection_endpoint'), form, { accept });
  demand(answer.status === 200, `introspection answered ${describe(answer)}`);
  const { token_introspection: said } = await verified(bench, answer.text, client, {
    typ: 'token-introspection+jwt',
    alg,
  });
  demand(isRecord(said) && said.active === true, 'a valid token is not active');
}

/** Logs in with a client of this metadata; returns its ID token, verified. */
export async function readIdToken(bench: Bench, metadata: Json, alg?: string): Promise<string> {
  const client = await registerClient(bench, metadata);
  const idToken = textOf((await logIn(bench, client)).tokens, 'id_token');
  await idTokenClaims(bench, client, idToken, alg);
  return idToken;
}

/** Fetches UserInfo as a JWT (OIDC Core §5.3.2), verified if `alg` is given. */
export async function readUserinfo(bench: Bench, metadata: Json, alg?: string): Promise<string> {
  const client = await registerClient(bench, metadata);
  const { tokens, claims } = await logIn(bench, client);
  const url = endpoint(bench, 'userinfo_endpoint');
  const answer = await callWith(bench, client, url, textOf(tokens, 'access_token'));
  demand(answer.status === 200, `UserInfo answered ${describe(answer)}`);
  demand(/^application\/jwt\b/.test(answer.headers['content-type'] ?? ''), 'UserInfo is not application/jwt');
  if (alg === undefined) return answer.text;
  const { sub } = await verified(bench, answer.text, client, { alg });
  demand(sub === claims.sub, `the sub of UserInfo is ${sub}`);
  return answer.text;
}
