import { callWith } from './ask.ts';
import { logIn } from './authorization.ts';
import { type Bench, endpoint, preferred } from './bench.ts';
import type { Checks, PromiseCheck } from './check.ts';
import { demand } from './demand.ts';
import { describe, type Json, textOf } from './json.ts';
import { registerClient } from './test-client.ts';
import { idTokenClaims, verified } from './verify.ts';

/** By what ID Tokens and UserInfo are signed and encrypted. */
export const responseChecks: Checks = {
  id_token_signing_alg_values_supported: {
    promise: 'ID Tokens signed by this algorithm',
    attempt: async (bench, alg) => idTokenFor(bench, { id_token_signed_response_alg: alg }, alg),
  },
  id_token_encryption_alg_values_supported: encrypted('id_token', 'alg', idTokenFor),
  id_token_encryption_enc_values_supported: encrypted('id_token', 'enc', idTokenFor),
  userinfo_signing_alg_values_supported: {
    promise: 'UserInfo signed by this algorithm',
    attempt: async (bench, alg) => userinfoFor(bench, { userinfo_signed_response_alg: alg }, alg),
  },
  userinfo_encryption_alg_values_supported: encrypted('userinfo', 'alg', userinfoFor),
  userinfo_encryption_enc_values_supported: encrypted('userinfo', 'enc', userinfoFor),
};

type Read = (bench: Bench, metadata: Json, alg?: string) => Promise<string>;

/** One of the two algorithms of an encryption is what is tried, the other the first that is offered. */
function encrypted(what: 'id_token' | 'userinfo', tried: 'alg' | 'enc', read: Read): PromiseCheck {
  const name = what === 'id_token' ? 'ID Tokens' : 'UserInfo';
  return {
    promise: `${name} encrypted by this algorithm`,
    async attempt(bench, value) {
      const first = (part: string, wanted: string) =>
        preferred(bench, `${what}_encryption_${part}_values_supported`, [wanted]);
      const alg = tried === 'alg' ? value : first('alg', 'ECDH-ES');
      const enc = tried === 'enc' ? value : first('enc', 'A128GCM');
      const jwe = await read(bench, {
        [`${what}_encrypted_response_alg`]: alg,
        [`${what}_encrypted_response_enc`]: enc,
      });
      const used = await bench.keys.decrypt(jwe);
      demand(used.alg === alg && used.enc === enc, `it is encrypted by ${used.alg} and ${used.enc}`);
    },
  };
}

/** An ID Token of a client that is registered like this, checked. */
async function idTokenFor(bench: Bench, metadata: Json, alg?: string): Promise<string> {
  const client = await registerClient(bench, metadata);
  const idToken = textOf((await logIn(bench, client)).tokens, 'id_token');
  await idTokenClaims(bench, client, idToken, alg);
  return idToken;
}

/** UserInfo as a JWT (OIDC Core §5.3.2), checked where it is signed. */
async function userinfoFor(bench: Bench, metadata: Json, alg?: string): Promise<string> {
  const client = await registerClient(bench, metadata);
  const { tokens, claims } = await logIn(bench, client);
  const url = endpoint(bench, 'userinfo_endpoint');
  const answer = await callWith(bench, client, url, textOf(tokens, 'access_token'));
  demand(answer.status === 200, `UserInfo answered ${describe(answer)}`);
  demand(/^application\/jwt\b/.test(answer.headers['content-type'] ?? ''), 'UserInfo is no JWT');
  if (alg === undefined) return answer.text;
  const { sub } = await verified(bench, answer.text, { audience: client.client_id, alg });
  demand(sub === claims.sub, `UserInfo is about ${sub}`);
  return answer.text;
}
