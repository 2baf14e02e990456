import type { RecordedRequest } from '../../../record/flows/recorded-request.ts';
import type { ExamModule, Judged, Seen } from '../exam-module.ts';
import { mustAccept, mustRefuse, notMet, untold } from '../judge.ts';

// The metadata of the provider, and its keys.

const fixedKeys = 'Let the library keep the JWK Set and fetch it again for an unknown kid (createRemoteJWKSet).';

/** Metadata that is not what it says. */
export const metadataModules: readonly ExamModule[] = [
  mustRefuse({
    id: 'discovery-issuer-mismatch',
    suite: 'oidcc-client-test-discovery-issuer-mismatch',
    title: 'The metadata names another issuer',
    references: ['OIDC Discovery §4.3', 'RFC 8414 §3.3'],
    gain: 'A server under the control of an attacker passes for the provider, and gets codes and tokens (mix-up).',
    right: 'Compares issuer in the metadata with the address that it asked, and stops.',
    mend: 'Use the discovery of the library, and do not read the members of the document yourself.',
    absent: 'The app did not ask for the metadata: its endpoints are configured, or kept from before.',
    faults: [{ fault: 'metadata_wrong_issuer' }],
  }),
  mustAccept({
    id: 'discovery-jwks-uri-keys',
    suite: 'oidcc-client-test-discovery-jwks-uri-keys',
    title: 'The metadata names another address for the keys',
    references: ['OIDC Discovery §3'],
    gain: 'People cannot sign in once the provider moves its keys.',
    right: 'Fetches the keys from jwks_uri.',
    mend: 'Take jwks_uri from the metadata, and do not put the address together yourself.',
    absent: 'The app asked for no metadata, or verifies no ID token.',
    faults: async stage => [
      {
        fault: 'changed_members',
        endpoint: 'discovery',
        change: { jwks_uri: `${await stage.endpoint('jwks_uri')}?moved=1` },
      },
    ],
    met: seen => (seen.at('jwks').length === 0 ? [] : seen.baited),
    needs: seen => seen.at('jwks').filter(request => request.query.has('moved')),
    without: 'The app fetched the keys from an address that the metadata does not name.',
  }),
  mustAccept({
    id: 'discovery-openid-config',
    suite: 'oidcc-client-test-discovery-openid-config',
    title: 'The metadata names another address for the token endpoint',
    references: ['OIDC Discovery §4', 'RFC 8414 §2'],
    gain: 'People cannot sign in once the provider moves an endpoint.',
    right: 'Sends its token requests to token_endpoint.',
    mend: 'Take the endpoints from the metadata, and do not put the addresses together yourself.',
    absent: 'The app asked for no metadata, or sent no token request.',
    faults: async stage => [
      {
        fault: 'changed_members',
        endpoint: 'discovery',
        change: { token_endpoint: `${await stage.endpoint('token_endpoint')}?moved=1` },
      },
    ],
    met: seen => (seen.at('token').length === 0 ? [] : seen.baited),
    needs: seen => seen.at('token').filter(request => request.query.has('moved')),
    without: 'The app sent its token request to an address that the metadata does not name.',
  }),
  {
    id: 'mtls-endpoint-aliases',
    suite: 'oidcc-client-test-mtls-endpoint-aliases',
    title: 'The metadata has other addresses for clients with a certificate',
    references: ['RFC 8705 §5'],
    gain: 'Nobody can sign in, because the app calls the address that does not ask for its certificate, or the one that does.',
    right: 'Uses mtls_endpoint_aliases if it proves itself by a certificate, and only then.',
    mend: 'Switch the aliases on in the library (use_mtls_endpoint_aliases) if the app has a certificate, and off if not.',
    async run(stage) {
      const change = { mtls_endpoint_aliases: { token_endpoint: `${await stage.endpoint('token_endpoint')}?alias=1` } };
      await stage.arm({ fault: 'changed_members', endpoint: 'discovery', change });
      return stage.signIn();
    },
    judge(seen) {
      const tokens = seen.at('token');
      if (tokens.length === 0 || seen.baited.length === 0)
        return notMet(seen, 'The app asked for no metadata, or sent no token request.');
      const isByCertificate = (request: RecordedRequest) =>
        request.fact('client.authenticated')?.method.endsWith('tls_client_auth') === true;
      const wrong = tokens.filter(request => request.query.has('alias') !== isByCertificate(request));
      const why = 'The app proved itself by a certificate at the usual address, or without one at the other.';
      if (wrong.length > 0) return { verdict: 'fail', why, requests: [...seen.baited, ...wrong] };
      if (seen.believed === undefined) return untold(tokens);
      if (!seen.believed)
        return { verdict: 'fail', why: 'The app refused it, although it is right.', requests: tokens };
      return { verdict: 'pass', why: 'The app called the right address.', requests: tokens };
    },
  },
];

/**
 * Keys that change. They come last in a plan: an app with one issuer may refuse each sign-in for a minute after them.
 */
export const rotationModules: readonly ExamModule[] = [
  {
    id: 'signing-key-rotation',
    suite: 'oidcc-client-test-signing-key-rotation',
    title: 'The keys change between two sign-ins',
    references: ['OIDC Core §10.1.1'],
    gain: 'Nobody can sign in after a rotation until the app is started again.',
    right: 'Fetches the keys again when it meets an unknown kid.',
    mend: fixedKeys,
    async run(stage) {
      const first = await stage.signIn();
      if (first.believed !== true) return first;
      await stage.issuer.rotateKeys({ unpublish: true });
      return stage.signIn();
    },
    judge(seen) {
      const tokens = seen.at('token');
      if (tokens.length < 2) return notMet(seen, 'The app did not sign in twice.');
      return judgeRotation(seen, tokens.slice(1), seen.signIns[1] ?? 0);
    },
  },
  {
    id: 'signing-key-rotation-just-before-signing',
    suite: 'oidcc-client-test-signing-key-rotation-just-before-signing',
    title: 'The keys change just before the ID token is signed',
    references: ['OIDC Core §10.1.1'],
    gain: 'A sign-in fails each time the provider rotates its keys, which nobody can reproduce.',
    right: 'Fetches the keys again when it meets an unknown kid.',
    mend: fixedKeys,
    async run(stage) {
      await stage.arm({ fault: 'keys_rotated', endpoint: 'token', times: 1 });
      return stage.signIn();
    },
    judge(seen) {
      if (seen.baited.length === 0) return notMet(seen, 'The app sent no token request.');
      return judgeRotation(seen, seen.baited, seen.baited[0]?.event.id ?? 0);
    },
  },
];

/**
 * `met`: the token requests that were answered with the new keys; `since`: the id of the event from which on the new keys were
 * published. Libraries that fetch keys at most once a minute protect the
 * provider, so one that did not ask again is only warned.
 */
function judgeRotation(seen: Seen, met: readonly RecordedRequest[], since: number): Judged {
  if (seen.believed === undefined) return untold(met);
  const fetched = seen.at('jwks').filter(({ event }) => event.id > since);
  const requests = [...met, ...fetched];
  if (!seen.believed && fetched.length > 0)
    return { verdict: 'fail', why: 'The app fetched the new keys, and refused the ID token all the same.', requests };
  if (!seen.believed)
    return {
      verdict: 'warn',
      why: 'The app did not fetch the keys again. Many libraries do so once a minute at most.',
      requests,
    };
  if (fetched.length === 0)
    return notMet(seen, 'The app did not fetch the new keys: it does not verify the ID token with them.');
  return { verdict: 'pass', why: 'The app fetched the new keys and signed in.', requests };
}
