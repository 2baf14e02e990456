import { createHash, X509Certificate } from 'node:crypto';
import { isRecord } from '../text/record.ts';
import { callWith } from './ask.ts';
import { logIn } from './authorization.ts';
import { type Bench, endpoint } from './bench.ts';
import type { Checks } from './check.ts';
import { demand } from './demand.ts';
import { describe, textOf } from './json.ts';
import { registerClient } from './test-client.ts';
import { verified } from './verify.ts';

/** Mutual TLS (RFC 8705). */
export const mutualTlsChecks: Checks = {
  tls_client_certificate_bound_access_tokens: {
    promise: 'access tokens bound to the certificate of the client',
    attempt: checkBound,
  },
  mtls_endpoint_aliases: {
    promise: 'an address for connections with a certificate',
    async attempt(bench, name) {
      const { mtls_endpoint_aliases: aliases } = bench.metadata;
      demand(isRecord(aliases), 'there are no aliases');
      const client = await registerClient(bench, {}, { isCertified: true });
      const answer = await bench.http.send(textOf(aliases, name), { identity: client.identity });
      demand(![404, 501].includes(answer.status) && answer.status < 500, `it answered ${describe(answer)}`);
    },
  },
};

/** RFC 8705 §3: the token says whose it is, and UserInfo takes it over no other connection. */
async function checkBound(bench: Bench): Promise<void> {
  const client = await registerClient(bench, {}, { isCertified: true });
  const { tokens } = await logIn(bench, client);
  const token = textOf(tokens, 'access_token');
  const { cnf } = await verified(bench, token, {});
  const certificate = new X509Certificate(client.identity?.cert ?? '');
  const expected = createHash('sha256').update(certificate.raw).digest('base64url');
  demand(isRecord(cnf) && cnf['x5t#S256'] === expected, 'the token is bound to another certificate, or to none');
  const url = endpoint(bench, 'userinfo_endpoint');
  const taken = await callWith(bench, client, url, token);
  demand(taken.status === 200, `UserInfo answered ${describe(taken)}`);
  const { identity: _, ...thief } = client;
  const stolen = await callWith(bench, thief, url, token);
  demand(stolen.status === 401, `over another connection UserInfo answered ${stolen.status}`);
}
